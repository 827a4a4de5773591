#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "blobs/blob_key.h"
#include "blobs/hashing_writer.h"
#include "flows/scrub/run.h"

namespace tintype::flows::scrub {

/// What came of reading a blob from its first byte to its last.
struct BlobContent {
  blobs::ContentHashes hashes;
  /// Why it cannot be read, though the store is there: a disk that has lost it.
  std::optional<std::string> damage;
};

/// Reads a blob in pieces, at the run's pace, without keeping it in the system's memory. Nothing
/// when it is not there, or not any more. Errors: those of the store; as Run::GoOn.
Result<std::optional<BlobContent>> ReadBlob(Run& run, const blobs::BlobKey& key);

}  // namespace tintype::flows::scrub
