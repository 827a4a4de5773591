#include "access/audit/audit.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "access/audit/chain_writer.h"
#include "access/audit/summaries.h"
#include "access/audit/trimmer.h"
#include "base/logging.h"
#include "base/mutex.h"
#include "base/retry.h"
#include "base/strings.h"
#include "crypto/digest.h"

namespace tintype::access::audit {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr int64_t kTrimEveryMs = 60 * 60 * 1000;
constexpr std::chrono::milliseconds kRetryFirst{20};
constexpr std::chrono::milliseconds kRetryMax{2000};
/// How long Stop goes on trying when the tables do not take what is queued.
constexpr std::chrono::seconds kStopPatience{5};

Error Unavailable() {
  return {kAuditUnavailable,
          "The audit cannot be written just now, and this must not go unrecorded. Try again."};
}

Error NotRecordedYet() {
  return {kAuditUnavailable,
          "This was done, but its audit entry is not on disk yet: the tables do not take it."};
}

/// An outcome that another thread brings.
struct Outcomes {
  Mutex mutex;
  CondVar arrived;
  std::optional<Status> status GUARDED_BY(mutex);
};

Entry TrimEntry(const TrimStep& first, const TrimStep& last, int64_t count) {
  Entry entry;
  entry.kind = kAuditTrim;
  entry.principal.kind = PrincipalKind::kServer;
  entry.subject = first.chain;
  entry.details = {{"first", std::to_string(first.first)},
                   {"last", std::to_string(last.last)},
                   {"removed", std::to_string(count)}};
  return entry;
}

Entry FaultEntry(const TrimStep& step) {
  Entry entry;
  entry.kind = kAuditDamage;
  entry.outcome = Outcome::kFailed;
  entry.principal.kind = PrincipalKind::kServer;
  entry.subject = step.chain;
  entry.details = {{"reason", *step.fault}, {"found", "while trimming"}};
  return entry;
}

Entry LostEntry(int64_t count) {
  Entry entry;
  entry.kind = kAuditLost;
  entry.outcome = Outcome::kFailed;
  entry.principal.kind = PrincipalKind::kServer;
  entry.count = count;
  return entry;
}

}  // namespace

/// The queue in front of the chain, and the thread that empties it.
class Audit::Writer {
 public:
  Writer(AuditConfig config, Witness witness, tables::Database& database, const Clock& clock)
      : config_(std::move(config)),
        clock_(clock),
        sealer_(config_.key),
        store_(config_.table, sealer_, database),
        chain_(config_.node, store_, std::move(witness)),
        summaries_({.tallies_max = config_.summaries_max}) {}

  Status Start() {
    ASSIGN_OR_RETURN(std::optional<Entry> first, chain_.Start());
    {
      const MutexLock lock(mutex_);
      head_sequence_ = chain_.head().sequence;
      damage_ = chain_.damage();
      if (first) {
        Push(*std::move(first), {});
      }
    }
    thread_ = std::thread([this] { Run(); });
    return OkStatus();
  }

  void Record(Entry entry, OnceCallback<Status> done) {
    {
      const MutexLock lock(mutex_);
      if (!stopping_ && queue_.size() < config_.queued_max) {
        Push(Trimmed(std::move(entry)), std::move(done));
        changed_.SignalOne();
        return;
      }
      ++refused_;
    }
    done(Unavailable());
  }

  Status RecordAndWait(Entry entry) {
    auto outcome = std::make_shared<Outcomes>();
    Record(std::move(entry), [outcome](Status status) {
      const MutexLock lock(outcome->mutex);
      outcome->status = std::move(status);
      outcome->arrived.SignalOne();
    });
    const auto deadline = SteadyClock::now() + config_.patience;
    const MutexLock lock(outcome->mutex);
    while (!outcome->status) {
      const auto now = SteadyClock::now();
      if (now >= deadline) {
        return NotRecordedYet();  // The writer counts it, when it gets there.
      }
      outcome->arrived.WaitFor(outcome->mutex, deadline - now);
    }
    return *outcome->status;
  }

  void Queue(Entry entry) {
    const MutexLock lock(mutex_);
    QueueOrLose(Trimmed(std::move(entry)));
  }

  void Note(Entry entry) {
    entry = Trimmed(std::move(entry));
    const MutexLock lock(mutex_);
    const std::string kind = entry.kind;
    const int64_t count = entry.count;
    std::optional<Entry> single = summaries_.Add(std::move(entry), clock_.NowMs());
    if (single) {
      QueueOrLose(*std::move(single));
    } else {
      summarised_[kind] += static_cast<uint64_t>(count);
    }
  }

  Status CheckReady() const {
    const MutexLock lock(mutex_);
    return failing_ || stopping_ || queue_.size() >= config_.queued_max ? Status(Unavailable())
                                                                        : OkStatus();
  }

  Status Settle() {
    const auto deadline = SteadyClock::now() + config_.patience;
    const MutexLock lock(mutex_);
    const uint64_t wanted = ++settle_wanted_;
    changed_.SignalOne();
    while (settled_ < wanted && !stopping_) {
      const auto now = SteadyClock::now();
      if (now >= deadline) {
        break;
      }
      settling_.WaitFor(mutex_, deadline - now);
    }
    return settled_ >= wanted ? OkStatus() : Status(Unavailable());
  }

  void Stop() {
    {
      const MutexLock lock(mutex_);
      if (!stopping_) {
        stopping_ = true;
        stop_deadline_ = SteadyClock::now() + kStopPatience;
      }
      changed_.SignalAll();
      settling_.SignalAll();
    }
    if (thread_.joinable()) {
      thread_.join();
    }
  }

  AuditStats stats() const {
    const MutexLock lock(mutex_);
    return {.written = written_,
            .summarised = summarised_,
            .queued = queue_.size() + in_progress_,
            .lost = lost_,
            .refused = refused_,
            .late = late_,
            .failed_commits = failed_commits_,
            .trimmed = trimmed_,
            .damage = damage_,
            .head_sequence = head_sequence_};
  }

 private:
  struct Pending {
    ChainWriter::Timed timed;
    OnceCallback<Status> done;  // Empty when nobody waits.
    SteadyClock::time_point deadline;
  };

  void Push(Entry entry, OnceCallback<Status> done) REQUIRES_LOCK(mutex_) {
    queue_.push_back({{std::move(entry), clock_.NowMs()},
                      std::move(done),
                      SteadyClock::now() + config_.patience});
  }

  void QueueOrLose(Entry entry) REQUIRES_LOCK(mutex_) {
    if (stopping_ || queue_.size() >= config_.queued_max) {
      lost_ += static_cast<uint64_t>(entry.count);
      return;
    }
    Push(std::move(entry), {});
    changed_.SignalOne();
  }

  void Run() {
    while (true) {
      uint64_t settle = 0;
      bool stopping = false;
      std::vector<Pending> batch = NextBatch(settle, stopping);
      if (!batch.empty()) {
        Write(std::move(batch));
        continue;
      }
      if (stopping) {
        return;
      }
      TrimWhatIsOld();
      const MutexLock lock(mutex_);
      if (queue_.empty() && settled_ < settle) {
        settled_ = settle;
        settling_.SignalAll();
      }
    }
  }

  /// Waits for something to do, for a while.
  std::vector<Pending> NextBatch(uint64_t& settle, bool& stopping) {
    const MutexLock lock(mutex_);
    if (queue_.empty() && !stopping_ && settle_wanted_ == settled_) {
      changed_.WaitFor(mutex_, config_.pause);
    }
    for (Entry& summary : summaries_.TakeDue(clock_.NowMs(), stopping_)) {
      Push(std::move(summary), {});
    }
    if (lost_ > told_lost_ && queue_.size() < config_.queued_max) {
      Push(LostEntry(static_cast<int64_t>(lost_ - told_lost_)), {});
      told_lost_ = lost_;
    }
    std::vector<Pending> batch;
    // One place is for an entry that tells of damage.
    while (!queue_.empty() && batch.size() < kLinksPerCommit - 1) {
      batch.push_back(std::move(queue_.front()));
      queue_.pop_front();
    }
    in_progress_ = batch.size();
    settle = settle_wanted_;
    stopping = stopping_;
    return batch;
  }

  void Write(std::vector<Pending> batch) {
    std::vector<ChainWriter::Timed> entries;
    entries.reserve(batch.size());
    for (const Pending& pending : batch) {
      entries.push_back(pending.timed);
    }
    for (int failures = 0;;) {
      const Status written = chain_.Append(entries);
      if (written.ok()) {
        Finish(batch);
        return;
      }
      ++failures;
      if (!GoesOn(written.error(), failures, batch)) {
        return;
      }
    }
  }

  void Finish(std::vector<Pending>& batch) {
    {
      const MutexLock lock(mutex_);
      if (failing_) {
        LogInfo("the audit is written again", {});
      }
      failing_ = false;
      in_progress_ = 0;
      head_sequence_ = chain_.head().sequence;
      damage_ = chain_.damage() + faults_;
      const auto now = SteadyClock::now();
      for (const Pending& pending : batch) {
        ++written_[pending.timed.entry.kind];
        late_ += pending.done && pending.deadline <= now ? 1 : 0;
      }
    }
    for (Pending& pending : batch) {
      if (pending.done) {
        pending.done(OkStatus());
      }
    }
  }

  /// Waits before another attempt, having told those who have waited long enough. False when the
  /// process ends first.
  bool GoesOn(const Error& error, int failures, std::vector<Pending>& batch) {
    std::vector<OnceCallback<Status>> overdue;
    bool gives_up = false;
    {
      const MutexLock lock(mutex_);
      if (!failing_) {
        LogError("the audit cannot be written; tried again until it can",
                 {{"error", error.message()}, {"note", error.note()}});
      }
      failing_ = true;
      ++failed_commits_;
      const auto now = SteadyClock::now();
      gives_up = stopping_ && now >= stop_deadline_;
      const auto take_overdue = [&](Pending& pending) {
        if (pending.done && (gives_up || pending.deadline <= now)) {
          overdue.push_back(std::move(pending.done));
        }
      };
      std::ranges::for_each(batch, take_overdue);
      std::ranges::for_each(queue_, take_overdue);
      late_ += overdue.size();
      if (gives_up) {
        LogError("audit entries were lost: the server stopped before they could be written",
                 {{"entries", batch.size() + queue_.size()}});
        lost_ += batch.size() + queue_.size();
        told_lost_ = lost_;
        in_progress_ = 0;
        queue_.clear();
      }
    }
    for (OnceCallback<Status>& done : overdue) {
      done(NotRecordedYet());
    }
    if (!gives_up) {
      std::this_thread::sleep_for(BackoffWait(kRetryFirst, Patience(), failures));
    }
    return !gives_up;
  }

  /// The longest pause between two attempts: short enough that nobody waits for long beyond what
  /// they were told.
  std::chrono::milliseconds Patience() const {
    return std::clamp(config_.patience / 4, kRetryFirst, kRetryMax);
  }

  /// Once an hour, in small steps; entries that arrive meanwhile go first.
  void TrimWhatIsOld() {
    const int64_t now_ms = clock_.NowMs();
    if (now_ms >= trimmed_ms_ && now_ms < trimmed_ms_ + kTrimEveryMs) {
      return;
    }
    const int64_t before_ms = now_ms - std::chrono::milliseconds(config_.kept).count();
    const Result<std::vector<std::string>> chains = store_.Chains();
    if (!chains.ok()) {
      LogWarning("the audit was not trimmed", {{"error", chains.error().message()}});
      trimmed_ms_ = now_ms;
      return;
    }
    for (const std::string& chain : *chains) {
      if (!TrimOneChain(chain, before_ms)) {
        return;  // Goes on when the queue is empty again.
      }
    }
    trimmed_ms_ = now_ms;
  }

  /// False when entries wait.
  bool TrimOneChain(const std::string& chain, int64_t before_ms) {
    std::optional<TrimStep> first;
    TrimStep last;
    int64_t removed = 0;
    bool finished = false;
    while (!finished && !HasQueued()) {
      const Result<TrimStep> step = TrimChain(store_, chain, before_ms);
      if (!step.ok()) {
        LogWarning("the audit was not trimmed",
                   {{"chain", chain}, {"error", step.error().message()}});
        break;
      }
      finished = step->count() == 0;
      if (!finished) {
        first = first ? first : *step;
        last = *step;
        removed += step->count();
        if (step->fault) {
          TellFault(*step);
        }
      }
    }
    if (removed > 0) {
      const MutexLock lock(mutex_);
      trimmed_ += static_cast<uint64_t>(removed);
      QueueOrLose(TrimEntry(*first, last, removed));
    }
    return finished || !HasQueued();
  }

  void TellFault(const TrimStep& step) {
    LogError("the audit was damaged", {{"chain", step.chain}, {"fault", *step.fault}});
    const MutexLock lock(mutex_);
    damage_ = chain_.damage() + ++faults_;
    QueueOrLose(FaultEntry(step));
  }

  bool HasQueued() const {
    const MutexLock lock(mutex_);
    return !queue_.empty() || stopping_;
  }

  const AuditConfig config_;
  const Clock& clock_;
  const Sealer sealer_;
  ChainStore store_;
  ChainWriter chain_;       // The thread's alone, once it runs.
  int64_t trimmed_ms_ = 0;  // The same.

  mutable Mutex mutex_;
  CondVar changed_;   // There is something to do.
  CondVar settling_;  // Something has settled.
  std::deque<Pending> queue_ GUARDED_BY(mutex_);
  size_t in_progress_ GUARDED_BY(mutex_) = 0;
  Summaries summaries_ GUARDED_BY(mutex_);
  bool failing_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  SteadyClock::time_point stop_deadline_ GUARDED_BY(mutex_);
  uint64_t settle_wanted_ GUARDED_BY(mutex_) = 0;
  uint64_t settled_ GUARDED_BY(mutex_) = 0;
  std::map<std::string, uint64_t> written_ GUARDED_BY(mutex_);
  std::map<std::string, uint64_t> summarised_ GUARDED_BY(mutex_);
  uint64_t lost_ GUARDED_BY(mutex_) = 0;
  uint64_t told_lost_ GUARDED_BY(mutex_) = 0;
  uint64_t refused_ GUARDED_BY(mutex_) = 0;
  uint64_t late_ GUARDED_BY(mutex_) = 0;
  uint64_t failed_commits_ GUARDED_BY(mutex_) = 0;
  uint64_t trimmed_ GUARDED_BY(mutex_) = 0;
  uint64_t damage_ GUARDED_BY(mutex_) = 0;
  uint64_t faults_ GUARDED_BY(mutex_) = 0;
  int64_t head_sequence_ GUARDED_BY(mutex_) = 0;
  std::thread thread_;
};

Audit::Audit(std::unique_ptr<Writer> writer) : writer_(std::move(writer)) {}

Audit::~Audit() { Stop(); }

Result<std::unique_ptr<Audit>> Audit::Open(AuditConfig config, tables::Database& database,
                                           const Clock& clock) {
  ASSIGN_OR_RETURN(Witness witness, Witness::Open(config.witness_path));
  auto writer = std::make_unique<Writer>(std::move(config), std::move(witness), database, clock);
  RETURN_IF_ERROR(writer->Start());
  return std::unique_ptr<Audit>(new Audit(std::move(writer)));
}

Status Audit::Record(Entry entry) { return writer_->RecordAndWait(std::move(entry)); }

void Audit::RecordThen(Entry entry, OnceCallback<Status> done) {
  writer_->Record(std::move(entry), std::move(done));
}

void Audit::RecordOrQueue(Entry entry) {
  if (CheckReady().ok()) {
    // The entry is queued in any case, and nobody is kept.
    writer_->RecordAndWait(std::move(entry)).PermitUncheckedError();
  } else {
    writer_->Queue(std::move(entry));
  }
}

void Audit::Note(Entry entry) { writer_->Note(std::move(entry)); }

Status Audit::CheckReady() const { return writer_->CheckReady(); }

Status Audit::Settle() { return writer_->Settle(); }

void Audit::Stop() { writer_->Stop(); }

AuditStats Audit::stats() const { return writer_->stats(); }

std::string AuditKey(std::string_view secret) {
  constexpr size_t kKeyBytes = 32;
  return crypto::HkdfSha256(secret, /*salt=*/"", "audit seals", kKeyBytes);
}

}  // namespace tintype::access::audit
