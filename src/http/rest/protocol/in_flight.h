#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/mutex.h"

namespace tintype::http::rest {

/// How many requests each name has on their way, so that none fills a queue that others wait in.
/// Names without any are not remembered. Outlives its tickets. Thread-safe.
class InFlight {
 public:
  explicit InFlight(size_t each_max) : each_max_(each_max) {}

  /// One request, for as long as it lives.
  class Ticket {
   public:
    Ticket(InFlight& owner, std::string name) : owner_(&owner), name_(std::move(name)) {}
    Ticket(Ticket&& other) noexcept : owner_(other.owner_), name_(std::move(other.name_)) {
      other.owner_ = nullptr;
    }
    Ticket& operator=(Ticket&&) = delete;
    ~Ticket();

   private:
    InFlight* owner_;
    std::string name_;
  };

  /// Nothing when the name has as many as it may.
  std::optional<Ticket> Enter(const std::string& name);

 private:
  const size_t each_max_;
  Mutex mutex_;
  std::unordered_map<std::string, size_t> counts_ GUARDED_BY(mutex_);
};

}  // namespace tintype::http::rest
