#include "flows/images/edit_image.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/rate_limited.h"
#include "base/retry.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "base/ulid.h"
#include "blobs/blob_store.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/media_type.h"
#include "contexts/common/transaction.h"
#include "contexts/intake/storage_use.h"
#include "contexts/jobs/jobs.h"
#include "flows/config.h"
#include "flows/images/adopt_job.h"
#include "flows/images/delete_image.h"
#include "flows/images/develop.h"
#include "flows/images/images.h"
#include "flows/images/versions.h"
#include "flows/media_keys.h"
#include "flows/uploads/storage_quota.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::backlog::Work;
using contexts::catalog::Catalog;
using contexts::catalog::Image;
using contexts::catalog::ImageVersion;
using contexts::catalog::ProcessingStatus;
using contexts::jobs::EditResult;
using contexts::jobs::Job;
using contexts::jobs::JobError;
using contexts::jobs::JobStatus;

std::string EditWorkId(std::string_view job_id) { return StrCat(kEditWork, "-", job_id); }

/// Work for an edit is queued by CreateJob alone, which names the job.
std::string JobIdOf(const Work& work) {
  const auto id = work.input.find("jobId");
  return id == work.input.end() ? "" : id->second;
}

/// The job that a piece of work is about.
Result<Job> FindJob(const EditParts& parts, const Work& work) {
  ASSIGN_OR_RETURN(std::optional<Job> job, parts.jobs.Find(JobIdOf(work)));
  if (!job) {
    return Error::NotFound("The job was deleted.");
  }
  return *std::move(job);
}

/// The job, if it is this account's.
Result<Job> FindOwnJob(const EditParts& parts, const Account& account, std::string_view id) {
  ASSIGN_OR_RETURN(std::optional<Job> job, parts.jobs.Find(id));
  if (!job || job->user_id != account.id) {
    return Error::NotFound("There is no such job.");
  }
  return *std::move(job);
}

Error ImageDeleted() { return Error::NotFound("The image was deleted."); }

/// Along the arrows that are left.
Status MoveToEditing(const EditParts& parts, const Work& work, Job& job) {
  const auto move = [&](contexts::Piece arrow, JobStatus to) -> Status {
    RETURN_IF_ERROR(Transaction(StrCat("move-job ", job.id))
                        .Add(parts.backlog.Fence(work))
                        .Add(std::move(arrow))
                        .Commit(parts.database, parts.retries));
    job.status = to;
    return OkStatus();
  };
  if (job.status == JobStatus::kQueued) {
    RETURN_IF_ERROR(move(parts.jobs.StartProcessing(job.id), JobStatus::kProcessing));
  }
  if (job.status == JobStatus::kProcessing) {
    RETURN_IF_ERROR(move(parts.jobs.StartEditing(job.id, TempKey(job.id)), JobStatus::kEditing));
  }
  if (job.status != JobStatus::kEditing) {
    return Error(ErrorKind::kConditionFailed,
                 StrCat("The job is ", contexts::jobs::NameOf(job.status), " already."));
  }
  return OkStatus();
}

/// The number that a job took, and the versions that there were.
struct TakenRevision {
  ImageVersion version;
  Versions versions;
};

/// The one that this job took in an earlier attempt, or the next one that is free.
Result<TakenRevision> TakeRevision(const EditParts& parts, const Work& work, const Job& job,
                                   const Image& image) {
  // Each attempt loses only to another job that took a number, so a few are plenty.
  constexpr int kAttemptsMax = 20;
  for (int attempt = 1;; ++attempt) {
    ASSIGN_OR_RETURN(Versions versions, parts.catalog.ListVersions(job.image_id));
    for (const ImageVersion& version : versions) {
      // One that was taken before there were bases would lie where those did: it takes another.
      if (version.job_id == job.id && version.base) {
        return TakenRevision{version, std::move(versions)};
      }
    }
    ImageVersion version;
    version.image_id = job.image_id;
    version.revision = NextRevision(image, versions);
    version.job_id = job.id;
    version.created_at = TimeText(parts.clock.NowMs());
    version.base = job.provider == kLocalProvider ? BaseOf(image, versions) : version.revision;
    const Status taken = Transaction(StrCat("reserve-version ", job.id))
                             .Add(parts.backlog.Fence(work))
                             .Add(Catalog::CheckPresent(job.image_id))
                             .Add(Catalog::AddVersion(version))
                             .Commit(parts.database, parts.retries);
    if (taken.ok()) {
      return TakenRevision{std::move(version), std::move(versions)};
    }
    if (!taken.error().Is(contexts::catalog::kRevisionTaken) || attempt == kAttemptsMax) {
      return taken.error();
    }
  }
}

Work EditWorkFor(const Job& job) {
  Work work;
  work.id = EditWorkId(job.id);
  work.type = kEditWork;
  work.uuid = job.image_id;
  work.input = {{"jobId", job.id}};
  work.correlation_id = job.correlation_id;
  return work;
}

/// Whether a job has neither ended nor taken a revision yet.
bool IsQueued(const Job& job) {
  return job.status == JobStatus::kQueued || job.status == JobStatus::kProcessing;
}

/// How many of the account's jobs for this image wait. Errors: kLimitExceeded when as many jobs of
/// the account wait as may.
Result<int64_t> CountQueued(const EditParts& parts, const Account& account, const Image& image) {
  constexpr int64_t kWaitS = 10;
  const int64_t most = parts.config.jobs_waiting_max;
  // An account's jobs are done in the order in which they came, so those that wait are the newest.
  ASSIGN_OR_RETURN(const auto newest, parts.jobs.ListOfUser(account.id, most, std::nullopt));
  if (std::ranges::count_if(newest.jobs, IsQueued) >= most) {
    return Error::LimitExceeded(StrCat(most,
                                       " of your edits wait to be made already. Try again when "
                                       "some of them are done."))
        .WithDetail(std::make_shared<RateLimited>(kWaitS, "jobs-waiting", most));
  }
  const auto of_image = [&](const Job& job) { return IsQueued(job) && job.image_id == image.id; };
  return std::ranges::count_if(newest.jobs, of_image);
}

/// Whether an edit of this image may be queued, beside those that are.
Status CheckEditable(const EditParts& parts, const Image& image, int64_t queued) {
  if (image.is_trashed()) {
    return Error::NotFound("The image is in the trash. Restore it first.");
  }
  if (image.processing_status != ProcessingStatus::kCompleted) {
    return Error(ErrorKind::kConditionFailed, "The image has not been developed.");
  }
  if (contexts::MediaTypeOf(image.mime_type) != "image" || !image.has_picture()) {
    return Error::Validation(
        StrCat("Only pictures can be edited; this file is of the type ", image.mime_type, "."));
  }
  ASSIGN_OR_RETURN(const Versions versions, parts.catalog.ListVersions(image.id));
  return CheckEditsLeft(versions, queued);
}

/// The same for a job that somebody else wrote, and that is in the queue by that. The image that it
/// is about.
Result<Image> CheckAdoptable(const EditParts& parts, const Job& job) {
  ASSIGN_OR_RETURN(std::optional<Image> image, parts.catalog.Find(job.image_id));
  if (!image || job.user_id.empty() || image->user_id != job.user_id) {
    return Error::NotFound("The job's user has no such image.");
  }
  RETURN_IF_ERROR(CheckEditable(parts, *image, 0));
  return *std::move(image);
}

/// The job that a piece of work is to adopt, if there is one. The work for it is looked for first:
/// it comes with the job and goes when the job is QUEUED no more.
Result<std::optional<Job>> FindJobToAdopt(const Uses<JobsPart, BacklogPart>& parts,
                                          const std::string& id) {
  ASSIGN_OR_RETURN(const std::optional<Work> edit, parts.backlog.Find(EditWorkId(id)));
  ASSIGN_OR_RETURN(std::optional<Job> job, parts.jobs.Find(id));
  return !edit && job && job->status == JobStatus::kQueued ? std::move(job) : std::nullopt;
}

}  // namespace

Result<Job> CreateJob(const EditParts& parts, const Account& account, const JobRequest& request) {
  ASSIGN_OR_RETURN(const Image image, FindOwnImage(parts, account, request.image_id));
  ASSIGN_OR_RETURN(const int64_t queued, CountQueued(parts, account, image));
  RETURN_IF_ERROR(CheckEditable(parts, image, queued));
  RETURN_IF_ERROR(CheckRoomForEdit(parts, image));
  Job job;
  ASSIGN_OR_RETURN(job.id, parts.ids.Next());
  job.user_id = account.id;
  job.image_id = image.id;
  job.file_size = image.file_size;
  job.file_type = image.mime_type;
  job.original_file_name = image.original_filename;
  job.provider = request.provider;
  job.operations = request.operations;
  job.correlation_id = request.correlation_id;
  job.trace_id = request.trace_id;
  job.replay_of = request.replay_of;
  Work edit = parts.backlog.InTurn(EditWorkFor(job), account.id, PictureCost(image));
  RETURN_IF_ERROR(Transaction(StrCat("create-job ", job.id))
                      .Add(parts.jobs.Add(job))
                      .Add(parts.backlog.Enqueue(std::move(edit)))
                      .Commit(parts.database, parts.retries));
  return FindOwnJob(parts, account, job.id);
}

Status CancelJob(const EditParts& parts, const Account& account, std::string_view id) {
  RETURN_IF_ERROR(FindOwnJob(parts, account, id));
  return Transaction(StrCat("cancel-job ", id))
      .Add(parts.jobs.Cancel(id, account.id))
      .Add(parts.backlog.Withdraw(EditWorkId(id)))
      .Commit(parts.database, parts.retries);
}

Result<bool> IsJobToAdopt(const Uses<JobsPart, BacklogPart>& parts, const Work& work) {
  ASSIGN_OR_RETURN(const std::optional<Job> job, FindJobToAdopt(parts, work.uuid));
  return job.has_value();
}

Status AdoptJob(const EditParts& parts, const Work& work) {
  ASSIGN_OR_RETURN(std::optional<Job> job, FindJobToAdopt(parts, work.uuid));
  Transaction adopt(StrCat("adopt-job ", work.uuid, " ", work.token));
  adopt.Add(parts.backlog.Complete(work));
  if (job) {
    const Result<Image> image = CheckAdoptable(parts, *job);
    if (image.ok()) {
      adopt.Add(parts.backlog.Enqueue(
          parts.backlog.InTurn(EditWorkFor(*job), job->user_id, PictureCost(*image))));
    } else if (IsRetryable(image.error())) {
      return image.error();
    } else {
      RETURN_IF_ERROR(MoveToEditing(parts, work, *job));
      adopt.Add(parts.jobs.Fail(job->id, {"INVALID_JOB", image.error().message(), 0}));
    }
  }
  return adopt.Commit(parts.database, parts.retries);
}

Result<EditTask> BeginEditing(const EditParts& parts, const Work& work) {
  ASSIGN_OR_RETURN(Job job, FindJob(parts, work));
  RETURN_IF_ERROR(MoveToEditing(parts, work, job));
  ASSIGN_OR_RETURN(std::optional<Image> image, parts.catalog.Find(job.image_id));
  if (!image) {
    return ImageDeleted();
  }
  ASSIGN_OR_RETURN(const TakenRevision taken, TakeRevision(parts, work, job, *image));
  const int64_t base = taken.version.base.value_or(0);
  // Others than ours change the picture as it is.
  const int64_t source = job.provider == kLocalProvider ? base : image->picture();
  std::string source_key = FullKey(image->id, source, taken.versions);
  return EditTask{std::move(job), *std::move(image), taken.version.revision, base,
                  std::move(source_key)};
}

Status FinishEditing(const EditParts& parts, const Work& work, const EditTask& task,
                     const EditOutcome& outcome) {
  const Job& job = task.job;
  const std::string key = StoredKey(job.image_id, task.revision, Size::kFull);
  const EditResult result{key, outcome.width, outcome.height, outcome.format, outcome.bytes};
  const std::string now = TimeText(parts.clock.NowMs());
  const ImageVersion version{.image_id = job.image_id,
                             .revision = task.revision,
                             .job_id = job.id,
                             .created_at = now,
                             .completed = true,
                             .width = outcome.width,
                             .height = outcome.height,
                             .file_size = outcome.bytes,
                             .s3_key = key,
                             .appearance = outcome.appearance,
                             .base = task.base,
                             .operations = outcome.operations,
                             .reverted_to = {}};
  // Each attempt loses only to a change that somebody made, so a few are plenty.
  constexpr int kAttemptsMax = 20;
  for (int attempt = 1;; ++attempt) {
    ASSIGN_OR_RETURN(const std::optional<Image> seen, parts.catalog.Find(job.image_id));
    if (!seen) {
      return ImageDeleted();
    }
    Transaction finish(StrCat("finish-job ", job.id));
    finish.Add(parts.backlog.Complete(work))
        .Add(parts.jobs.Complete(job.id, result))
        .Add(Catalog::CompleteVersion(version));
    if (seen->revision < task.revision) {
      finish.Add(Catalog::Revise(
          *seen, Revised(*seen, version, outcome.processed_bytes, parts.config.public_url), now));
    }
    ASSIGN_OR_RETURN(contexts::Pieces charge,
                     ChargeImage(parts, seen->user_id, seen->id, [&](const auto& before) {
                       return before.value_or(seen->file_size) + outcome.stored_bytes;
                     }));
    finish.Add(std::move(charge));
    Status committed = finish.Commit(parts.database, parts.retries);
    const bool lost =
        !committed.ok() && (committed.error().Is(contexts::catalog::kVersionChanged) ||
                            committed.error().Is(contexts::intake::kChargeIsAnother));
    if (!lost || attempt == kAttemptsMax) {
      return committed;
    }
  }
}

Status FailEditing(const EditParts& parts, const Work& work, const EditTask& task,
                   const JobError& error) {
  RETURN_IF_ERROR(Transaction(StrCat("fail-job ", task.job.id))
                      .Add(parts.backlog.Complete(work))
                      .Add(parts.jobs.Fail(task.job.id, error))
                      .Commit(parts.database, parts.retries));
  // Only now: before, somebody else may have had the lease, and be about to complete the job. Blobs
  // that a crash leaves here go with the image.
  RETURN_IF_ERROR(parts.blobs.DeletePrefix(parts.config.images_bucket,
                                           StoredRevisionFolder(task.image.id, task.revision)));
  return parts.blobs.Delete({parts.config.uploads_bucket, TempKey(task.job.id)});
}

contexts::Pieces FailDeadJob(const EditParts& parts, const Work& work, const JobError& error) {
  const Result<Job> job = FindJob(parts, work);
  // From the other states there is no arrow to FAILED.
  if (!job.ok() || job->status != JobStatus::kEditing) {
    return {};
  }
  return {parts.jobs.Fail(job->id, error)};
}

Status ForgetEditing(const EditParts& parts, const Work& work) {
  const Result<Job> job = FindJob(parts, work);
  if (!job.ok() && job.error().kind() != ErrorKind::kNotFound) {
    return job.error();
  }
  ASSIGN_OR_RETURN(const std::optional<Image> image, parts.catalog.Find(work.uuid));
  Transaction forget(StrCat("forget ", work.id));
  forget.Add(parts.backlog.Complete(work));
  if (!image && job.ok() && job->status == JobStatus::kEditing) {
    forget.Add(parts.jobs.Fail(
        job->id, JobError{"IMAGE_DELETED", "The image was deleted.", work.retry_count}));
  }
  if (!image) {
    RETURN_IF_ERROR(DeleteBlobs(parts, work.uuid));
  }
  RETURN_IF_ERROR(parts.blobs.Delete({parts.config.uploads_bucket, TempKey(JobIdOf(work))}));
  return forget.Commit(parts.database, parts.retries);
}

}  // namespace tintype::flows
