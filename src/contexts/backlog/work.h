#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tables/language/values/value.h"

namespace tintype::contexts::backlog {

/// Lower goes first.
/// Analysis comes behind what people wait for, and before what is done to a whole library.
enum class Priority { kHigh = 1, kNormal = 5, kAnalysis = 7, kLow = 9 };
std::string_view NameOf(Priority priority);
inline constexpr std::array kPriorities = {Priority::kHigh, Priority::kNormal, Priority::kAnalysis,
                                           Priority::kLow};

enum class WorkStatus {
  kPending,  ///< To be done as soon as a worker is free.
  kDelayed,  ///< To be done when its time comes: planned for later, or tried and failed.
  kLeased,   ///< A worker is at it.
  kDead,     ///< Failed more often than allowed; waits for a person.
};
std::string_view NameOf(WorkStatus status);
inline constexpr std::array kWorkStates = {WorkStatus::kPending, WorkStatus::kDelayed,
                                           WorkStatus::kLeased, WorkStatus::kDead};

/// One item of the backlog: something that must be done, once at a time, until it is done.
struct Work {
  std::string id;    // Says what it is about, so that the same work is never queued twice.
  std::string type;  // Which step does it, for example `develop`.
  std::string uuid;  // The asset.
  std::map<std::string, std::string> input;
  Priority priority = Priority::kNormal;
  WorkStatus status = WorkStatus::kPending;
  int64_t due_ms = 0;      // Not before.
  std::string account_id;  // Whose turn it takes; empty for work of the server itself.
  // What a worker takes for it at most, by estimate, or took when it failed; 0: little.
  int64_t cost_ms = 0;
  int64_t turn_ms = 0;  // Its place among the pending work of all accounts (turns.h); 0: by due_ms.
  int64_t created_ms = 0;
  int64_t updated_ms = 0;
  int64_t retry_count = 0;
  int64_t max_retries = 5;
  std::optional<std::string> last_error;
  std::optional<std::string> correlation_id;  // Of the request that it came from.

  std::string order;  // As it was read: its place in the index.

  // While it is leased.
  std::string token;  // The fencing token: another one for every lease.
  int64_t lease_until_ms = 0;
  std::string node;  // The node whose worker it is.
};

/// Work of more than this keeps others waiting: it never holds the last worker
/// (pipeline/workers.h). A photo of 12 megapixels is estimated at 1.4 s, an edit of it at 2.8 s.
inline constexpr std::chrono::milliseconds kExpensive{10'000};
bool IsExpensive(const Work& work);

tables::Item WorkKey(std::string_view id);
tables::Item ToItem(const Work& work);
Work WorkFromItem(const tables::Item& item);

/// The sort key of `status-order-index`: `priority#time#id`, which sorts as it reads.
std::string OrderOf(Priority priority, int64_t time_ms, std::string_view id);
/// The time in it: when the work is due; while it is pending, its turn, if it has one; while it is
/// leased, when the lease ends. A turn is a place, not a time that is waited for.
int64_t OrderMs(const Work& work);

}  // namespace tintype::contexts::backlog
