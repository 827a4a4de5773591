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

constexpr int64_t kPlayableProgress = 100;
constexpr int64_t kUnplayableProgress = 75;
/// A video that cannot be made ready for playing will not be the fourth time either, and each
/// attempt may take an hour.
constexpr int64_t kProxyRetriesMax = 3;

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
  Transaction finish(StrCat("proxy ", image->id, " ", work.token));
  finish.Add(Catalog::SetPlayback(image->id, Playback::kProxy, std::nullopt, now))
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
  const contexts::catalog::ProcessingWarning warning{
      "unplayable",
      StrCat("This file cannot be made ready for playing: ", error,
             " The original is kept and can be downloaded."),
      std::nullopt};
  return {Catalog::SetPlayback(work.uuid, Playback::kNone, warning, TimeText(parts.clock.NowMs())),
          parts.analysis.SetIngestStatus(work.uuid, MediaStatus::kError, kUnplayableProgress)};
}

}  // namespace tintype::flows
