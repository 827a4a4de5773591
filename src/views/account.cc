#include "views/account.h"

namespace tintype::views {

Result<bool> IsSetUp(const Sources& sources) { return sources.accounts.IsSetUp(); }

Result<std::optional<int64_t>> FindUploadLimit(const Sources& sources, const Viewer& viewer) {
  ASSIGN_OR_RETURN(const std::optional<int64_t> limit, sources.people.FindLimit(viewer.email));
  const int64_t left = limit.value_or(0);
  return contexts::people::IsUnlimited(left) ? std::nullopt : std::optional(left);
}

}  // namespace tintype::views
