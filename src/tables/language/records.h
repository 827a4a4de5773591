#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tables/language/database.h"

namespace tintype::tables {

/// One record is at most so large, and its name so long, in bytes.
inline constexpr size_t kRecordBytesMax = size_t{64} << 10;
inline constexpr size_t kRecordNameBytesMax = 256;

/// Changes that happen together or not at all.
struct ChangeRecordsRequest {
  std::map<std::string, std::string> puts;
  std::vector<std::string> removals;
};

/// Small records that the program keeps beside its tables, with the same durability and encryption
/// and in the same backups, but out of reach of the API: access keys. Thread-safe. After a crash:
/// as for Database.
class Records {
 public:
  virtual ~Records() = default;

  /// Every record whose name begins with `prefix`, by name. Reads the disk; for the start.
  virtual Result<std::map<std::string, std::string>> ReadRecords(std::string_view prefix) const = 0;

  /// Errors: kValidation for a record or a name over its limit; those of any write.
  virtual void ChangeRecords(ChangeRecordsRequest request, Done<EmptyResponse> done) = 0;
};

}  // namespace tintype::tables
