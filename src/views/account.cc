#include "views/account.h"

#include <optional>

namespace tintype::views {

Result<bool> IsSetUp(const Sources& sources) { return sources.accounts.IsSetUp(); }

Result<int64_t> FindUploadLimit(const Sources& sources, const Viewer& viewer) {
  ASSIGN_OR_RETURN(const std::optional<int64_t> limit, sources.people.FindLimit(viewer.email));
  return limit.value_or(0);
}

}  // namespace tintype::views
