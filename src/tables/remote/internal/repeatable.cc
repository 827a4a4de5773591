#include "tables/remote/internal/repeatable.h"

#include <algorithm>

namespace tintype::tables::remote::internal {

namespace {

/// By position, what is written or removed may be another element the second time: setting one
/// beyond the end of a list appends.
bool HasPosition(const Path& path) {
  return std::ranges::any_of(path.steps, [](const PathStep& step) { return step.is_index; });
}

/// A literal, or one for an attribute that does not exist yet: the second time it does, and stays
/// as it is. Anything else that a value is computed from may be what the update changes.
bool IsRepeatable(const Update::Set& set) {
  return set.value.kind == UpdateOperand::Kind::kValue ||
         (set.value.kind == UpdateOperand::Kind::kIfNotExists && set.value.path == set.path);
}

/// Sets have a member or they do not; numbers and lists grow each time.
bool IsRepeatable(const Update::Add& add) { return IsSet(add.value.type()); }

}  // namespace

bool IsRepeatable(const Update& update) {
  const auto is_repeatable = [](const auto& action) { return IsRepeatable(action); };
  return std::ranges::none_of(update.WrittenPaths(), HasPosition) &&
         std::ranges::all_of(update.sets, is_repeatable) &&
         std::ranges::all_of(update.adds, is_repeatable);
}

}  // namespace tintype::tables::remote::internal
