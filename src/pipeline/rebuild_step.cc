#include "pipeline/rebuild_step.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/logging.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/common/transaction.h"
#include "contexts/intake/quotas.h"
#include "flows/images/delete_image.h"
#include "flows/images/develop.h"
#include "flows/images/versions.h"
#include "flows/upkeep/rebuild.h"
#include "flows/uploads/recount_storage.h"
#include "pipeline/develop_step.h"
#include "pipeline/renditions.h"

namespace tintype::pipeline {
namespace {

using contexts::Transaction;
using contexts::backlog::Work;
using contexts::backlog::WorkStatus;
using contexts::catalog::Image;
using contexts::catalog::ImageVersion;
using contexts::catalog::ProcessingStatus;

/// There is nothing to do.
Status Forget(flows::Product& product, const Work& work) {
  return Transaction(StrCat("forget ", work.id, " ", work.token))
      .Add(product.backlog.Complete(work))
      .Commit(product.database, product.retries);
}

/// The image is gone: so is whatever was made of it since.
Status ForgetImage(flows::Product& product, const Work& work) {
  RETURN_IF_ERROR(flows::DeleteBlobs(product, work.uuid));
  return Forget(product, work);
}

/// The renditions of all edits. The record tells of the current one what it tells of an image.
Status RebuildVersions(flows::Product& product, darkroom::Darkroom& darkroom, const Image& image,
                       flows::DevelopResult& result) {
  contexts::catalog::Development& development = result.development;
  ASSIGN_OR_RETURN(result.seen_charge,
                   contexts::intake::Quotas(product.database).FindCharge(image.user_id, image.id));
  ASSIGN_OR_RETURN(const std::vector<ImageVersion> versions,
                   product.catalog.ListVersions(image.id));
  for (const ImageVersion& version : versions) {
    // A revert shows the picture of another.
    if (!version.completed || version.reverted_to) {
      continue;
    }
    const std::string source = flows::FullKey(image.id, version.revision, versions);
    ASSIGN_OR_RETURN(
        const Renditions renditions,
        StoreRenditions(product, darkroom, image.user_id, {source, image.id, version.revision}));
    result.made_bytes += version.file_size + renditions.bytes;
    if (version.revision == image.picture()) {
      development.width = version.width;
      development.height = version.height;
      development.processed_size = renditions.large_bytes;
      development.appearance = AppearanceOf(renditions.developed.properties);
    }
  }
  return OkStatus();
}

/// Given up when the image was uploaded, which is being mended now.
Status WithdrawDeadDevelopment(flows::Product& product, const Image& image) {
  ASSIGN_OR_RETURN(const std::optional<Work> dead,
                   product.backlog.Find(flows::DevelopWork(image, std::nullopt).id));
  if (!dead || dead->status != WorkStatus::kDead) {
    return OkStatus();
  }
  return Transaction(StrCat("withdraw ", dead->id, " ", dead->order))
      .Add(product.backlog.Purge(*dead))
      .Commit(product.database, product.retries);
}

Status RebuildImage(flows::Product& product, const Helpers& helpers, const Analyzers& analyzers,
                    const Work& work, const Image& image) {
  const std::string started_at = TimeText(product.clock.NowMs());
  if (image.processing_status != ProcessingStatus::kCompleted) {
    RETURN_IF_ERROR(WithdrawDeadDevelopment(product, image));
    RETURN_IF_ERROR(flows::KeepOriginal(product, work));
  } else {
    // One that was lost and uploaded again waits beside (flows/images/heal_original.h).
    RETURN_IF_ERROR(flows::PlaceOriginal(product, image.id));
  }
  ASSIGN_OR_RETURN(flows::DevelopResult result,
                   DevelopOriginal(product, helpers, analyzers, image.user_id, work, started_at));
  RETURN_IF_ERROR(RebuildVersions(product, helpers.imaging, image, result));
  result.development.seen_revision = image.revision;
  const Status finished = flows::FinishDevelopment(product, work, result, started_at);
  const bool missing = !finished.ok() && finished.error().kind() == ErrorKind::kNotFound;
  return missing ? Status(Error(ErrorKind::kConditionFailed, "The image was edited meanwhile."))
                 : finished;
}

Status Rebuild(flows::Product& product, const Helpers& helpers, const Analyzers& analyzers,
               const Work& work) {
  ASSIGN_OR_RETURN(const std::optional<Image> image, product.catalog.Find(work.uuid));
  if (!image) {
    return ForgetImage(product, work);
  }
  ASSIGN_OR_RETURN(const bool being_developed, flows::IsBeingDeveloped(product, *image));
  if (being_developed) {
    return Forget(product, work);
  }
  Status done = RebuildImage(product, helpers, analyzers, work, *image);
  if (!done.ok()) {
    // Nothing may be left of an image that is gone, whatever else went wrong.
    ASSIGN_OR_RETURN(const std::optional<Image> now, product.catalog.Find(work.uuid));
    return now ? done : ForgetImage(product, work);
  }
  return done;
}

}  // namespace

Step RebuildStep(flows::Product& product, const Helpers& helpers, const Analyzers& analyzers) {
  Step step;
  step.run = [&product, helpers, &analyzers](const Work& work) {
    return Rebuild(product, helpers, analyzers, work);
  };
  // An original that is not there will not come back by itself.
  step.is_permanent = [](const Error& error) {
    return darkroom::IsPermanent(error) || error.kind() == ErrorKind::kNotFound;
  };
  step.when_dead = [&](const Work& work, const Error& error) -> contexts::Pieces {
    // Some of the renditions may be new ones, of other sizes than those that were charged.
    if (const Status counted = flows::RecountImage(product, work.uuid); !counted.ok()) {
      LogWarning("an image cannot be counted",
                 {{"image", work.uuid}, {"error", counted.error().message()}});
    }
    const auto image = product.catalog.Find(work.uuid);
    // One that was developed before has the renditions that it had.
    const bool developed =
        image.ok() && *image && (*image)->processing_status == ProcessingStatus::kCompleted;
    return developed ? contexts::Pieces()
                     : flows::FailDeadDevelopment(product, work, error.message());
  };
  step.when_lost = [&](const Work& work) { return flows::DeleteBlobsOfGone(product, work.uuid); };
  return step;
}

}  // namespace tintype::pipeline
