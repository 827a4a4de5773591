#include "flows/analysis/analyse.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/strings.h"
#include "base/time_text.h"
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
    KindResult kind = change(found.kind, now);
    changed = Transaction(StrCat("analyse ", work.id, " ", work.token, " ", found.record.rev))
                  .Add(parts.analysis.SetKinds(work.uuid, std::move(found.record), {kind}, now))
                  .Add(held)
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
  work.id = StrCat(kAnalyseWork, "-", image.id);
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
    Work one;
    one.id = StrCat(work.id, "-", kind.name);
    one.type = kAnalyseKindWork;
    one.uuid = work.uuid;
    one.input = {{std::string(kKind), kind.name}};
    one.priority = Priority::kAnalysis;
    one.correlation_id = work.correlation_id;
    queue.Add(
        parts.backlog.Enqueue(parts.backlog.InTurn(std::move(one), image.user_id, kind.cost)));
  }
  return queue.Commit(parts.database, parts.retries);
}

std::string KindNameOf(const Work& work) {
  const auto kind = work.input.find(std::string(kKind));
  return kind == work.input.end() ? "" : kind->second;
}

Status BeginKind(const AnalyseParts& parts, const Work& work) {
  return ChangeKind(parts, work, parts.backlog.Fence(work),
                    [&](const KindResult& before, const std::string& now) {
                      KindResult kind;
                      kind.path = before.path;
                      kind.status = MediaStatus::kInProgress;
                      kind.job_id = work.id;
                      kind.start_time = now;
                      return kind;
                    });
}

Status EndKind(const AnalyseParts& parts, const Work& work, KindResult result) {
  return ChangeKind(parts, work, parts.backlog.Complete(work),
                    [&](const KindResult& before, const std::string& now) {
                      KindResult kind = result;
                      kind.path = before.path;
                      kind.job_id = before.job_id;
                      kind.start_time = before.start_time;
                      kind.end_time = now;
                      return kind;
                    });
}

contexts::Pieces FailDeadKind(const AnalyseParts& parts, const Work& work, std::string_view error) {
  Result<Found> found = FindKind(parts, work);
  // Of a record that is gone there is nothing to say.
  if (!found.ok()) {
    return {};
  }
  const std::string now = TimeText(parts.clock.NowMs());
  const KindResult kind = Failed(found->kind, error, now);
  return {parts.analysis.SetKinds(work.uuid, std::move(found->record), {kind}, now)};
}

Status ForgetAnalysis(const AnalyseParts& parts, const Work& work) {
  return Transaction(StrCat("forget ", work.id, " ", work.token))
      .Add(parts.backlog.Complete(work))
      .Commit(parts.database, parts.retries);
}

}  // namespace tintype::flows
