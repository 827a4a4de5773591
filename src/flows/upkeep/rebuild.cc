#include "flows/upkeep/rebuild.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/clock.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "base/ulid.h"
#include "blobs/blob_store.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/item.h"
#include "contexts/common/transaction.h"
#include "flows/config.h"
#include "flows/images/develop.h"
#include "flows/images/stored_sizes.h"
#include "flows/media_keys.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::backlog::Priority;
using contexts::backlog::Work;
using contexts::backlog::WorkStatus;
using contexts::catalog::Image;
using contexts::catalog::ImageVersion;
using contexts::catalog::ProcessingStatus;
using Which = RebuildRequest::Which;

constexpr std::array<std::string_view, 5> kWhichNames = {"all", "user", "images", "missing",
                                                         "failed"};
/// How many images one turn looks at: few enough to be done well within a lease.
constexpr int64_t kSeenPerTurn = 500;
constexpr int64_t kRebuildWaitMs = 1000;

/// The names of the attributes of a key, in the input, where a scan goes on.
constexpr std::string_view kAfterPrefix = "after#";
constexpr std::string_view kNamedImagePrefix = "image#";

/// What the work knows: the choice, and how far it is.
struct State {
  RebuildRequest request;
  RebuildProgress progress;
  std::optional<tables::Item> after;  // The last image that was looked at.
  bool seen_all = false;
};

int64_t NumberOf(const Work& work, const std::string& name) {
  const auto found = work.input.find(name);
  return found == work.input.end() ? 0 : ParseInteger<int64_t>(found->second).value_or(0);
}

std::string TextOf(const Work& work, const std::string& name) {
  const auto found = work.input.find(name);
  return found == work.input.end() ? "" : found->second;
}

State StateOf(const Work& work) {
  State state;
  const auto which = std::ranges::find(kWhichNames, TextOf(work, "which"));
  state.request.which = static_cast<Which>(which - kWhichNames.begin());
  state.request.user_id = TextOf(work, "userId");
  state.progress.total = NumberOf(work, "total");
  state.progress.seen = NumberOf(work, "seen");
  state.progress.queued = NumberOf(work, "queued");
  state.seen_all = !TextOf(work, "seenAll").empty();
  contexts::ItemBuilder after;
  bool has_after = false;
  for (const auto& [name, text] : work.input) {
    if (name.starts_with(kNamedImagePrefix)) {
      state.request.image_ids.push_back(text);
    } else if (name.starts_with(kAfterPrefix)) {
      after.Text(name.substr(kAfterPrefix.size()), text);
      has_after = true;
    }
  }
  if (has_after) {
    state.after = after.Build();
  }
  return state;
}

/// The number as text that sorts as it counts.
std::string Padded(size_t number) {
  const std::string text = StrCat(number);
  return StrCat(std::string(6 - std::min<size_t>(6, text.size()), '0'), text);
}

std::map<std::string, std::string> InputOf(const State& state) {
  std::map<std::string, std::string> input = {
      {"which", std::string(kWhichNames[static_cast<size_t>(state.request.which)])},
      {"total", StrCat(state.progress.total)},
      {"seen", StrCat(state.progress.seen)},
      {"queued", StrCat(state.progress.queued)}};
  if (!state.request.user_id.empty()) {
    input["userId"] = state.request.user_id;
  }
  if (state.seen_all) {
    input["seenAll"] = "yes";
  }
  for (size_t i = 0; i < state.request.image_ids.size(); ++i) {
    input[StrCat(kNamedImagePrefix, Padded(i))] = state.request.image_ids[i];
  }
  if (state.after) {
    const contexts::ItemReader read(*state.after);
    for (const auto& [name, value] : read.view()) {
      input[StrCat(kAfterPrefix, name)] = read.Text(name);
    }
  }
  return input;
}

bool IsSameChoice(const RebuildRequest& a, const RebuildRequest& b) {
  return a.which == b.which && a.user_id == b.user_id && a.image_ids == b.image_ids;
}

/// Whether one of the sizes that can be made again is missing.
Result<bool> Lacks(const RebuildParts& parts, const Image& image, int64_t revision,
                   const std::vector<Size>& sizes) {
  for (const Size size : sizes) {
    if (size == Size::kOriginal) {
      continue;
    }
    ASSIGN_OR_RETURN(const auto info, parts.blobs.Head({parts.config.images_bucket,
                                                        StoredKey(image.id, revision, size)}));
    // No picture has no bytes: a disk that was full or cut off has left it so.
    if (!info || info->bytes == 0) {
      return true;
    }
  }
  return false;
}

Result<bool> LacksRenditions(const RebuildParts& parts, const Image& image) {
  if (image.processing_status != ProcessingStatus::kCompleted) {
    return false;
  }
  ASSIGN_OR_RETURN(bool lacks, Lacks(parts, image, 0, StoredSizes(image)));
  ASSIGN_OR_RETURN(const std::vector<ImageVersion> versions, parts.catalog.ListVersions(image.id));
  for (const ImageVersion& version : versions) {
    // A revert shows the pictures of another.
    if (!lacks && version.completed && !version.reverted_to) {
      ASSIGN_OR_RETURN(lacks, Lacks(parts, image, version.revision, AllSizes()));
    }
  }
  return lacks;
}

Result<bool> IsChosen(const RebuildParts& parts, const RebuildRequest& request,
                      const Image& image) {
  if (request.which == Which::kFailed) {
    return image.processing_status == ProcessingStatus::kFailed;
  }
  if (request.which == Which::kMissing) {
    return LacksRenditions(parts, image);
  }
  if (request.which == Which::kUser && image.user_id != request.user_id) {
    return false;
  }
  ASSIGN_OR_RETURN(const bool being_developed, IsBeingDeveloped(parts, image));
  return !being_developed;
}

/// The images that come next, and whether there are more. Those that are named come by number.
struct NextImages {
  std::vector<Image> images;
  bool more = false;
};

Result<NextImages> ListNext(const RebuildParts& parts, const State& state) {
  NextImages next;
  if (state.request.which != Which::kImages) {
    ASSIGN_OR_RETURN(auto page, parts.catalog.ListAll(state.after));
    next.images = std::move(page.images);
    next.more = page.last_evaluated_key.has_value();
    if (next.images.empty() && next.more) {
      // A page of nothing but versions: its end is no image's.
      State later = state;
      later.after = std::move(page.last_evaluated_key);
      return ListNext(parts, later);
    }
    return next;
  }
  const auto first = static_cast<size_t>(state.progress.seen);
  for (size_t i = first; i < state.request.image_ids.size(); ++i) {
    ASSIGN_OR_RETURN(std::optional<Image> image, parts.catalog.Find(state.request.image_ids[i]));
    Image gone;
    gone.id = state.request.image_ids[i];
    next.images.push_back(image ? *std::move(image) : std::move(gone));
  }
  return next;
}

/// Looks at images until `chosen_max` are chosen or this turn has done its part. Moves the state
/// on.
Result<std::vector<Image>> ChooseNext(const RebuildParts& parts, State& state, int64_t chosen_max) {
  ASSIGN_OR_RETURN(const NextImages next, ListNext(parts, state));
  std::vector<Image> chosen;
  int64_t seen = 0;
  for (const Image& image : next.images) {
    if (seen == kSeenPerTurn || static_cast<int64_t>(chosen.size()) == chosen_max) {
      break;
    }
    ASSIGN_OR_RETURN(const bool is_chosen, IsChosen(parts, state.request, image));
    if (is_chosen) {
      chosen.push_back(image);
    }
    ++seen;
    state.after = contexts::catalog::ImageKey(image.id);
  }
  state.seen_all = !next.more && seen == static_cast<int64_t>(next.images.size());
  state.progress.seen += seen;
  state.progress.queued += static_cast<int64_t>(chosen.size());
  return chosen;
}

/// How many images are queued to be rebuilt and in this state, of those that were queued since
/// then. Nothing else but the rebuild itself has this priority.
Result<int64_t> CountQueued(const RebuildParts& parts, WorkStatus status, int64_t limit,
                            int64_t since_ms) {
  ASSIGN_OR_RETURN(const auto count,
                   parts.backlog.CountIn(status, Priority::kLow, limit, since_ms));
  const auto images = count.by_type.find(kRebuildImageWork);
  return images == count.by_type.end() ? 0 : images->second;
}

/// How many of the images are queued and not done.
Result<int64_t> CountLeft(const RebuildParts& parts, int64_t since_ms) {
  int64_t left = 0;
  for (const WorkStatus status :
       {WorkStatus::kPending, WorkStatus::kDelayed, WorkStatus::kLeased}) {
    ASSIGN_OR_RETURN(const int64_t queued,
                     CountQueued(parts, status, 2 * kRebuildQueuedMax, since_ms));
    left += queued;
  }
  return left;
}

/// Fills in what came of those that were queued. Work of an earlier rebuild was queued before this
/// one began.
Status CountOutcomes(const RebuildParts& parts, RebuildProgress& progress) {
  constexpr int64_t kCountedMax = 10'000;
  ASSIGN_OR_RETURN(progress.left, CountLeft(parts, progress.started_ms));
  ASSIGN_OR_RETURN(progress.failed,
                   CountQueued(parts, WorkStatus::kDead, kCountedMax, progress.started_ms));
  // The two are read one after the other, and what was queued a moment before either.
  progress.failed = std::min(progress.failed, progress.queued);
  progress.left = std::min(progress.left, progress.queued - progress.failed);
  return OkStatus();
}

Result<int64_t> CountImages(const RebuildParts& parts) {
  int64_t count = 0;
  std::optional<tables::Item> after;
  do {
    ASSIGN_OR_RETURN(auto page, parts.catalog.ListAll(after));
    count += static_cast<int64_t>(page.images.size());
    after = std::move(page.last_evaluated_key);
  } while (after);
  return count;
}

/// The choice with each image named once, which exists.
Result<RebuildRequest> Checked(const RebuildParts& parts, RebuildRequest request) {
  std::vector<std::string>& ids = request.image_ids;
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  if (ids.size() > kRebuildNamedMax) {
    return Error::Validation(StrCat("At most ", kRebuildNamedMax, " images can be named at once."));
  }
  if (ids.empty() != (request.which != Which::kImages) ||
      request.user_id.empty() != (request.which != Which::kUser)) {
    return Error::Validation("Say whose images, or name them.");
  }
  for (const std::string& id : ids) {
    ASSIGN_OR_RETURN(const auto image, parts.catalog.Find(id));
    if (!image) {
      return Error::NotFound(StrCat("There is no image ", id, "."));
    }
  }
  return request;
}

}  // namespace

Work RebuildImageWork(const Image& image) {
  Work work;
  work.id = StrCat(kRebuildImageWork, "-", image.id);
  work.type = kRebuildImageWork;
  work.uuid = image.id;
  work.priority = Priority::kLow;
  // There are the upload and no more edits than revisions.
  work.cost_ms = PictureCost(image).count() * (1 + image.revision);
  return work;
}

Result<bool> IsBeingDeveloped(const Uses<BacklogPart>& parts, const Image& image) {
  if (image.processing_status == ProcessingStatus::kCompleted ||
      image.processing_status == ProcessingStatus::kFailed) {
    return false;
  }
  ASSIGN_OR_RETURN(const auto work, parts.backlog.Find(DevelopWork(image, std::nullopt).id));
  return work && work->status != WorkStatus::kDead;
}

Result<RebuildProgress> CountRebuild(const RebuildParts& parts, const RebuildRequest& request,
                                     const std::function<bool(const RebuildProgress&)>& go_on) {
  State state;
  ASSIGN_OR_RETURN(state.request, Checked(parts, request));
  while (!state.seen_all) {
    RETURN_IF_ERROR(ChooseNext(parts, state, kSeenPerTurn));
    if (!go_on(state.progress)) {
      return Error(ErrorKind::kUnavailable, "It was stopped.");
    }
  }
  state.progress.total = state.progress.seen;
  return state.progress;
}

Status StartRebuild(const RebuildParts& parts, const RebuildRequest& request) {
  State state;
  ASSIGN_OR_RETURN(state.request, Checked(parts, request));
  ASSIGN_OR_RETURN(const std::optional<Work> going_on, parts.backlog.Find(kRebuildWork));
  if (going_on && going_on->status != WorkStatus::kDead) {
    return IsSameChoice(StateOf(*going_on).request, state.request)
               ? OkStatus()
               : Status(Error::InUse(
                     StrCat("Another choice of images is being rebuilt. Wait for its end, or give "
                            "it up: tintype work purge ",
                            kRebuildWork, " --yes")));
  }
  state.progress.total = static_cast<int64_t>(state.request.image_ids.size());
  if (request.which != Which::kImages) {
    ASSIGN_OR_RETURN(state.progress.total, CountImages(parts));
  }
  Work work;
  work.id = kRebuildWork;
  work.type = kRebuildWork;
  work.priority = Priority::kLow;
  // It ends in the end: while tables or blobs cannot be reached, it waits.
  work.max_retries = 1'000'000;
  work.input = InputOf(state);
  ASSIGN_OR_RETURN(const std::string run, parts.ids.Next());
  return Transaction(StrCat("start-rebuild ", run))
      .Add(parts.backlog.Enqueue(std::move(work)))
      .Commit(parts.database, parts.retries);
}

Result<std::optional<RebuildProgress>> FindRebuild(const RebuildParts& parts) {
  ASSIGN_OR_RETURN(const std::optional<Work> work, parts.backlog.Find(kRebuildWork));
  if (!work || work->status == WorkStatus::kDead) {
    return std::optional<RebuildProgress>();
  }
  const State state = StateOf(*work);
  RebuildProgress progress = state.progress;
  progress.seen_all = state.seen_all;
  progress.started_ms = work->created_ms;
  RETURN_IF_ERROR(CountOutcomes(parts, progress));
  return std::optional(progress);
}

Result<RebuildOutcome> FindRebuildOutcome(const RebuildParts& parts, const RebuildProgress& last) {
  RebuildOutcome outcome{last};
  RETURN_IF_ERROR(CountOutcomes(parts, outcome.progress));
  // It ends by itself when it has seen all, which it tells a second before, and none is left.
  outcome.complete = last.seen_all && outcome.progress.left == 0;
  return outcome;
}

Status ContinueRebuild(const RebuildParts& parts, const Work& work) {
  ASSIGN_OR_RETURN(const int64_t left, CountLeft(parts, 0));
  State state = StateOf(work);
  Work later = work;
  Transaction turn(StrCat(kRebuildWork, " ", work.token));
  const int64_t now_ms = parts.clock.NowMs();
  if (state.seen_all && left == 0) {
    turn.Add(parts.backlog.Complete(work));
  } else if (state.seen_all || left >= kRebuildQueuedMax) {
    turn.Add(parts.backlog.Continue(later, now_ms + kRebuildWaitMs));
  } else {
    ASSIGN_OR_RETURN(const std::vector<Image> chosen,
                     ChooseNext(parts, state, kRebuildQueuedMax - left));
    later.input = InputOf(state);
    // Those who wait for the end see the last numbers for a moment.
    turn.Add(parts.backlog.Continue(later, state.seen_all ? now_ms + kRebuildWaitMs : now_ms));
    for (const Image& image : chosen) {
      turn.Add(parts.backlog.Enqueue(RebuildImageWork(image)));
    }
  }
  return turn.Commit(parts.database, parts.retries);
}

}  // namespace tintype::flows
