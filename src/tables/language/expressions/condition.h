#pragma once

#include <vector>

#include "tables/language/expressions/path.h"
#include "tables/language/values/value.h"

namespace tintype::tables {

/// What a condition compares: a path into the item, a literal, or the size of what is at a path.
struct Operand {
  enum class Kind { kPath, kValue, kSize };
  static Operand OfPath(Path path) { return {Kind::kPath, std::move(path), std::nullopt}; }
  static Operand OfValue(Value value) { return {Kind::kValue, {}, std::move(value)}; }
  static Operand SizeOf(Path path) { return {Kind::kSize, std::move(path), std::nullopt}; }

  Kind kind = Kind::kPath;
  Path path;
  std::optional<Value> value;
};

enum class Comparator { kEqual, kNotEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };

/// A parsed condition or filter: what ConditionExpression, FilterExpression and the legacy
/// Expected, QueryFilter and ScanFilter all become. A tree of values; evaluation does not allocate
/// for paths and literals. Thread-safe to evaluate.
struct Condition {
  enum class Kind {
    kAnd,                 ///< children, two or more
    kOr,                  ///< children, two or more
    kNot,                 ///< children[0]
    kCompare,             ///< operands[0] comparator operands[1]
    kBetween,             ///< operands[0] between operands[1] and operands[2]
    kIn,                  ///< operands[0] in the others
    kAttributeExists,     ///< operands[0], a path
    kAttributeNotExists,  ///< operands[0], a path
    kAttributeType,       ///< operands[0], a path; operands[1], a string naming a type
    kBeginsWith,          ///< operands[0] starts with operands[1]
    kContains,            ///< operands[0], string, set or list, has operands[1]
  };

  Kind kind = Kind::kAnd;
  Comparator comparator = Comparator::kEqual;
  std::vector<Operand> operands;
  std::vector<Condition> children;

  /// True if `item` satisfies it. An absent item is the empty map.
  bool Holds(MapView item) const;

  /// Calls `visit` with every path in the tree.
  template <typename Visitor>
  void VisitPaths(const Visitor& visit) const {
    for (const Operand& operand : operands) {
      if (operand.kind != Operand::Kind::kValue) {
        visit(operand.path);
      }
    }
    for (const Condition& child : children) {
      child.VisitPaths(visit);
    }
  }
};

}  // namespace tintype::tables
