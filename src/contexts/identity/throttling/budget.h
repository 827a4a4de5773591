#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace tintype::contexts::identity {

struct BudgetConfig {
  /// So many at once; each one more has to wait.
  int64_t free = 10;
  /// How long it takes to get one back, in milliseconds.
  int64_t refill_ms = 30'000;
  /// How many names are remembered. When there are more, any of them is forgotten.
  size_t names_max = 100'000;
};

/// How often each of many names may do something. In memory, so a restart forgives, and each node
/// has its own. Not thread-safe. Times are milliseconds since the Unix epoch.
class Budget {
 public:
  explicit Budget(const BudgetConfig& config) : config_(config) {}

  /// How long until `name` has one to take, in milliseconds; 0 when it has.
  int64_t WaitMs(const std::string& name, int64_t now_ms) const;
  /// Takes one, whether there is one or not.
  void Take(const std::string& name, int64_t now_ms);
  void GiveBack(const std::string& name, int64_t now_ms);

  size_t size() const { return full_at_ms_.size(); }
  const BudgetConfig& config() const { return config_; }

 private:
  /// When a name has all of its own back; now when it has.
  int64_t FullAt(const std::string& name, int64_t now_ms) const;
  void Forget(int64_t now_ms);

  BudgetConfig config_;
  std::unordered_map<std::string, int64_t> full_at_ms_;
  size_t forget_at_ = 1024;  // With so many names, those that have all of their own back go.
};

}  // namespace tintype::contexts::identity
