#include "flows/images/proxy.h"

#include "base/clock.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/analysis/analysis.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "flows/config.h"
#include "flows/uploads/storage_quota.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::analysis::MediaStatus;
using contexts::backlog::Work;
using contexts::catalog::Catalog;
using contexts::catalog::Image;
using contexts::catalog::Playback;
using contexts::catalog::ProcessingWarning;

constexpr int64_t kPlayableProgress = 100;
constexpr int64_t kUnplayableProgress = 75;
/// A video that cannot be made ready for playing will not be the fourth time either, and each
/// attempt may take an hour.
constexpr int64_t kProxyRetriesMax = 3;
/// The code of the warning of an image that has no copy to play.
constexpr std::string_view kUnplayable = "unplayable";

}  // namespace

Work ProxyWork(const Image& image, const std::optional<std::string>& correlation_id) {
  Work work;
  work.id = StrCat(kProxyWork, "-", image.id);
  work.type = kProxyWork;
  work.uuid = image.id;
  work.correlation_id = correlation_id;
  work.max_retries = kProxyRetriesMax;
  return work;
}

std::chrono::milliseconds ProxyCost(double seconds) {
  // A second of 1080p takes three quarters of a second, four times that on a busy machine.
  return std::chrono::milliseconds(2'000 + static_cast<int64_t>(seconds * 3'000));
}

Status FinishProxy(const ProxyParts& parts, const Work& work, int64_t bytes) {
  ASSIGN_OR_RETURN(const std::optional<Image> image, parts.catalog.Find(work.uuid));
  if (!image) {
    return Error::NotFound("The image was deleted.");
  }
  const std::string now = TimeText(parts.clock.NowMs());
  // An earlier attempt may have failed; what else is wrong with the file still is.
  std::optional<ProcessingWarning> warning = image->processing_warning;
  if (warning && warning->code == kUnplayable) {
    warning.reset();
  }
  Transaction finish(StrCat("proxy ", image->id, " ", work.token));
  finish.Add(Catalog::SetPlayback(image->id, Playback::kProxy, warning, now))
      .Add(parts.analysis.SetIngestStatus(image->id, MediaStatus::kCompleted, kPlayableProgress))
      .Add(parts.backlog.Complete(work));
  return CommitCharging(
      parts, image->user_id, image->id,
      [&](const auto& before) { return before.value_or(image->file_size) + bytes; },
      [&](const contexts::Pieces& charge) {
        Transaction whole = finish;
        return whole.Add(charge).Commit(parts.database, parts.retries);
      });
}

contexts::Pieces FailProxy(const ProxyParts& parts, const Work& work, std::string_view error) {
  const Result<std::optional<Image>> image = parts.catalog.Find(work.uuid);
  // Of an image that is gone there is nothing to say.
  if (!image.ok() || !*image) {
    return {};
  }
  // Messages of helpers end without a period, those of the product with one.
  if (error.ends_with('.')) {
    error.remove_suffix(1);
  }
  const ProcessingWarning warning{std::string(kUnplayable),
                                  StrCat("This file cannot be made ready for playing: ", error,
                                         ". The original is kept and can be downloaded."),
                                  std::nullopt};
  return {Catalog::SetPlayback(work.uuid, Playback::kNone, warning, TimeText(parts.clock.NowMs())),
          parts.analysis.SetIngestStatus(work.uuid, MediaStatus::kError, kUnplayableProgress)};
}

}  // namespace tintype::flows
