#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tables/language/values/value.h"

namespace tintype::tables {

/// One step of a document path: a map entry by name, or a list member by position.
struct PathStep {
  static PathStep Name(std::string name) { return {std::move(name), 0, false}; }
  static PathStep Index(uint32_t index) { return {{}, index, true}; }

  std::string name;
  uint32_t index = 0;
  bool is_index = false;

  bool operator==(const PathStep&) const = default;
};

/// A document path such as `info.rating[2].value`, placeholders already replaced. The first step is
/// always a name.
struct Path {
  std::vector<PathStep> steps;

  static Path Attribute(std::string name) { return {{PathStep::Name(std::move(name))}}; }

  const std::string& attribute() const { return steps.front().name; }
  bool is_top_level() const { return steps.size() == 1; }
  /// As DynamoDB prints it in messages: `[info, rating, [2], value]`.
  std::string ToString() const;
  /// The value at this path, if there is one.
  std::optional<ValueView> Find(MapView item) const;

  bool operator==(const Path&) const = default;
};

/// How two paths get in each other's way, which DynamoDB refuses within one expression.
enum class PathRelation {
  kDisjoint,
  kOverlap,   ///< One is a prefix of the other, or they are equal.
  kConflict,  ///< One goes on by name where the other goes on by index.
};
PathRelation Relate(const Path& a, const Path& b);

}  // namespace tintype::tables
