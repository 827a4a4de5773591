#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/result.h"
#include "tables/wire/internal/json.h"

/// What a request must look like, as data. The tables themselves are in shapes.h.
///
/// DynamoDB's front end is driven by a model of its API, and checks a request against it in two
/// steps before any code of the operation runs: first that each member has the right JSON type
/// (else a SerializationException), then that the values are within their constraints (else a
/// ValidationException that lists up to ten of them).
namespace tintype::tables::wire {

struct Shape;

inline constexpr int64_t kNoMinimum = std::numeric_limits<int64_t>::min();
inline constexpr int64_t kNoMaximum = std::numeric_limits<int64_t>::max();

/// What a text must match; patterns.h knows how.
enum class Pattern {
  kAny,
  kName,
  kTableName,  ///< A name, or the ARN of a table with such a name.
  kClientToken,
  kBucket,
  kAccount,
  kCsvDelimiter,
  kCsvHeader,
  kImportToken,
};

/// A member of a structure, or the elements of a list or map, with its constraints. In the order in
/// which the tables of shapes are read, not in the tightest one.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
struct Member {
  std::string_view name = {};  // None for elements.
  const Shape* shape = nullptr;
  bool required = false;
  /// Of the value for numbers, of the length for all else.
  int64_t min = kNoMinimum;
  int64_t max = kNoMaximum;
  std::span<const std::string_view> one_of = {};
  Pattern pattern = Pattern::kAny;
  /// Bounds of the lengths of a map's values, which DynamoDB reports at the map.
  int64_t map_values_max = kNoMaximum;
  /// The map's keys are table names.
  bool table_name_keys = false;
  /// DynamoDB's newer checks leave out the value and keep the capitals of the path.
  bool terse = false;
};

struct Shape {
  enum class Kind { kString, kBoolean, kInteger, kLong, kTimestamp, kBlob, kList, kMap, kStruct };

  Kind kind = Kind::kString;
  std::string_view type_name = {};       // Of a structure, as it appears in messages.
  const Member* element = nullptr;       // Of a list or map.
  std::span<const Member> members = {};  // Of a structure, in the order of DynamoDB's messages.
  /// False if nothing within has constraints, so that looking for them is not needed.
  bool constrained = true;

  /// The member of that name of a structure, or null.
  const Member* Find(std::string_view name) const;
};

/// How an operation treats its TableName.
enum class TableNameRule {
  kNone,     ///< It has none.
  kData,     ///< Operations on items.
  kControl,  ///< Operations on tables.
  kCreate,   ///< CreateTable, which alone insists on three characters.
};

struct RequestShape {
  Shape shape;
  TableNameRule table_name = TableNameRule::kNone;
};

/// Checks the JSON types within a value: OK, or a SerializationException. Null is of every type.
Status CheckTypes(JsonElement value, const Shape& shape);

/// Parses a body and checks it against `request`: JSON, types, the table name by itself, then all
/// other constraints.
Result<JsonObject> ReadRequest(std::string_view body, const RequestShape& request);

}  // namespace tintype::tables::wire
