#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "flows/parts.h"

/// Encrypts the files of photos that are kept as they are: those from before --blob-encryption was
/// on. Each is replaced as a whole while the gallery goes on, so that it can end anywhere and begin
/// again, and then passes by what is encrypted already.
namespace tintype::flows {

using EncryptBlobsParts = Uses<ConfigPart, BlobsPart, RoomPart>;

/// One that could not be encrypted, and why.
struct UnencryptedBlob {
  std::string key;  // `bucket/key`.
  std::string reason;
};

struct EncryptBlobsProgress {
  uint64_t total = 0;      // Files that there were when it began. 0 while they are counted.
  uint64_t seen = 0;       // Counted, or looked at.
  uint64_t encrypted = 0;  // Of those that were looked at.
  uint64_t bytes = 0;      // In these.
  uint64_t failed = 0;
  std::vector<UnencryptedBlob> failures;  // The first of them.
};

/// Called after each file. False: it is to stop.
using EncryptBlobsReport = std::function<bool(const EncryptBlobsProgress&)>;

/// Errors: kValidation where new files are not encrypted; kUnavailable when it was stopped, or
/// the disk has no room for another file; those of listing. A file that cannot be read is one of
/// `failures`.
Result<EncryptBlobsProgress> EncryptBlobs(const EncryptBlobsParts& parts,
                                          const EncryptBlobsReport& report);

}  // namespace tintype::flows
