#include "contract/contract.h"

#include <algorithm>

#include "base/check.h"

namespace tintype::contract {

const Operation& OperationOf(std::string_view id) {
  const std::span<const Operation> all = Operations();
  const auto found = std::ranges::lower_bound(all, id, {}, &Operation::id);
  CHECK(found != all.end() && found->id == id);
  return *found;
}

}  // namespace tintype::contract
