#pragma once

#include <chrono>
#include <thread>

namespace tintype {

/// Waits for a condition that other threads bring about. False if it did not come true in time,
/// which is long enough for the slowest build on a busy machine. For tests.
template <typename Condition>
bool Eventually(Condition condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(40);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) {
      return false;
    }
    std::this_thread::yield();
  }
  return true;
}

}  // namespace tintype
