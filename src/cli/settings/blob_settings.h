#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "blobs/s3/config.h"

namespace tintype::cli {

/// The names of the two buckets; in files, of their folders.
struct BucketNames {
  std::string uploads;
  std::string images;

  bool operator==(const BucketNames&) const = default;
};

/// Photos in buckets of S3, or of what speaks it.
struct S3Settings {
  std::string endpoint;  // Empty: AWS's.
  std::string region;
  std::string access_key_id;
  std::string secret_access_key;
  /// Whether a client that follows a link to a photo is sent on to the storage; else the server
  /// hands the bytes over itself.
  bool redirect = true;
  blobs::s3::StorageEncryption encryption;
};

/// Where photos are kept.
struct BlobSettings {
  /// An empty name was not said: the gallery has it on record, or it is the default. On S3 both are
  /// there.
  BucketNames buckets;
  std::optional<S3Settings> s3;  // Absent: in files of the data directory.
};

/// The settings as they were given.
struct BlobTexts {
  std::string blobs;
  std::string uploads_bucket;
  std::string images_bucket;
  std::string endpoint;
  std::string region;
  std::string access_key_id;
  std::optional<std::string> secret_access_key;
  std::string delivery;
  std::string encryption;
  std::optional<std::string> encryption_key;
};

/// Errors: kValidation, naming the flag or variable that is wrong.
Result<BlobSettings> ParseBlobSettings(const BlobTexts& texts);

}  // namespace tintype::cli
