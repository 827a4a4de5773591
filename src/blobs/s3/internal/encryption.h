#pragma once

#include "blobs/s3/config.h"
#include "sigv4/sigv4.h"

/// How calls say what the storage is to encrypt with.
namespace tintype::blobs::s3 {

/// What a call does with an object.
enum class ObjectUse {
  kWrite,       ///< Makes it, at once or by beginning to send its parts.
  kWritePart,   ///< Adds to it.
  kRead,        ///< Looks at it, or reads it.
  kCopySource,  ///< Makes another one of it, whose own headers are kWrite's or kWritePart's.
};

/// The headers that say so; none where nothing has to be said.
sigv4::HeaderList EncryptionHeaders(const StorageEncryption& encryption, ObjectUse use);

/// Whether somebody with a link, but without our headers, can read or write an object.
bool AllowsLinks(const StorageEncryption& encryption);

}  // namespace tintype::blobs::s3
