#include "pipeline/steps.h"

#include <utility>

#include "base/strings.h"
#include "darkroom/media_type.h"
#include "flows/accounts/delete_account.h"
#include "flows/accounts/profile_picture.h"
#include "flows/analysis/analyse.h"
#include "flows/analysis/reanalyse.h"
#include "flows/images/adopt_job.h"
#include "flows/images/delete_image.h"
#include "flows/images/develop.h"
#include "flows/images/edit_image.h"
#include "flows/images/empty_trash.h"
#include "flows/images/expire_image.h"
#include "flows/images/proxy.h"
#include "flows/upkeep/rebuild.h"
#include "flows/upkeep/reconcile.h"
#include "flows/upkeep/upgrade.h"
#include "flows/uploads/recount_storage.h"
#include "flows/uploads/resumable_upload.h"
#include "flows/uploads/upload.h"
#include "pipeline/analysis/analyse_step.h"
#include "pipeline/develop_step.h"
#include "pipeline/edit_step.h"
#include "pipeline/proxy_step.h"
#include "pipeline/rebuild_step.h"

namespace tintype::pipeline {

using contexts::backlog::Work;

namespace {

/// A step that makes files, or many records, waits while the disk is nearly full, so that deletions
/// have room. The tables accept what the server writes for longer than that.
Step TakingRoom(flows::Product& product, Step step) {
  step.run = [&product, run = std::move(step.run)](const Work& work) -> Status {
    if (!product.room.HasForWork()) {
      return Error(ErrorKind::kUnavailable, "The disk is nearly full.");
    }
    return run(work);
  };
  return step;
}

static_assert(darkroom::kMediaTypeBytes <= flows::kFirstBytes);

}  // namespace

std::map<std::string, Step> AllSteps(flows::Product& product, const Helpers& helpers,
                                     blobs::DerivedFiles& derived, const Analyzers& analyzers) {
  std::map<std::string, Step> steps;
  steps.emplace(flows::kDevelopWork, TakingRoom(product, DevelopStep(product, helpers, analyzers)));
  steps.emplace(flows::kProxyWork, TakingRoom(product, ProxyStep(product, helpers.av)));
  steps.emplace(flows::kEditWork, TakingRoom(product, EditStep(product, helpers.imaging)));
  steps.emplace(flows::kRebuildImageWork,
                TakingRoom(product, RebuildStep(product, helpers, analyzers)));
  steps.emplace(flows::kAnalyseWork, TakingRoom(product, AnalyseStep(product, analyzers)));
  steps.emplace(flows::kAnalyseKindWork, TakingRoom(product, AnalyseKindStep(product, analyzers)));
  Step reanalyse;
  reanalyse.run = [&product, &analyzers](const Work& work) {
    return flows::ContinueReanalysis(
        product, [&](const std::string& kind) { return analyzers.WhyUnavailable(kind); }, work);
  };
  steps.emplace(flows::kReanalyseWork, TakingRoom(product, std::move(reanalyse)));
  Step rebuild;
  rebuild.run = [&product](const Work& work) { return flows::ContinueRebuild(product, work); };
  // A request that cannot be is the same next time.
  rebuild.is_permanent = [](const Error& error) { return error.kind() == ErrorKind::kValidation; };
  steps.emplace(flows::kRebuildWork, TakingRoom(product, std::move(rebuild)));
  Step recount;
  recount.run = [&product](const Work& work) { return flows::ContinueRecount(product, work); };
  steps.emplace(flows::kRecountWork, TakingRoom(product, std::move(recount)));
  Step abandon;
  abandon.run = [&product](const Work& work) {
    return flows::ExpireUpload(product, work, darkroom::UploadedType);
  };
  steps.emplace(flows::kAbandonWork, std::move(abandon));
  Step sweep;
  sweep.run = [&product](const Work& work) { return flows::SweepUpload(product, work); };
  steps.emplace(flows::kSweepWork, std::move(sweep));
  Step expire;
  expire.run = [&product](const Work& work) { return flows::ExpireImage(product, work); };
  steps.emplace(flows::kExpireWork, std::move(expire));
  Step remove;
  remove.run = [&product, &derived](const Work& work) {
    return flows::DeleteImage(product, work, derived);
  };
  steps.emplace(flows::kDeleteWork, std::move(remove));
  Step remove_account;
  remove_account.run = [&product](const Work& work) {
    return flows::ContinueDeleteAccount(product, work);
  };
  remove_account.is_permanent = [](const Error& error) {
    return error.kind() == ErrorKind::kValidation;
  };
  steps.emplace(flows::kDeleteAccountWork, std::move(remove_account));
  Step settle_picture;
  settle_picture.run = [&product](const Work& work) {
    return flows::SettleProfilePicture(product, work);
  };
  settle_picture.is_permanent = [](const Error& error) {
    return error.kind() == ErrorKind::kValidation;
  };
  steps.emplace(flows::kSettlePictureWork, std::move(settle_picture));
  Step empty;
  empty.run = [&product](const Work& work) { return flows::ContinueEmptyTrash(product, work); };
  steps.emplace(flows::kEmptyTrashWork, std::move(empty));
  Step reconcile;
  reconcile.run = [&product](const Work& work) { return flows::ReconcileImage(product, work); };
  // Another program wrote something that makes no valid key. Trying again will not help.
  reconcile.is_permanent = [](const Error& error) {
    return error.kind() == ErrorKind::kValidation;
  };
  steps.emplace(flows::kReconcileWork, std::move(reconcile));
  Step upgrade;
  upgrade.run = [&product, all = flows::UpgradeSteps()](const Work& work) {
    return flows::ContinueUpgrade(
        all, {product.database, product.backlog, product.clock, product.retries, product.config},
        work);
  };
  upgrade.is_permanent = [](const Error& error) { return error.kind() == ErrorKind::kValidation; };
  steps.emplace(flows::kUpgradeWork, TakingRoom(product, std::move(upgrade)));
  Step adopt;
  adopt.run = [&product](const Work& work) { return flows::AdoptJob(product, work); };
  steps.emplace(flows::kReconcileJobWork, std::move(adopt));
  return steps;
}

}  // namespace tintype::pipeline
