#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/mutex.h"

namespace tintype {

/// What was asked for of late, by name. Bounded: two generations of up to half the entries each.
/// When the younger is full, the older is dropped; an entry that is asked for moves into the
/// younger. So entries in use stay and the others go, without a list to keep in order. Thread-safe;
/// nothing survives it. Values are copied out, so a large one is held by a pointer.
template <typename Value>
class RecentCache {
 public:
  /// At least 2.
  explicit RecentCache(size_t entries_max) : generation_max_(entries_max / 2) {}

  std::optional<Value> Find(const std::string& name) {
    const MutexLock lock(mutex_);
    if (const auto found = younger_.find(name); found != younger_.end()) {
      return found->second;
    }
    const auto found = older_.find(name);
    if (found == older_.end()) {
      return std::nullopt;
    }
    Value value = found->second;
    AddToYounger(name, value);
    return value;
  }

  /// Replaces what is there under that name.
  void Add(const std::string& name, Value value) {
    const MutexLock lock(mutex_);
    AddToYounger(name, std::move(value));
  }

  /// What is there under that name, or `value` if nothing is, which then is there.
  Value FindOrAdd(const std::string& name, const Value& value) {
    const MutexLock lock(mutex_);
    if (const auto found = younger_.find(name); found != younger_.end()) {
      return found->second;
    }
    const auto found = older_.find(name);
    Value kept = found == older_.end() ? value : found->second;
    AddToYounger(name, kept);
    return kept;
  }

  void Clear() {
    const MutexLock lock(mutex_);
    younger_.clear();
    older_.clear();
  }

  size_t size() const {
    const MutexLock lock(mutex_);
    return younger_.size() + older_.size();
  }

 private:
  using Generation = std::unordered_map<std::string, Value>;

  void AddToYounger(const std::string& name, Value value) REQUIRES_LOCK(mutex_) {
    if (younger_.size() >= generation_max_ && !younger_.contains(name)) {
      older_ = std::move(younger_);
      younger_.clear();
    }
    younger_.insert_or_assign(name, std::move(value));
  }

  const size_t generation_max_;
  mutable Mutex mutex_;
  Generation younger_ GUARDED_BY(mutex_);
  Generation older_ GUARDED_BY(mutex_);
};

}  // namespace tintype
