#pragma once

#include <limits>
#include <memory>
#include <utility>

#include "tables/engine/commit/core.h"
#include "tables/language/database.h"

/// Reads of many items begin on the caller's thread, which is how small ones are answered soonest,
/// and go on in the pool when they turn out to be large: then the caller's thread, which others
/// wait for, is free again, and the answer is encoded in the pool too.
///
/// A first step that only looks into RocksDB's cache was tried, so that it never waits for the
/// disk: pages of an index that a restore had just filled then came back empty, without an error
/// (recovery/dropped_work_test.cc).
namespace tintype::tables::engine {

/// What one step of a read may take.
struct ReadBudget {
  static constexpr size_t kAll = std::numeric_limits<size_t>::max();

  size_t bytes = kAll;  ///< That are read, since the beginning.
};

/// Where a read of many items may be carried out.
enum class ReadOn {
  kCaller,  ///< On the caller's thread, which may wait.
  kPool,    ///< In the pool, but for what is small.
};

/// The step on the caller's thread: about a hundred items of usual size, some hundred microseconds
/// with their encoding.
inline constexpr ReadBudget kFirstStep = {.bytes = size_t{64} << 10};

/// Carries a read out. `Read` has
///   Response                       what it answers with
///   length()                       which queue it waits in
///   held_bytes()                   what it has read so far and keeps
///   Result<bool> Continue(budget)  reads on; true when it is complete
///   Response Finish()              the answer, once it is
template <typename Read>
void RunInSteps(Core& core, Read read, ReadOn where, Done<typename Read::Response> done) {
  const auto answer = [](Result<bool> complete, Read& whole, Done<typename Read::Response>& to) {
    if (complete.ok()) {
      to(whole.Finish());
    } else {
      to(std::move(complete).error());
    }
  };
  Result<bool> complete = read.Continue(where == ReadOn::kCaller ? ReadBudget() : kFirstStep);
  if (!complete.ok() || *complete) {
    answer(std::move(complete), read, done);
    return;
  }
  const ReadPool::Length length = read.length();
  const size_t held_bytes = read.held_bytes();
  // Shared by the task and by this thread, which answers if the task is refused.
  const auto rest = std::make_shared<std::pair<Read, Done<typename Read::Response>>>(
      std::move(read), std::move(done));
  const bool accepted = core.reads.Submit(length, held_bytes, [rest, answer] {
    answer(rest->first.Continue({}), rest->first, rest->second);
  });
  if (!accepted) {
    rest->second(TooManyReads());
  }
}

}  // namespace tintype::tables::engine
