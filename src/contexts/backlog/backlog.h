#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "contexts/backlog/turns.h"
#include "contexts/backlog/work.h"
#include "contexts/common/tables.h"
#include "contexts/common/transaction.h"
#include "tables/language/blocking_database.h"

/// The work queue: the table so0050-{stack}-backlog.
namespace tintype::contexts::backlog {

struct BacklogConfig {
  std::string stack = "tintype";
  /// The node that leases are taken for: one process at a time works under this name.
  std::string node;
  /// How long a worker may take before others may think it dead. Default a minute; workers renew
  /// theirs while they are at it.
  std::chrono::milliseconds lease{60'000};
  /// What a failed piece of work waits before it is tried again: this, then twice that, and so on,
  /// up to retry_wait_max. Default 1 s to 10 min.
  std::chrono::milliseconds retry_wait_first{1'000};
  std::chrono::milliseconds retry_wait_max{600'000};
  /// What work waits that could not even be tried. Default 30 s.
  std::chrono::milliseconds outage_wait{30'000};
};

/// Owns the backlog. Work is found by its index, which may be behind, and taken by a conditional
/// write on the item itself: of many workers one gets it. Each lease has a fencing token; whatever
/// a worker writes goes into a transaction with `Fence`, so that one who was thought dead cannot
/// write any more.
///
/// Thread-safe. After a crash: leased work is taken again when its lease has ended.
class Backlog {
 public:
  Backlog(BacklogConfig config, tables::Database& database, const Clock& clock);

  static ProductTable Table(std::string_view stack);

  /// Work for an account, with its turn among that of all accounts. `cost` is what a worker will
  /// take for it, rather too much than too little. When the turn cannot be found out, it is now.
  Work InTurn(Work work, std::string_view account_id, std::chrono::milliseconds cost);

  /// Puts work into the queue, in place of work of the same id if there is any: a worker that is at
  /// that loses its lease.
  Piece Enqueue(Work work) const;
  /// The same, refused with kInUse when somebody has begun with work of that id.
  Piece EnqueueUnlessBegun(Work work) const;
  /// Takes work out of the queue, in whatever state it is, if it is there.
  Piece Withdraw(std::string_view id) const;
  /// The same, refused with kNotFound when somebody has begun with it: also when that failed, and
  /// it waits to be tried again.
  Piece WithdrawUnlessBegun(std::string_view id) const;

  /// Takes the next piece of work that is due, by priority and then by time or turn: pending work,
  /// delayed work whose time has come, and leases that have ended. Nothing when there is none.
  /// Cheap work alone passes over what IsExpensive, of which it looks at several hundred pieces in
  /// each state, so that neither one account nor many of them hide what others wait for.
  enum class Which { kAny, kCheap };
  Result<std::optional<Work>> Lease(Which which = Which::kAny);
  /// Fails with kConditionFailed when the lease is lost.
  Status Renew(Work& work);

  // Pieces for whoever holds the lease; refused with kConditionFailed when it is lost.
  Piece Fence(const Work& work) const;
  Piece Complete(const Work& work) const;
  /// Puts work back that is not through yet, with what it knows by now in its input: it goes on at
  /// `due_ms`.
  Piece Continue(const Work& work, int64_t due_ms) const;

  /// Gives work back that could not be done: it is tried again later, or is dead when it was tried
  /// often enough, or when trying again cannot help. An outage, which says nothing about the work,
  /// does not count as an attempt: however long it takes, the work is still there afterwards. Work
  /// whose attempt took longer than its cost has that for its cost, up to an hour: so it is known
  /// to be expensive by the next.
  enum class Failure { kForNow, kForGood, kOutage };
  struct GivenBack {
    Piece piece;
    WorkStatus status = WorkStatus::kDelayed;  // What it is once the piece is committed.
  };
  GivenBack GiveBack(const Work& work, std::string_view error, Failure failure,
                     std::chrono::milliseconds taken) const;

  Result<std::optional<Work>> Find(std::string_view id);
  struct ListRequest {
    WorkStatus status = WorkStatus::kDead;
    int64_t limit = 100;
    std::optional<tables::Item> after;
  };
  struct WorkPage {
    std::vector<Work> work;
    std::optional<tables::Item> last_evaluated_key;
  };
  Result<WorkPage> List(const ListRequest& request);
  /// Where a list goes on that ended with work in this state and of this `order`.
  static tables::Item PlaceOf(WorkStatus status, std::string_view order);

  /// How much work is in one state, by its type, looking at no more than `limit` items, those of
  /// the highest priority that are due first. Reads the index alone, never the table.
  struct Count {
    std::map<std::string, int64_t, std::less<>> by_type;
    std::map<std::string, int64_t, std::less<>> first_due_ms;  // Of each type.
    bool complete = true;  // False: there is more than was looked at.

    int64_t total() const;
  };
  Result<Count> CountIn(WorkStatus status, int64_t limit);
  /// The same for one priority; of what was queued since then, if a time is given.
  Result<Count> CountIn(WorkStatus status, Priority priority, int64_t limit,
                        int64_t created_since_ms = 0);
  /// When the work of one priority that is next could have been done; nothing when none waits. That
  /// has waited longest but for the work of accounts that have queued more than their share. Looks
  /// at two items, however much there is.
  Result<std::optional<int64_t>> OldestDueMs(Priority priority);
  /// Ends the leases of this node, and those that name none, which are from before nodes had names:
  /// for a process that starts, and is the only one of its node. Work that a crash interrupted goes
  /// on at once, instead of when its lease ends. Those of other nodes stay.
  Status EndLeases();

  /// Takes work out of the queue without its being done. Refused with kInUse when it is not as it
  /// was seen.
  Piece Purge(const Work& seen) const;

  /// Tries dead work again, as if it had never failed. kNotFound when there is no dead work of that
  /// id.
  Status Replay(std::string_view id);

 private:
  Work Queued(Work work) const;
  /// The place that the queue has reached: of the next piece of work, or now when none waits.
  Result<int64_t> ReachedMs(Priority priority);
  /// Work in one state whose time is not after `until_ms`, in order.
  Result<WorkPage> FindDue(WorkStatus status, Priority priority, int64_t until_ms, int64_t limit,
                           std::optional<tables::Item> after = {});
  /// The first of it that is cheap, as far as one looks.
  Result<std::vector<Work>> FindCheap(WorkStatus status, Priority priority, int64_t until_ms);
  Result<Count> CountWhere(const tables::KeyCondition& condition, int64_t limit,
                           int64_t created_since_ms = 0);
  /// Work that may be leased now, in order.
  Result<std::vector<Work>> FindCandidates(Priority priority, int64_t now_ms, Which which);
  /// Nothing when somebody else was quicker.
  Result<std::optional<Work>> TryLease(const Work& candidate);
  Result<tables::WriteItemResponse> Write(tables::UpdateItemRequest request);

  const BacklogConfig config_;
  const std::string table_;
  tables::BlockingDatabase database_;
  Turns turns_;
  const Clock& clock_;
};

/// The error that tells that a lease is lost.
Error LeaseLost();

}  // namespace tintype::contexts::backlog
