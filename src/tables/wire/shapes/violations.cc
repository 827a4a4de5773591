#include "tables/wire/internal/violations.h"

#include "base/strings.h"

namespace tintype::tables::wire {

void Violations::Add(std::string_view value, std::string_view path, std::string_view constraint) {
  if (full()) {
    return;
  }
  lines_.push_back(StrCat("Value ", value, value.empty() ? "" : " ", "at '", path,
                          "' failed to satisfy constraint: ", constraint));
}

Status Violations::ToStatus() const {
  if (lines_.empty()) {
    return OkStatus();
  }
  return Error::Validation(StrCat(lines_.size(), " validation error", lines_.size() > 1 ? "s" : "",
                                  " detected: ", StrJoin(lines_, "; ")));
}

std::string AsOneViolation(std::string_view message) {
  return StrCat("1 validation error detected: ", message);
}

}  // namespace tintype::tables::wire
