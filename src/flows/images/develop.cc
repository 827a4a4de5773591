#include "flows/images/develop.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "blobs/blob_store.h"
#include "contexts/analysis/analysis.h"
#include "contexts/analysis/kind_specs.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/media_type.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/intake/intake.h"
#include "flows/analysis/analyse.h"
#include "flows/config.h"
#include "flows/images/proxy.h"
#include "flows/uploads/storage_quota.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::analysis::KindResult;
using contexts::analysis::MediaStatus;
using contexts::backlog::Work;
using contexts::catalog::Catalog;
using contexts::catalog::Image;
using contexts::intake::Intake;
using contexts::people::People;

constexpr int64_t kAllProgress = 100;
constexpr int64_t kHalfProgress = 50;   // The original is safe, and nothing else.
constexpr int64_t kShownProgress = 75;  // It can be looked at, and is to be made ready for playing.

/// The image and its owner.
struct ImageAndOwner {
  Image image;
  Account account;
};

Result<ImageAndOwner> FindImageAndOwner(const DevelopmentParts& parts, const Work& work) {
  ASSIGN_OR_RETURN(std::optional<Image> image, parts.catalog.Find(work.uuid));
  if (!image) {
    return Error::NotFound("The image was deleted.");
  }
  ASSIGN_OR_RETURN(std::optional<Account> account, parts.accounts.Find(image->user_id));
  if (!account) {
    return Error::NotFound("The account was deleted.");
  }
  return ImageAndOwner{*std::move(image), *std::move(account)};
}

contexts::analysis::Analysis AnalysisOf(const DevelopmentParts& parts, const Image& image,
                                        std::vector<KindResult> kinds, std::string_view started_at,
                                        int64_t now_ms) {
  contexts::analysis::Analysis analysis;
  analysis.uuid = image.id;
  analysis.timestamp_ms = now_ms;
  analysis.type = contexts::MediaTypeOf(image.mime_type);
  analysis.start_time = started_at;
  analysis.end_time = TimeText(now_ms);
  analysis.execution_arn = StrCat("arn:aws:states:", parts.config.region,
                                  ":000000000000:execution:analysis-main:", image.id);
  analysis.kinds = std::move(kinds);
  return analysis;
}

/// What all records say of an image that could not be developed.
contexts::Pieces FailurePieces(const DevelopmentParts& parts, const Image& image,
                               std::string_view error, std::string_view started_at) {
  const int64_t now_ms = parts.clock.NowMs();
  const std::string now = TimeText(now_ms);
  std::vector<KindResult> kinds =
      contexts::analysis::PlanKinds(contexts::MediaTypeOf(image.mime_type), {},
                                    [](const auto& /*kind*/) { return std::nullopt; });
  for (KindResult& kind : kinds) {
    if (kind.status == MediaStatus::kNotStarted) {
      kind.status = MediaStatus::kError;
      kind.start_time = started_at;
      kind.end_time = now;
      kind.reason = error;
    }
  }
  return {
      Catalog::FailProcessing(image.id, error, now),
      parts.analysis.SetIngestStatus(image.id, MediaStatus::kError, kHalfProgress),
      parts.analysis.PutAnalysis(AnalysisOf(parts, image, std::move(kinds), started_at, now_ms))};
}

bool HasEnded(const KindResult& kind) {
  return kind.status == MediaStatus::kCompleted || kind.status == MediaStatus::kError;
}

/// Whether there is nothing in a record but that the medium could not be developed.
bool HasFailed(const std::vector<KindResult>& kinds) {
  return std::ranges::all_of(kinds, [](const KindResult& kind) {
    return kind.status == MediaStatus::kError || kind.status == MediaStatus::kSkipped;
  });
}

/// The analysis record of an image that is developed: a new one, whose kinds are then done one by
/// one; or that of an image which was developed before, with what has ended just now.
Result<contexts::Pieces> AnalysisPieces(const DevelopmentParts& parts, const Image& image,
                                        const std::vector<KindResult>& kinds,
                                        std::string_view started_at, const Work& work) {
  const int64_t now_ms = parts.clock.NowMs();
  ASSIGN_OR_RETURN(std::optional<contexts::analysis::KindsView> seen,
                   parts.analysis.FindKinds(image.id));
  const auto ended = std::ranges::find_if(kinds, HasEnded);
  if (seen && ended == kinds.end() && !HasFailed(seen->kinds)) {
    return contexts::Pieces{};
  }
  if (seen && ended != kinds.end()) {
    const auto before = std::ranges::find(seen->kinds, ended->path, &KindResult::path);
    if (before != seen->kinds.end() && before->status == MediaStatus::kCompleted) {
      return contexts::Pieces{
          parts.analysis.SetKinds(image.id, *std::move(seen), {*ended}, TimeText(now_ms))};
    }
  }
  contexts::Pieces pieces = {
      parts.analysis.PutAnalysis(AnalysisOf(parts, image, kinds, started_at, now_ms))};
  if (std::ranges::any_of(
          kinds, [](const KindResult& kind) { return kind.status == MediaStatus::kNotStarted; })) {
    pieces.push_back(parts.backlog.Enqueue(AnalyseWork(image, work.correlation_id)));
  }
  return pieces;
}

Status FinishOnce(const DevelopmentParts& parts, const Work& work, const DevelopResult& result,
                  std::string_view started_at) {
  ASSIGN_OR_RETURN(const ImageAndOwner found, FindImageAndOwner(parts, work));
  const std::string& id = found.image.id;
  const std::string now = TimeText(parts.clock.NowMs());
  std::vector<std::string> sizes;
  sizes.reserve(result.sizes.size());
  for (const Size size : result.sizes) {
    sizes.emplace_back(NameOf(size));
  }
  ASSIGN_OR_RETURN(contexts::Pieces analysis,
                   AnalysisPieces(parts, found.image, result.kinds, started_at, work));
  Transaction finish(StrCat("develop ", id));
  finish.Add(Catalog::FinishProcessing(id, result.development, now))
      .Add(Intake::SetSizes(found.account.username, id, sizes))
      .Add(parts.analysis.SetMediaDetails(
          id, result.details,
          result.needs_proxy ? MediaStatus::kInProgress : MediaStatus::kCompleted,
          result.needs_proxy ? kShownProgress : kAllProgress))
      .Add(std::move(analysis))
      .Add(parts.backlog.Complete(work));
  if (result.development.width > 0) {
    finish.Add(People::SetVariants(id, found.account.email,
                                   {SparksLargeKey(id), SparksMediumKey(id), now}));
  }
  if (result.needs_proxy) {
    finish.Add(parts.backlog.Enqueue(
        parts.backlog.InTurn(ProxyWork(found.image, work.correlation_id), found.account.id,
                             ProxyCost(result.development.media.duration.value_or(0)))));
  }
  const int64_t bytes = found.image.file_size + result.made_bytes;
  if (result.seen_charge) {
    return finish
        .Add(contexts::intake::Quotas::Charge(found.account.id, id, *result.seen_charge, bytes))
        .Commit(parts.database, parts.retries);
  }
  return CommitCharging(
      parts, found.account.id, id, [&](const auto& /*before*/) { return bytes; },
      [&](const contexts::Pieces& charge) {
        Transaction whole = finish;
        return whole.Add(charge).Commit(parts.database, parts.retries);
      });
}

}  // namespace

std::vector<Size> AllSizes() {
  std::vector<Size> sizes;
  sizes.reserve(kSizes.size());
  for (const SizeSpec& spec : kSizes) {
    sizes.push_back(spec.size);
  }
  return sizes;
}

Work DevelopWork(const Image& image, const std::optional<std::string>& correlation_id) {
  Work work;
  work.id = StrCat(kDevelopWork, "-", image.id);
  work.type = kDevelopWork;
  work.uuid = image.id;
  work.correlation_id = correlation_id;
  return work;
}

std::chrono::milliseconds DevelopCost(int64_t bytes) {
  // A photo of 12 megapixels and 4 MB takes a third of a second, four times that on a busy machine.
  constexpr int64_t kBytesPerMs = 4'000;
  return std::chrono::milliseconds(400 + bytes / kBytesPerMs);
}

std::chrono::milliseconds PictureCost(const Image& image) {
  // Of 12 megapixels two thirds of a second, four times that on a busy machine.
  constexpr int64_t kPixelsPerMs = 5'000;
  int64_t pixels = image.width * image.height;
  if (image.original) {
    // A rebuild makes the renditions of both.
    pixels = std::max(pixels, image.original->width * image.original->height);
  }
  return std::chrono::milliseconds(400 + pixels / kPixelsPerMs);
}

Status PlaceOriginal(const DevelopmentParts& parts, std::string_view id) {
  return parts.blobs.Move({parts.config.uploads_bucket, UploadKey(id)},
                          {parts.config.images_bucket, StoredKey(id, 0, Size::kOriginal)});
}

Result<std::string> KeepOriginal(const DevelopmentParts& parts, const Work& work) {
  ASSIGN_OR_RETURN(const ImageAndOwner found, FindImageAndOwner(parts, work));
  const std::string& id = found.image.id;
  const std::string key = StoredKey(id, 0, Size::kOriginal);
  const std::string& bucket = parts.config.images_bucket;
  RETURN_IF_ERROR(PlaceOriginal(parts, id));
  const std::string now = TimeText(parts.clock.NowMs());
  RETURN_IF_ERROR(
      Transaction(StrCat("keep-original ", id))
          .Add(parts.backlog.Fence(work))
          .Add(Intake::SetSizes(found.account.username, id, {std::string(NameOf(Size::kOriginal))}))
          .Add(Catalog::StartProcessing(id, now))
          .Add(parts.analysis.MoveIngest(id, bucket, key))
          .Commit(parts.database, parts.retries));
  return found.account.id;
}

Status FinishDevelopment(const DevelopmentParts& parts, const Work& work,
                         const DevelopResult& result, std::string_view started_at) {
  // Kinds of an earlier development may end meanwhile, a few at a time.
  constexpr int kAttempts = 20;
  Status finished = OkStatus();
  for (int i = 0; i < kAttempts; ++i) {
    finished = FinishOnce(parts, work, result, started_at);
    if (finished.ok() || !finished.error().Is(contexts::analysis::kRecordChanged)) {
      break;
    }
  }
  return finished;
}

Status FailDevelopment(const DevelopmentParts& parts, const Work& work, std::string_view error,
                       std::string_view started_at) {
  ASSIGN_OR_RETURN(const ImageAndOwner found, FindImageAndOwner(parts, work));
  return Transaction(StrCat("fail-development ", found.image.id))
      .Add(FailurePieces(parts, found.image, error, started_at))
      .Add(parts.backlog.Complete(work))
      .Commit(parts.database, parts.retries);
}

contexts::Pieces FailDeadDevelopment(const DevelopmentParts& parts, const Work& work,
                                     std::string_view error) {
  const Result<std::optional<Image>> image = parts.catalog.Find(work.uuid);
  // Of an image that is gone there is nothing to say.
  if (!image.ok() || !*image) {
    return {};
  }
  return FailurePieces(parts, **image, error, TimeText(parts.clock.NowMs()));
}

}  // namespace tintype::flows
