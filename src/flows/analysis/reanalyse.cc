#include "flows/analysis/reanalyse.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/numbers.h"
#include "base/random.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/analysis/analysis.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/item.h"
#include "contexts/common/transaction.h"
#include "flows/analysis/analyse.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::analysis::KindResult;
using contexts::analysis::KindsView;
using contexts::analysis::MediaStatus;
using contexts::backlog::Priority;
using contexts::backlog::Work;
using contexts::backlog::WorkStatus;
using contexts::catalog::Image;
using contexts::catalog::ProcessingStatus;

/// How many images one turn looks at: few enough to be done well within a lease.
constexpr int64_t kImagesPerTurn = 100;
/// How much analysis may wait before the next images are looked at, so that the backlog does not
/// hold a whole library.
constexpr int64_t kWaitingMax = 256;
constexpr int64_t kReanalyseWaitMs = 1'000;
/// For how long the work says that it has ended before it goes.
constexpr int64_t kEndedShownMs = 5'000;

// What the work knows: the request, the key behind which it goes on, and its counts.
constexpr const char* kKindsInput = "kinds";  // With commas.
constexpr const char* kAgainInput = "again";
constexpr const char* kImageInput = "image";
constexpr const char* kAfterPartitionInput = "PK";
constexpr const char* kAfterSortInput = "SK";
constexpr const char* kSeenImagesInput = "seen";
constexpr const char* kQueuedImagesInput = "queued";
constexpr const char* kEndedInput = "ended";

std::string ReanalyseText(const Work& work, const char* name) {
  const auto found = work.input.find(name);
  return found == work.input.end() ? "" : found->second;
}

int64_t ReanalyseNumber(const Work& work, const char* name) {
  return ParseInteger<int64_t>(ReanalyseText(work, name)).value_or(0);
}

ReanalyseRequest RequestOf(const Work& work) {
  ReanalyseRequest request;
  const std::string kinds = ReanalyseText(work, kKindsInput);
  for (size_t begin = 0; begin < kinds.size();) {
    const size_t end = std::min(kinds.find(',', begin), kinds.size());
    request.kinds.push_back(kinds.substr(begin, end - begin));
    begin = end + 1;
  }
  request.again = !ReanalyseText(work, kAgainInput).empty();
  request.image_id = ReanalyseText(work, kImageInput);
  return request;
}

Work ReanalyseWorkOf(const ReanalyseRequest& request) {
  Work work;
  work.id = kReanalyseWork;
  work.type = kReanalyseWork;
  work.priority = Priority::kLow;
  // It ends in the end: while the tables cannot be reached, it waits.
  work.max_retries = 1'000'000;
  if (!request.kinds.empty()) {
    work.input[kKindsInput] = StrJoin(request.kinds, ",");
  }
  if (request.again) {
    work.input[kAgainInput] = "yes";
  }
  if (!request.image_id.empty()) {
    work.input[kImageInput] = request.image_id;
  }
  return work;
}

ReanalyseProgress ProgressOf(const Work& work) {
  return {ReanalyseNumber(work, kSeenImagesInput), ReanalyseNumber(work, kQueuedImagesInput),
          !ReanalyseText(work, kEndedInput).empty()};
}

/// What changes of a kind: nothing when it stays as it is.
std::optional<KindResult> ChangeOf(const ReanalyseRequest& request, const KindsView& record,
                                   const KindResult& planned) {
  const std::string name = NameOf(planned);
  const bool is_chosen =
      name != contexts::analysis::kImageProperties &&
      (request.kinds.empty() || std::ranges::find(request.kinds, name) != request.kinds.end());
  if (!is_chosen) {
    return std::nullopt;
  }
  const auto before = std::ranges::find(record.kinds, planned.path, &KindResult::path);
  if (before == record.kinds.end()) {
    return planned;
  }
  const bool is_done = before->status == MediaStatus::kCompleted;
  if (planned.status == MediaStatus::kSkipped) {
    // Nothing is taken away; but why it is skipped may be another reason by now.
    return before->status == MediaStatus::kSkipped && before->reason != planned.reason
               ? std::optional(planned)
               : std::nullopt;
  }
  return is_done && !request.again ? std::nullopt : std::optional(planned);
}

/// Marks the kinds of an image that are to be done, and queues them. The result says whether there
/// were any.
Result<bool> QueueImage(const ReanalyseParts& parts, const ReanalyseRequest& request,
                        const contexts::analysis::WhyUnavailable& unavailable, const Image& image) {
  constexpr int kAttempts = 20;
  Status queued = OkStatus();
  for (int i = 0; i < kAttempts; ++i) {
    ASSIGN_OR_RETURN(std::optional<KindsView> record, parts.analysis.FindKinds(image.id));
    const auto wanted = parts.analysis.FindWanted(image.id);
    if (!record || (!wanted.ok() && wanted.error().kind() == ErrorKind::kNotFound)) {
      return false;  // It is being deleted, or a scrub has something to say of it.
    }
    if (!wanted.ok()) {
      return wanted.error();
    }
    std::vector<KindResult> changes;
    for (const KindResult& planned :
         contexts::analysis::PlanKinds(wanted->type, wanted->options, unavailable)) {
      if (std::optional<KindResult> change = ChangeOf(request, *record, planned)) {
        changes.push_back(*std::move(change));
      }
    }
    if (changes.empty()) {
      return false;
    }
    const bool has_work = std::ranges::any_of(
        changes, [](const KindResult& kind) { return kind.status == MediaStatus::kNotStarted; });
    Transaction mark(StrCat("reanalyse ", image.id, " ", RandomUuid()));
    mark.Add(parts.analysis.SetKinds(image.id, *std::move(record), changes,
                                     TimeText(parts.clock.NowMs())));
    if (has_work) {
      mark.Add(parts.backlog.Enqueue(AnalyseWork(image, std::nullopt)));
    }
    queued = mark.Commit(parts.database, parts.retries);
    if (queued.ok()) {
      return has_work;
    }
    if (!queued.error().Is(contexts::analysis::kRecordChanged)) {
      return queued.error();
    }
  }
  return queued.error();
}

/// The images that come next, and the key behind which it goes on; no key behind the last ones.
struct NextOnes {
  std::vector<Image> images;
  std::optional<tables::Item> after;
};

Result<NextOnes> ListNextOnes(const ReanalyseParts& parts, const Work& work) {
  NextOnes next;
  const std::string only = ReanalyseText(work, kImageInput);
  if (!only.empty()) {
    ASSIGN_OR_RETURN(std::optional<Image> image, parts.catalog.Find(only));
    if (image) {
      next.images.push_back(*std::move(image));
    }
    return next;
  }
  std::optional<tables::Item> after;
  if (const std::string partition = ReanalyseText(work, kAfterPartitionInput); !partition.empty()) {
    after = contexts::ItemBuilder()
                .Text("PK", partition)
                .Text("SK", ReanalyseText(work, kAfterSortInput))
                .Build();
  }
  ASSIGN_OR_RETURN(auto page, parts.catalog.ListAll(after, kImagesPerTurn));
  next.images = std::move(page.images);
  next.after = std::move(page.last_evaluated_key);
  return next;
}

/// Looks at the next images, and moves the work on.
Status LookAtNext(const ReanalyseParts& parts,
                  const contexts::analysis::WhyUnavailable& unavailable, Work& work) {
  const ReanalyseRequest request = RequestOf(work);
  ReanalyseProgress progress = ProgressOf(work);
  ASSIGN_OR_RETURN(const NextOnes next, ListNextOnes(parts, work));
  for (const Image& image : next.images) {
    ++progress.seen;
    // Others are analysed once they are developed.
    if (image.processing_status == ProcessingStatus::kCompleted) {
      ASSIGN_OR_RETURN(const bool has_work, QueueImage(parts, request, unavailable, image));
      progress.queued += has_work ? 1 : 0;
    }
  }
  work.input[kSeenImagesInput] = StrCat(progress.seen);
  work.input[kQueuedImagesInput] = StrCat(progress.queued);
  if (next.after) {
    const contexts::ItemReader read(*next.after);
    work.input[kAfterPartitionInput] = read.Text("PK");
    work.input[kAfterSortInput] = read.Text("SK");
  } else {
    work.input[kEndedInput] = "yes";
  }
  return OkStatus();
}

Status CheckRequest(const ReanalyseParts& parts, const ReanalyseRequest& request) {
  std::vector<std::string> names;
  for (const contexts::analysis::KindSpec& spec : contexts::analysis::KindSpecs()) {
    KindResult kind;
    kind.path = spec.path;
    if (NameOf(kind) != contexts::analysis::kImageProperties) {
      names.push_back(NameOf(kind));
    }
  }
  for (const std::string& kind : request.kinds) {
    if (std::ranges::find(names, kind) == names.end()) {
      return Error::Validation(StrCat("There is no kind of analysis '", kind, "': name some of ",
                                      StrJoin(names, ", "), "."));
    }
  }
  if (!request.image_id.empty()) {
    ASSIGN_OR_RETURN(const std::optional<Image> image, parts.catalog.Find(request.image_id));
    if (!image) {
      return Error::NotFound(StrCat("There is no image ", request.image_id, "."));
    }
  }
  return OkStatus();
}

}  // namespace

Status StartReanalysis(const ReanalyseParts& parts, const ReanalyseRequest& request) {
  RETURN_IF_ERROR(CheckRequest(parts, request));
  ASSIGN_OR_RETURN(const std::optional<Work> going_on, parts.backlog.Find(kReanalyseWork));
  if (going_on && going_on->status != WorkStatus::kDead && !ProgressOf(*going_on).ended) {
    return RequestOf(*going_on) == request
               ? OkStatus()
               : Status(Error::InUse("Another choice of media is being analysed again just now. "
                                     "Wait for its end."));
  }
  return Transaction(StrCat("start-reanalysis ", RandomUuid()))
      .Add(parts.backlog.Enqueue(ReanalyseWorkOf(request)))
      .Commit(parts.database, parts.retries);
}

Result<std::optional<ReanalyseProgress>> FindReanalysis(const ReanalyseParts& parts) {
  ASSIGN_OR_RETURN(const std::optional<Work> work, parts.backlog.Find(kReanalyseWork));
  if (!work || work->status == WorkStatus::kDead) {
    return std::optional<ReanalyseProgress>();
  }
  return std::optional(ProgressOf(*work));
}

Status ContinueReanalysis(const ReanalyseParts& parts,
                          const contexts::analysis::WhyUnavailable& unavailable, const Work& work) {
  Transaction turn(StrCat(kReanalyseWork, " ", work.token));
  if (ProgressOf(work).ended) {
    return turn.Add(parts.backlog.Complete(work)).Commit(parts.database, parts.retries);
  }
  const int64_t now_ms = parts.clock.NowMs();
  ASSIGN_OR_RETURN(const auto waiting,
                   parts.backlog.CountIn(WorkStatus::kPending, Priority::kAnalysis, kWaitingMax));
  if (waiting.total() >= kWaitingMax) {
    return turn.Add(parts.backlog.Continue(work, now_ms + kReanalyseWaitMs))
        .Commit(parts.database, parts.retries);
  }
  Work later = work;
  RETURN_IF_ERROR(LookAtNext(parts, unavailable, later));
  const bool ended = ProgressOf(later).ended;
  return turn.Add(parts.backlog.Continue(later, now_ms + (ended ? kEndedShownMs : 0)))
      .Commit(parts.database, parts.retries);
}

}  // namespace tintype::flows
