#pragma once

#include <vector>

#include "tables/language/expressions/path.h"
#include "tables/language/values/value.h"

namespace tintype::tables {

/// The right-hand side of a SET, and the operands of the functions in it.
struct UpdateOperand {
  enum class Kind {
    kPath,         ///< the old value at `path`
    kValue,        ///< the literal `value`
    kIfNotExists,  ///< the old value at `path`, or operands[0]
    kListAppend,   ///< operands[0] followed by operands[1]
    kPlus,         ///< operands[0] + operands[1]
    kMinus,        ///< operands[0] - operands[1]
  };
  Kind kind = Kind::kValue;
  Path path;
  std::optional<Value> value;
  std::vector<UpdateOperand> operands;
};

/// A parsed update: what UpdateExpression and the legacy AttributeUpdates become. All right-hand
/// sides read the item as it was before the update.
struct Update {
  struct Set {
    Path path;
    UpdateOperand value;
  };
  struct Add {
    Path path;
    Value value;  // A number, a set, or (legacy only) a list.
  };
  struct Delete {
    Path path;
    Value value;  // A set.
  };
  std::vector<Set> sets;
  std::vector<Path> removes;
  std::vector<Add> adds;
  std::vector<Delete> deletes;
  /// Made from AttributeUpdates: DynamoDB then has other words for operands of the wrong type.
  bool legacy = false;

  bool empty() const { return sets.empty() && removes.empty() && adds.empty() && deletes.empty(); }
  /// Every path that the update writes, in order of appearance by kind: what UPDATED_OLD shows.
  std::vector<Path> WrittenPaths() const;
  /// Those that still have a value afterwards, unless a set was emptied: what UPDATED_NEW shows.
  std::vector<Path> KeptPaths() const;

  /// The item after the update. `old_item` is empty when there was none; `key` holds the key
  /// attributes that a new item starts with. Fails with DynamoDB's words when an operand has the
  /// wrong type, a path leads nowhere, or a number leaves its range.
  Result<Item> Apply(MapView old_item, MapView key) const;
};

}  // namespace tintype::tables
