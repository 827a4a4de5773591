#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "crypto/secret_key.h"
#include "sigv4/sigv4.h"

namespace tintype::blobs::s3 {

/// How the storage is to encrypt what it is given.
struct StorageEncryption {
  enum class Kind {
    kUnsaid,       ///< As the bucket has it.
    kPreferred,    ///< With keys of the storage's own (SSE-S3), or kUnsaid where it has none.
    kStorageKeys,  ///< With keys of the storage's own (SSE-S3).
    kManagedKey,   ///< With a key of a key service that the storage asks (SSE-KMS).
    kOwnKey,       ///< With a key that is sent along with each call (SSE-C).
  };
  Kind kind = Kind::kUnsaid;
  /// Of kManagedKey. Empty: the storage's own choice.
  std::string managed_key{};
  /// Of kOwnKey; otherwise for reading what was written with it before.
  std::optional<crypto::SecretKey> own_key{};
};

/// What a store on S3 runs with.
struct S3Config {
  /// `http://` or `https://`, a host and perhaps a port: the bucket is then the path's first part.
  /// Empty: AWS's own endpoint of the region.
  std::string endpoint{};
  std::string region = "us-east-1";
  sigv4::Credentials credentials{};
  /// Others are not served.
  std::vector<std::string> buckets{};
  StorageEncryption encryption{};
  /// Whether a bucket that is missing is made when the store is opened.
  bool create_buckets = true;
  /// Where blobs lie for the moment in which they are written or wanted as files. Made if it is
  /// not there. The files have no names, so nothing is left after a crash.
  std::string temporary_folder{};
  /// A file of certificates (PEM) to trust instead of the system's. Default: the system's.
  std::string ca_file{};

  /// To set up a connection. Raise it for storage on another continent.
  std::chrono::milliseconds connect_timeout{5'000};
  /// How long nothing may move on a connection; then it is given up, and the call sent again on
  /// another while call_timeout is not over. Half of that is good. Whole seconds for what is large.
  std::chrono::milliseconds stall_timeout{12'500};
  /// How long one call is tried, again if need be. A call that takes longer because it is large may
  /// take as long as bytes move.
  std::chrono::milliseconds call_timeout{25'000};

  /// Blobs that are larger go in parts of this size, or a larger one where S3 would not take so
  /// many. 5 MiB at least.
  uint64_t part_bytes = 16 << 20;
  /// Larger blobs are copied in parts. 5 MiB to 5 GiB, which is the most that S3 copies at once.
  uint64_t copy_bytes_max = uint64_t{5} << 30;

  /// How many keys are listed, or deleted, with one request. 1 to 1000, which is the most that S3
  /// takes.
  size_t page_keys = 1000;
  /// Unfinished uploads that are older are ended when the store is opened: those that began them
  /// are no more. Raise it if one upload may take longer than a day.
  std::chrono::hours leftover_age{24};

  /// Errors: kValidation, naming what is wrong.
  Status Validate() const;
};

}  // namespace tintype::blobs::s3
