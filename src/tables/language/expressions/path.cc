#include "tables/language/expressions/path.h"

#include <algorithm>

#include "base/strings.h"

namespace tintype::tables {

std::string Path::ToString() const {
  std::string out = "[";
  for (const PathStep& step : steps) {
    if (out.size() > 1) {
      out.append(", ");
    }
    if (step.is_index) {
      StrAppend(out, '[', step.index, ']');
    } else {
      out.append(step.name);
    }
  }
  out.push_back(']');
  return out;
}

std::optional<ValueView> Path::Find(MapView item) const {
  std::optional<ValueView> value = item.Find(attribute());
  for (size_t i = 1; i < steps.size() && value; ++i) {
    const PathStep& step = steps[i];
    if (value->type() != (step.is_index ? Type::kList : Type::kMap)) {
      return std::nullopt;
    }
    value = step.is_index ? value->AsList().At(step.index) : value->AsMap().Find(step.name);
  }
  return value;
}

PathRelation Relate(const Path& a, const Path& b) {
  const size_t shared = std::min(a.steps.size(), b.steps.size());
  for (size_t i = 0; i < shared; ++i) {
    if (a.steps[i].is_index != b.steps[i].is_index) {
      return PathRelation::kConflict;
    }
    if (a.steps[i] != b.steps[i]) {
      return PathRelation::kDisjoint;
    }
  }
  return PathRelation::kOverlap;
}

}  // namespace tintype::tables
