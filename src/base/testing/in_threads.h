#pragma once

#include <cstddef>
#include <thread>
#include <vector>

namespace tintype {

/// Calls `work(0)`, `work(1)` and so on, each on a thread of its own, and waits for all of them.
/// For tests.
template <typename Work>
void InThreads(int count, const Work& work) {
  std::vector<std::thread> threads;
  threads.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&work, i] { work(i); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace tintype
