#include "flows/upkeep/purge_work.h"

#include <optional>
#include <utility>

#include "base/strings.h"
#include "blobs/blob_store.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/transaction.h"
#include "contexts/jobs/jobs.h"
#include "flows/accounts/delete_account.h"
#include "flows/accounts/profile_picture.h"
#include "flows/analysis/analyse.h"
#include "flows/analysis/reanalyse.h"
#include "flows/config.h"
#include "flows/images/delete_image.h"
#include "flows/images/develop.h"
#include "flows/images/edit_image.h"
#include "flows/images/empty_trash.h"
#include "flows/images/expire_image.h"
#include "flows/media_keys.h"
#include "flows/upkeep/rebuild.h"
#include "flows/upkeep/reconcile.h"
#include "flows/upkeep/upgrade.h"
#include "flows/uploads/recount_storage.h"
#include "flows/uploads/upload.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::backlog::Work;
using contexts::backlog::WorkStatus;
using contexts::jobs::Job;
using contexts::jobs::JobError;
using contexts::jobs::JobStatus;

constexpr std::string_view kPurged = "An operator took it out of the backlog.";

/// What purging means for one piece of work.
struct Plan {
  std::string lost;
  contexts::Pieces pieces;              // What else is true then.
  std::optional<std::string> temp_job;  // Whose temporary file goes.
};

Error Kept(const Work& work, std::string_view reason) {
  return Error::Validation(StrCat(work.id, " is not purged: ", reason));
}

Result<Plan> PlanDevelop(const PurgeParts& parts, const Work& work) {
  ASSIGN_OR_RETURN(const auto image, parts.catalog.Find(work.uuid));
  if (!image) {
    return Plan{"nothing: the image was deleted", {}, {}};
  }
  if (work.status == WorkStatus::kDead) {
    return Plan{StrCat("that it can be replayed; the image ", work.uuid,
                       " is failed and keeps its original, and 'tintype rebuild renditions "
                       "--image' tries it again"),
                {},
                {}};
  }
  return Plan{StrCat("the renditions of the image ", work.uuid,
                     ", which becomes failed and keeps its original; 'tintype rebuild renditions "
                     "--image' makes them"),
              FailDeadDevelopment(parts, work, kPurged),
              {}};
}

Result<Plan> PlanRebuildImage(const PurgeParts& parts, const Work& work) {
  ASSIGN_OR_RETURN(const auto image, parts.catalog.Find(work.uuid));
  if (!image) {
    return Plan{"nothing: the image was deleted", {}, {}};
  }
  const auto status = image->processing_status;
  using contexts::catalog::ProcessingStatus;
  if (status == ProcessingStatus::kCompleted || status == ProcessingStatus::kFailed) {
    return Plan{
        StrCat("new renditions of the image ", work.uuid, ", which keeps what it has"), {}, {}};
  }
  return PlanDevelop(parts, work);
}

Result<Plan> PlanEdit(const PurgeParts& parts, const Work& work) {
  const auto id = work.input.find("jobId");
  ASSIGN_OR_RETURN(const std::optional<Job> job,
                   parts.jobs.Find(id == work.input.end() ? "" : id->second));
  if (!job) {
    return Plan{"nothing: the job was deleted", {}, {}};
  }
  switch (job->status) {
    case JobStatus::kQueued:
      return Plan{StrCat("the job ", job->id, ", as if its owner had taken it back"),
                  {parts.jobs.Cancel(job->id, job->user_id)},
                  job->id};
    case JobStatus::kEditing:
      return Plan{
          StrCat("the edit of the job ", job->id,
                 ", which becomes FAILED; the image stays as it "
                 "is"),
          {parts.jobs.Fail(job->id, JobError{"PURGED", std::string(kPurged), work.retry_count})},
          job->id};
    case JobStatus::kProcessing:
      return Kept(work, StrCat("the job ", job->id,
                               " is PROCESSING, which has no arrow to FAILED. Replay it."));
    default:
      return Plan{StrCat("nothing: the job ", job->id, " has ended"), {}, job->id};
  }
}

Result<Plan> PlanPurge(const PurgeParts& parts, const Work& work) {
  if (work.status == WorkStatus::kLeased) {
    return Error::InUse(StrCat("A worker is at ", work.id, " just now. Wait until it has ended."));
  }
  if (work.type == kDevelopWork) {
    return PlanDevelop(parts, work);
  }
  if (work.type == kEditWork) {
    return PlanEdit(parts, work);
  }
  if (work.type == kRebuildWork) {
    return Plan{
        "the rest of the rebuild; images that are queued already are rebuilt, the others "
        "keep the renditions that they have",
        {},
        {}};
  }
  if (work.type == kRebuildImageWork) {
    return PlanRebuildImage(parts, work);
  }
  if (work.type == kAnalyseWork) {
    return Plan{StrCat("the analysis of the image ", work.uuid,
                       "; 'tintype rebuild analysis --image' does it"),
                {},
                {}};
  }
  if (work.type == kAnalyseKindWork) {
    const std::string lost = StrCat(KindNameOf(work), " of the image ", work.uuid,
                                    "; 'tintype rebuild analysis --image' does it");
    return work.status == WorkStatus::kDead ? Plan{lost, {}, {}}
                                            : Plan{lost, FailDeadKind(parts, work, kPurged), {}};
  }
  if (work.type == kReanalyseWork) {
    return Plan{
        "the rest of the analysis; images that are queued already are analysed, the others keep "
        "what was found in them",
        {},
        {}};
  }
  if (work.type == kAbandonWork) {
    return Kept(work,
                "it gives an upload's place in the user's limit back and removes its bytes. It is "
                "done when the upload's time has passed, or earlier when the upload is complete.");
  }
  if (work.type == kSweepWork) {
    return Kept(work, "it removes files that came by an upload's link after the upload had ended.");
  }
  if (work.type == kExpireWork) {
    return Kept(work,
                "without it a temporary image would be deleted later than its owner was told. "
                "Remove `ttl` from the image if it is to stay.");
  }
  if (work.type == kDeleteWork) {
    return Kept(work,
                "without it an image would be deleted by half, or stay in the trash for ever. "
                "Restore the image if it is to stay; replay the work if it is dead.");
  }
  if (work.type == kDeleteAccountWork) {
    return Kept(work,
                "without it an account would stay deleted by half, and its names taken. Replay it "
                "if it is dead.");
  }
  if (work.type == kEmptyTrashWork) {
    return Plan{
        "the rest of the emptying; images that it has not come to stay in the trash for their "
        "time, or until somebody empties it again",
        {},
        {}};
  }
  if (work.type == kReconcileWork || work.type == kReconcileJobWork) {
    return Kept(work,
                "without it records would differ from what others wrote to the tables. "
                "Replay it if it is dead.");
  }
  if (work.type == kRecountWork) {
    return Plan{
        "the rest of the count; the usage of accounts stays as far as it was counted", {}, {}};
  }
  if (work.type == kSettlePictureWork) {
    return Kept(work,
                "without it a profile picture and what records say of it could differ. Replay it "
                "if it is dead.");
  }
  if (work.type == kUpgradeWork) {
    return Kept(work,
                "without it the tables would stay upgraded by half. Replay it if it is dead.");
  }
  if (work.status != WorkStatus::kDead) {
    return Kept(work, StrCat("this version does not know what work of the type ", work.type,
                             " is for. It can go once it is dead."));
  }
  return Plan{StrCat("whatever work of the type ", work.type, " is for"), {}, {}};
}

}  // namespace

Result<std::string> WhatPurgingLoses(const PurgeParts& parts, const Work& work) {
  ASSIGN_OR_RETURN(Plan plan, PlanPurge(parts, work));
  return std::move(plan.lost);
}

Status PurgeWork(const PurgeParts& parts, const Work& work) {
  ASSIGN_OR_RETURN(Plan plan, PlanPurge(parts, work));
  RETURN_IF_ERROR(Transaction(StrCat("purge ", work.id, " ", work.order))
                      .Add(parts.backlog.Purge(work))
                      .Add(std::move(plan.pieces))
                      .Commit(parts.database, parts.retries));
  if (plan.temp_job) {
    return parts.blobs.Delete({parts.config.uploads_bucket, TempKey(*plan.temp_job)});
  }
  return OkStatus();
}

}  // namespace tintype::flows
