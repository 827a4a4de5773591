#include "pipeline/edit_step.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/retry.h"
#include "base/strings.h"
#include "contexts/intake/storage_use.h"
#include "flows/images/delete_image.h"
#include "flows/images/edit_image.h"
#include "flows/media_keys.h"
#include "flows/uploads/storage_quota.h"
#include "pipeline/edit_operations.h"
#include "pipeline/renditions.h"

namespace tintype::pipeline {
namespace {

using contexts::backlog::Work;
using contexts::jobs::JobError;

using flows::kLocalProvider;
constexpr std::string_view kStub = "stub";

/// What an error is called in the job, by the document's kind of names.
std::string CodeOf(const Error& error) {
  if (error.DetailAs<darkroom::FailureDetail>() != nullptr) {
    return StrCat("PROVIDER_", darkroom::FailureName(darkroom::KindOf(error)));
  }
  if (error.Is(contexts::intake::kQuotaExceeded)) {
    return "QUOTA_EXCEEDED";
  }
  return error.kind() == ErrorKind::kValidation ? "INVALID_OPERATIONS" : "INTERNAL";
}

bool IsPermanent(const Error& error) {
  return error.kind() == ErrorKind::kValidation || error.Is(contexts::intake::kQuotaExceeded) ||
         darkroom::IsPermanent(error);
}

/// What a provider made, by which list of operations; by none when it came from outside.
struct MadeEdit {
  darkroom::Edited edited;
  std::optional<std::string> operations;
};

/// Has the provider write its result to the job's temporary place, and moves it to where it
/// belongs.
Result<MadeEdit> MakeEdit(flows::Product& product, darkroom::Darkroom& darkroom,
                          const flows::EditTask& task) {
  darkroom::EditRequest request;
  if (task.job.provider == kLocalProvider) {
    ASSIGN_OR_RETURN(request.operations, ParseEditOperations(task.job.operations));
  } else if (task.job.provider != kStub) {
    return Error::Validation(StrCat("There is no provider ", task.job.provider, "."));
  }
  const flows::ProductConfig& config = product.config;
  const blobs::BlobKey temp{config.uploads_bucket, flows::TempKey(task.job.id)};
  const blobs::BlobKey result{config.images_bucket,
                              flows::StoredKey(task.image.id, task.revision, flows::Size::kFull)};
  ASSIGN_OR_RETURN(const auto input,
                   product.blobs.OpenLocal({config.images_bucket, task.source_key}));
  ASSIGN_OR_RETURN(const auto writer, product.blobs.Create(temp));
  request.input = input->descriptor();
  ASSIGN_OR_RETURN(request.output, blobs::DescriptorOf(*writer));
  ASSIGN_OR_RETURN(const darkroom::Edited edited, darkroom.Edit(task.image.user_id, request));
  RETURN_IF_ERROR(writer->Commit());
  RETURN_IF_ERROR(product.blobs.Move(temp, result));
  MadeEdit made{edited, {}};
  if (task.job.provider == kLocalProvider) {
    made.operations = FormatEditOperations(request.operations);
  }
  return made;
}

Status Edit(flows::Product& product, darkroom::Darkroom& darkroom, const Work& work,
            const flows::EditTask& task) {
  // Others that were queued with it may have used up the room since.
  RETURN_IF_ERROR(flows::CheckRoomForEdit(product, task.image));
  ASSIGN_OR_RETURN(const MadeEdit made, MakeEdit(product, darkroom, task));
  const darkroom::Edited& edited = made.edited;
  const std::string key = flows::StoredKey(task.image.id, task.revision, flows::Size::kFull);
  ASSIGN_OR_RETURN(
      const Renditions renditions,
      StoreRenditions(product, darkroom, task.image.user_id, {key, task.image.id, task.revision}));
  flows::EditOutcome outcome;
  outcome.width = edited.width;
  outcome.height = edited.height;
  outcome.bytes = edited.bytes;
  outcome.processed_bytes = renditions.large_bytes;
  outcome.stored_bytes = edited.bytes + renditions.bytes;
  outcome.appearance = AppearanceOf(renditions.developed.properties);
  outcome.operations = made.operations;
  outcome.format = edited.format == darkroom::OutputFormat::kWebp ? "webp" : "jpeg";
  return flows::FinishEditing(product, work, task, outcome);
}

Status Fail(flows::Product& product, const Work& work, const flows::EditTask& task,
            const Error& error) {
  return flows::FailEditing(product, work, task,
                            JobError{CodeOf(error), error.message(), work.retry_count});
}

Status Run(flows::Product& product, darkroom::Darkroom& darkroom, const Work& work) {
  const Result<flows::EditTask> task = flows::BeginEditing(product, work);
  if (!task.ok()) {
    const ErrorKind kind = task.error().kind();
    const bool over = kind == ErrorKind::kConditionFailed || kind == ErrorKind::kNotFound;
    return over ? flows::ForgetEditing(product, work) : Status(task.error());
  }
  Status done = Edit(product, darkroom, work, *task);
  if (done.ok()) {
    return done;
  }
  if (done.error().kind() == ErrorKind::kNotFound) {
    ASSIGN_OR_RETURN(const auto image, product.catalog.Find(work.uuid));
    return image ? Fail(product, work, *task, done.error()) : flows::ForgetEditing(product, work);
  }
  const bool last = work.retry_count >= work.max_retries && !IsOutage(done.error());
  return last || IsPermanent(done.error()) ? Fail(product, work, *task, done.error()) : done;
}

}  // namespace

bool IsProvider(std::string_view name) { return name == kLocalProvider || name == kStub; }

Step EditStep(flows::Product& product, darkroom::Darkroom& darkroom) {
  Step step;
  step.run = [&](const Work& work) { return Run(product, darkroom, work); };
  step.when_dead = [&](const Work& work, const Error& error) -> contexts::Pieces {
    return flows::FailDeadJob(product, work,
                              JobError{CodeOf(error), error.message(), work.retry_count});
  };
  step.when_lost = [&](const Work& work) { return flows::DeleteBlobsOfGone(product, work.uuid); };
  return step;
}

}  // namespace tintype::pipeline
