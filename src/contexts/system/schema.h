#pragma once

#include <cstdint>
#include <optional>

#include "base/error.h"
#include "base/result.h"
#include "contexts/common/transaction.h"
#include "tables/language/blocking_database.h"

/// What the product's tables have in common.
namespace tintype::contexts::system {

/// The refusal of `Schema::Advance`: another node has advanced the version first.
inline constexpr Reason kSchemaAdvanced{ErrorKind::kConditionFailed, "SchemaAdvanced"};

/// The version of the product's tables: the item `SCHEMA` / `SCHEMA` of the table `tintype`.
/// Thread-safe.
class Schema {
 public:
  explicit Schema(tables::Database& database) : database_(database) {}

  /// The version; 0 when none is recorded, because the tables are older than versions are. Nothing
  /// when there is no table `tintype`. Errors: kCorruption when the record has no version.
  Result<std::optional<int64_t>> FindVersion();

  /// Records the version `to`. Refused with kSchemaAdvanced unless the version is `from`.
  Piece Advance(int64_t from, int64_t to) const;

 private:
  tables::BlockingDatabase database_;
};

}  // namespace tintype::contexts::system
