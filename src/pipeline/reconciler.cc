#include "pipeline/reconciler.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/logging.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/common/transaction.h"
#include "flows/upkeep/reconcile.h"

namespace tintype::pipeline {

using contexts::Transaction;
using contexts::backlog::Work;
using tables::Change;
using tables::FollowerPosition;
using tables::ShardName;

namespace {

void LogCannotFollow(const std::string& work, const Error& error) {
  LogError("change cannot be followed", {{"work", work}, {"error", error.message()}});
}

}  // namespace

Reconciler::Reconciler(ReconcilerConfig config, flows::Product& product, tables::ChangeLog& log,
                       std::function<void()> woken)
    : config_(config),
      product_(product),
      log_(log),
      woken_(std::move(woken)),
      tables_(flows::ReconciledTables(product.config)),
      positions_(name_, product.database) {}

Result<std::vector<FollowerPosition>> Reconciler::LoadPositions() {
  RETURN_IF_ERROR(positions_.TakeOver(log_, tables_));
  return positions_.Load();
}

Status Reconciler::Follow(std::span<const Change> changes, const FollowerPosition& reached) {
  /// As many as fit one transaction, with the position.
  constexpr size_t kChangesMax = 90;
  // Changes that were acted on before an error are given again.
  const auto acted_on = acted_on_.find(reached.shard);
  while (acted_on != acted_on_.end() && !changes.empty() &&
         !tables::IsBefore(acted_on->second, changes.front().position)) {
    changes = changes.subspan(1);
  }
  while (changes.size() > kChangesMax) {
    const auto some = changes.first(kChangesMax);
    const Change& last = some.back();
    RETURN_IF_ERROR(FollowSome(
        some, {reached.shard, last.position, StrCat("read up to ", TimeText(last.time_ms))}));
    changes = changes.subspan(kChangesMax);
  }
  return FollowSome(changes, reached);
}

Status Reconciler::FollowSome(std::span<const Change> changes, const FollowerPosition& reached) {
  ASSIGN_OR_RETURN(const Consequences consequences, ConsequencesOf(changes));
  const int64_t now_ms = product_.clock.NowMs();
  const bool is_due = now_ms - stored_ms_[reached.shard] > config_.store_interval.count();
  if (!consequences.empty() || is_due || reached.position == tables::kShardEnd) {
    Transaction queue(StrCat(name_, " ", reached.shard.shard, " ", reached.position));
    queue.Add(positions_.Store(reached));
    for (const auto& [id, work] : consequences) {
      queue.Add(product_.backlog.Enqueue(work));
    }
    Status queued = queue.Commit(product_.database, product_.retries);
    if (!queued.ok() && queued.error().kind() == ErrorKind::kValidation) {
      queued = QueueOneByOne(consequences, reached);
    }
    RETURN_IF_ERROR(queued);
    stored_ms_[reached.shard] = now_ms;
  }
  acted_on_[reached.shard] = reached.position;
  if (!consequences.empty() && woken_) {
    woken_();
  }
  return OkStatus();
}

/// By the id of the work. Another change of the same image asks for the same, now or in what is
/// queued: what is in the tables then counts. But which tags the image had in between is known from
/// each of them alone.
Result<Reconciler::Consequences> Reconciler::ConsequencesOf(std::span<const Change> changes) {
  Consequences consequences;
  for (const Change& change : changes) {
    std::optional<Work> work = flows::ConsequenceOf(product_, change);
    if (!work) {
      continue;
    }
    if (change.origin == Change::Origin::kUnknown) {
      const Result<bool> needed = flows::IsNeeded(product_, *work);
      if (!needed.ok() && needed.error().kind() == ErrorKind::kValidation) {
        // Another program wrote something that makes no valid key. Trying again will not help, and
        // the changes after it must not wait.
        LogCannotFollow(work->id, needed.error());
        continue;
      }
      RETURN_IF_ERROR(needed);
      if (!*needed) {
        continue;
      }
    }
    const auto known = consequences.find(work->id);
    if (known != consequences.end()) {
      flows::JoinWork(known->second, *work);
      continue;
    }
    const std::string id = work->id;
    ASSIGN_OR_RETURN(Work joined, flows::JoinQueued(product_, *std::move(work)));
    consequences.emplace(id, std::move(joined));
  }
  return consequences;
}

Status Reconciler::QueueOneByOne(const Consequences& consequences,
                                 const FollowerPosition& reached) {
  for (const auto& [id, work] : consequences) {
    Status queued = Transaction(StrCat(name_, " ", id, " ", reached.position))
                        .Add(product_.backlog.Enqueue(work))
                        .Commit(product_.database, product_.retries);
    if (!queued.ok() && queued.error().kind() != ErrorKind::kValidation) {
      return queued;
    }
    if (!queued.ok()) {
      LogCannotFollow(id, queued.error());
    }
  }
  return Transaction(StrCat(name_, " ", reached.shard.shard, " at ", reached.position))
      .Add(positions_.Store(reached))
      .Commit(product_.database, product_.retries);
}

Status Reconciler::Forget(const ShardName& shard, bool missed) {
  if (missed) {
    LogWarning("changes by others to a table may have been missed",
               {{"table", shard.table}, {"shard", shard.shard}, {"then", "tintype scrub"}});
  }
  acted_on_.erase(shard);
  stored_ms_.erase(shard);
  return Transaction(StrCat(name_, " forget ", shard.shard, " ", product_.clock.NowMs()))
      .Add(positions_.Remove(shard))
      .Commit(product_.database, product_.retries);
}

}  // namespace tintype::pipeline
