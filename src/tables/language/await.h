#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "tables/language/database.h"

namespace tintype::tables {

/// Calls an operation of a Database, Backups or the like and returns when it is done. Never from a
/// Done callback: the thread that would answer is the one that waits. Thread-safe.
template <typename Service, typename Request, typename Response>
Result<Response> Await(Service& service, void (Service::*operation)(Request, Done<Response>),
                       Request request) {
  std::mutex mutex;
  std::condition_variable answered;
  std::optional<Result<Response>> outcome;
  (service.*operation)(std::move(request), [&](Result<Response> result) {
    // Notified under the lock: the waiter destroys the condition variable as soon as it wakes.
    const std::lock_guard lock(mutex);
    outcome.emplace(std::move(result));
    answered.notify_one();
  });
  std::unique_lock lock(mutex);
  answered.wait(lock, [&] { return outcome.has_value(); });
  return std::move(*outcome);
}

}  // namespace tintype::tables
