#include "contract/contract.h"

#include <algorithm>

#include "base/check.h"

namespace tintype::contract {

std::string_view NameOf(Access access) {
  switch (access) {
    case Access::kAnyone:
      return "anyone";
    case Access::kSession:
      return "session";
    case Access::kRead:
      return "read";
    case Access::kUpload:
      return "upload";
    case Access::kEdit:
      return "edit";
    case Access::kDelete:
      return "delete";
    case Access::kAdminister:
      return "administer";
  }
  return "";
}

const Operation& OperationOf(std::string_view id) {
  const std::span<const Operation> all = Operations();
  const auto found = std::ranges::lower_bound(all, id, {}, &Operation::id);
  CHECK(found != all.end() && found->id == id);
  return *found;
}

}  // namespace tintype::contract
