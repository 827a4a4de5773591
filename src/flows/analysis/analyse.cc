#include "flows/analysis/analyse.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/analysis/kind_specs.h"
#include "contexts/backlog/backlog.h"
#include "contexts/common/transaction.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::analysis::KindResult;
using contexts::analysis::KindsView;
using contexts::analysis::MediaStatus;
using contexts::backlog::Priority;
using contexts::backlog::Work;
using contexts::catalog::Image;

constexpr std::string_view kKind = "kind";

/// The record of a medium and the kind in it that work is about.
struct Found {
  KindsView record;
  KindResult kind;
};

Result<Found> FindKind(const AnalyseParts& parts, const Work& work) {
  ASSIGN_OR_RETURN(std::optional<KindsView> record, parts.analysis.FindKinds(work.uuid));
  const std::string name = KindNameOf(work);
  if (record) {
    for (const KindResult& kind : record->kinds) {
      if (NameOf(kind) == name) {
        Found found{std::move(*record), kind};
        return found;
      }
    }
  }
  return Error::NotFound("There is no such kind in an analysis record.");
}

/// What a kind's end changes: itself, and the kinds that read its result.
struct KindChange {
  std::vector<KindResult> kinds;
  contexts::Pieces pieces;  // Queue the latter.
};

std::string AnalyseWorkId(std::string_view id) { return StrCat(kAnalyseWork, "-", id); }

/// Work for one kind of the medium that `work` is about.
Work KindWork(const Work& work, std::string kind) {
  Work one;
  one.id = StrCat(AnalyseWorkId(work.uuid), "-", kind);
  one.type = kAnalyseKindWork;
  one.uuid = work.uuid;
  one.input = {{std::string(kKind), std::move(kind)}};
  one.priority = Priority::kAnalysis;
  one.correlation_id = work.correlation_id;
  return one;
}

/// With one that has ended, those that may begin now. They take no turn of their own: they are
/// little, and the turn of what they read has come.
KindChange WithReaders(const AnalyseParts& parts, const Work& work, const KindsView& record,
                       KindResult ended) {
  const bool has_result = ended.status == MediaStatus::kCompleted;
  KindChange change;
  for (const KindResult& reader : contexts::analysis::ReadersOf(NameOf(ended), record.kinds)) {
    const bool is_new = reader.status == MediaStatus::kNotStarted;
    if (reader.status == MediaStatus::kSkipped || (!is_new && !has_result)) {
      continue;
    }
    if (!is_new) {
      KindResult again;
      again.path = reader.path;
      change.kinds.push_back(std::move(again));
    }
    Work next = KindWork(work, NameOf(reader));
    next.account_id = work.account_id;
    change.pieces.push_back(parts.backlog.Enqueue(std::move(next)));
  }
  change.kinds.push_back(std::move(ended));
  return change;
}

/// Changes the kind of `work`, together with a piece that says that the lease is still held. Others
/// may write their parts meanwhile.
template <typename Change>
Status ChangeKind(const AnalyseParts& parts, const Work& work, const contexts::Piece& held,
                  const Change& change) {
  // As many as there are workers for one medium, each of which writes twice, and then some.
  constexpr int kAttempts = 50;
  Status changed = OkStatus();
  for (int i = 0; i < kAttempts; ++i) {
    ASSIGN_OR_RETURN(Found found, FindKind(parts, work));
    const std::string now = TimeText(parts.clock.NowMs());
    KindChange now_true = change(found, now);
    changed =
        Transaction(StrCat("analyse ", work.id, " ", work.token, " ", found.record.rev))
            .Add(parts.analysis.SetKinds(work.uuid, std::move(found.record), now_true.kinds, now))
            .Add(held)
            .Add(std::move(now_true.pieces))
            .Commit(parts.database, parts.retries);
    if (changed.ok() || !changed.error().Is(contexts::analysis::kRecordChanged)) {
      return changed;
    }
  }
  return changed;
}

KindResult Failed(const KindResult& before, std::string_view error, std::string_view now) {
  KindResult kind;
  kind.path = before.path;
  kind.status = MediaStatus::kError;
  kind.job_id = before.job_id;
  kind.start_time = before.start_time;
  kind.end_time = now;
  kind.reason = error;
  return kind;
}

}  // namespace

Work AnalyseWork(const Image& image, const std::optional<std::string>& correlation_id) {
  Work work;
  work.id = AnalyseWorkId(image.id);
  work.type = kAnalyseWork;
  work.uuid = image.id;
  work.priority = Priority::kAnalysis;
  work.correlation_id = correlation_id;
  return work;
}

Status QueueKinds(const AnalyseParts& parts, const Work& work, const Image& image,
                  const std::vector<KindToDo>& kinds) {
  Transaction queue(StrCat(work.id, " ", work.token));
  queue.Add(parts.backlog.Complete(work));
  for (const KindToDo& kind : kinds) {
    queue.Add(parts.backlog.Enqueue(
        parts.backlog.InTurn(KindWork(work, kind.name), image.user_id, kind.cost)));
  }
  return queue.Commit(parts.database, parts.retries);
}

std::string KindNameOf(const Work& work) {
  const auto kind = work.input.find(std::string(kKind));
  return kind == work.input.end() ? "" : kind->second;
}

Status BeginKind(const AnalyseParts& parts, const Work& work) {
  return ChangeKind(parts, work, parts.backlog.Fence(work),
                    [&](const Found& found, const std::string& now) {
                      KindResult kind;
                      kind.path = found.kind.path;
                      kind.status = MediaStatus::kInProgress;
                      kind.job_id = work.id;
                      kind.start_time = now;
                      return KindChange{{std::move(kind)}, {}};
                    });
}

Status EndKind(const AnalyseParts& parts, const Work& work, KindResult result) {
  return ChangeKind(parts, work, parts.backlog.Complete(work),
                    [&](const Found& found, const std::string& now) {
                      KindResult kind = result;
                      kind.path = found.kind.path;
                      kind.job_id = found.kind.job_id;
                      kind.start_time = found.kind.start_time;
                      kind.end_time = now;
                      return WithReaders(parts, work, found.record, std::move(kind));
                    });
}

contexts::Pieces FailDeadKind(const AnalyseParts& parts, const Work& work, std::string_view error) {
  Result<Found> found = FindKind(parts, work);
  // Of a record that is gone there is nothing to say.
  if (!found.ok()) {
    return {};
  }
  const std::string now = TimeText(parts.clock.NowMs());
  KindChange change = WithReaders(parts, work, found->record, Failed(found->kind, error, now));
  change.pieces.push_back(
      parts.analysis.SetKinds(work.uuid, std::move(found->record), change.kinds, now));
  return std::move(change.pieces);
}

Status ForgetAnalysis(const AnalyseParts& parts, const Work& work) {
  return Transaction(StrCat("forget ", work.id, " ", work.token))
      .Add(parts.backlog.Complete(work))
      .Commit(parts.database, parts.retries);
}

}  // namespace tintype::flows
