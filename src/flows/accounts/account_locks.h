#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string_view>

#include "base/mutex.h"

namespace tintype::flows {

/// A lock for each account, for what is counted first and added to then. Some accounts share one.
/// Owned by the program's wiring, which is the only one of its directory. Thread-safe.
class AccountLocks {
 public:
  Mutex& Of(std::string_view account_id) {
    return locks_[std::hash<std::string_view>()(account_id) % locks_.size()];
  }

 private:
  std::array<Mutex, 64> locks_;
};

}  // namespace tintype::flows
