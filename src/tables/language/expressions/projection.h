#pragma once

#include <string>
#include <vector>

#include "tables/language/expressions/path.h"
#include "tables/language/values/value.h"

namespace tintype::tables {

/// Which parts of an item an answer shows: what ProjectionExpression and AttributesToGet become.
/// List members that are left out close up; order within the item is kept.
class Projection {
 public:
  /// REQUIRES: the paths neither overlap nor conflict.
  explicit Projection(std::vector<Path> paths);
  /// Whole top-level attributes by name.
  static Projection OfAttributes(const std::vector<std::string>& names);

  Item Apply(MapView item) const;
  const std::vector<Path>& paths() const { return paths_; }

 private:
  struct Node;
  std::vector<Path> paths_;
  // Shared so that a projection copies cheaply; immutable after construction.
  std::shared_ptr<const Node> root_;
};

}  // namespace tintype::tables
