#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "contexts/catalog/image.h"
#include "contexts/common/transaction.h"
#include "contexts/jobs/job.h"
#include "flows/parts.h"

/// Edit jobs: the result of one is a new revision of its image.
namespace tintype::flows {

using EditParts = Uses<ConfigPart, DatabasePart, BlobsPart, ClockPart, IdsPart, CatalogPart,
                       JobsPart, BacklogPart>;

struct JobRequest {
  std::string image_id;
  std::string provider;
  std::string operations;  // JSON that the provider has checked.
  std::optional<std::string> correlation_id = {};
  std::optional<std::string> trace_id = {};
  std::optional<std::string> replay_of = {};
};

/// Queues a job. Errors: kNotFound when there is no such image of this account; kConditionFailed
/// when it is not developed yet, or failed to be; kLimitExceeded when the image was edited very
/// often, or too many jobs of the account wait; intake::kQuotaExceeded when there is no room for
/// what it would make.
Result<contexts::jobs::Job> CreateJob(const EditParts& parts, const Account& account,
                                      const JobRequest& request);

/// Takes a job back that nobody has begun. Errors: kNotFound, kConditionFailed.
Status CancelJob(const EditParts& parts, const Account& account, std::string_view id);

inline constexpr std::string_view kEditWork = "edit";

/// The provider that edits here, by a list of operations on a base. The results of all others come
/// from outside, and are bases themselves.
inline constexpr std::string_view kLocalProvider = "local";

/// A job that may be worked on.
struct EditTask {
  contexts::jobs::Job job;
  contexts::catalog::Image image;
  int64_t revision = 0;    // The number that its result will have: this job's alone.
  int64_t base = 0;        // The revision that its operations are applied to.
  std::string source_key;  // Where the picture to be edited is.
};

/// Moves a job to EDITING by the document's arrows, from wherever an earlier attempt left it.
/// Errors: kConditionFailed when it has ended or the lease is lost; kNotFound when job or image are
/// gone.
Result<EditTask> BeginEditing(const EditParts& parts, const contexts::backlog::Work& work);

/// What an edit made. Its sizes are in the blob store.
struct EditOutcome {
  int64_t width = 0;
  int64_t height = 0;
  int64_t bytes = 0;            // Of the edited picture in its full size.
  int64_t processed_bytes = 0;  // Of its LARGE rendition.
  int64_t stored_bytes = 0;     // Of everything that is kept of it.
  std::string format;
  contexts::catalog::Appearance appearance;
  /// What was done to the base; nothing for a result from outside.
  std::optional<std::string> operations;
};

/// The job is COMPLETED, its picture is the image's current one unless a later edit was quicker,
/// and the work is complete. Errors: kNotFound when the image was deleted.
Status FinishEditing(const EditParts& parts, const contexts::backlog::Work& work,
                     const EditTask& task, const EditOutcome& outcome);

/// The work is complete because there is nothing left to do: the job has ended, or it or its image
/// is gone. A job without an image is FAILED.
Status ForgetEditing(const EditParts& parts, const contexts::backlog::Work& work);

/// The job is FAILED, and the work is complete. Its number stays taken: the worker that lost the
/// lease may still be writing under it.
Status FailEditing(const EditParts& parts, const contexts::backlog::Work& work,
                   const EditTask& task, const contexts::jobs::JobError& error);

/// What is true of a job when its work is dead: it is FAILED, if it got as far as that.
contexts::Pieces FailDeadJob(const EditParts& parts, const contexts::backlog::Work& work,
                             const contexts::jobs::JobError& error);

}  // namespace tintype::flows
