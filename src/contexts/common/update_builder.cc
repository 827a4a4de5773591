#include "contexts/common/update_builder.h"

#include <utility>

#include "base/check.h"
#include "base/strings.h"

namespace tintype::contexts {

UpdateBuilder& UpdateBuilder::Text(std::string_view name, std::string_view text) {
  Set(name, tables::Value::String(text));
  return *this;
}

UpdateBuilder& UpdateBuilder::Integer(std::string_view name, int64_t number) {
  Set(name, tables::Value::Integer(number));
  return *this;
}

UpdateBuilder& UpdateBuilder::MaybeText(std::string_view name,
                                        const std::optional<std::string>& text) {
  return text ? Text(name, *text) : Remove(name);
}

UpdateBuilder& UpdateBuilder::Remove(std::string_view name) {
  StrAppend(removed_, removed_.empty() ? "REMOVE #" : ", #", name);
  bindings_.names.emplace(StrCat("#", name), name);
  return *this;
}

std::string UpdateBuilder::text() const {
  CHECK(!set_.empty() || !removed_.empty());
  return StrCat(set_, set_.empty() || removed_.empty() ? "" : " ", removed_);
}

void UpdateBuilder::Set(std::string_view name, tables::Value value) {
  StrAppend(set_, set_.empty() ? "SET #" : ", #", name, " = :", name);
  bindings_.names.emplace(StrCat("#", name), name);
  bindings_.values.emplace(StrCat(":", name), std::move(value));
}

}  // namespace tintype::contexts
