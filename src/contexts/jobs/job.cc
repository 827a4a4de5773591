#include "contexts/jobs/job.h"

#include <array>
#include <utility>

#include "contexts/common/item.h"

namespace tintype::contexts::jobs {
namespace {

constexpr std::array<std::string_view, 5> kStatusNames = {"QUEUED", "PROCESSING", "EDITING",
                                                          "COMPLETED", "FAILED"};

}  // namespace

std::string_view NameOf(JobStatus status) { return kStatusNames[static_cast<size_t>(status)]; }

std::optional<JobStatus> JobStatusOf(std::string_view name) {
  for (size_t i = 0; i < kStatusNames.size(); ++i) {
    if (kStatusNames[i] == name) {
      return static_cast<JobStatus>(i);
    }
  }
  return std::nullopt;
}

bool IsTransition(JobStatus from, JobStatus to) {
  constexpr std::array<std::pair<JobStatus, JobStatus>, 4> kArrows = {{
      {JobStatus::kQueued, JobStatus::kProcessing},
      {JobStatus::kProcessing, JobStatus::kEditing},
      {JobStatus::kEditing, JobStatus::kCompleted},
      {JobStatus::kEditing, JobStatus::kFailed},
  }};
  for (const auto& [start, end] : kArrows) {
    if (start == from && end == to) {
      return true;
    }
  }
  return false;
}

tables::Item JobKey(std::string_view id) { return ItemBuilder().Text("jobId", id).Build(); }

tables::Value EditResultValue(const EditResult& result) {
  return tables::Value::Map(ItemBuilder()
                                .Text("s3Key", result.s3_key)
                                .Integer("width", result.width)
                                .Integer("height", result.height)
                                .Text("format", result.format)
                                .Integer("size", result.size)
                                .Build());
}

tables::Value JobErrorValue(const JobError& error) {
  return tables::Value::Map(ItemBuilder()
                                .Text("code", error.code)
                                .Text("message", error.message)
                                .Integer("retryCount", error.retry_count)
                                .Build());
}

tables::Item ToItem(const Job& job) {
  ItemBuilder item;
  item.Text("jobId", job.id)
      .Text("userId", job.user_id)
      .Text("imageId", job.image_id)
      .Text("status", NameOf(job.status))
      .Integer("createdAt", job.created_ms)
      .Integer("updatedAt", job.updated_ms)
      .Integer("fileSize", job.file_size)
      .Text("fileType", job.file_type)
      .MaybeText("originalFileName", job.original_file_name)
      .MaybeText("s3TempKey", job.s3_temp_key)
      .MaybeText("s3FinalKey", job.s3_final_key)
      .Text("provider", job.provider)
      .Text("operations", job.operations)
      .MaybeInteger("processingStartedAt", job.started_ms)
      .MaybeInteger("processingCompletedAt", job.completed_ms)
      .MaybeText("correlationId", job.correlation_id)
      .MaybeText("traceId", job.trace_id)
      .MaybeText("replayOf", job.replay_of)
      .Integer("ttl", job.ttl);
  if (job.edit_result) {
    item.Value("editResult", EditResultValue(*job.edit_result));
  }
  if (job.error) {
    item.Value("error", JobErrorValue(*job.error));
  }
  return item.Build();
}

Job JobFromItem(const tables::Item& item) {
  const ItemReader read(item);
  Job job;
  job.id = read.Text("jobId");
  job.user_id = read.Text("userId");
  job.image_id = read.Text("imageId");
  job.status = JobStatusOf(read.Text("status")).value_or(JobStatus::kFailed);
  job.created_ms = read.Integer("createdAt");
  job.updated_ms = read.Integer("updatedAt");
  job.file_size = read.Integer("fileSize");
  job.file_type = read.Text("fileType");
  job.original_file_name = read.OptionalText("originalFileName");
  job.s3_temp_key = read.OptionalText("s3TempKey");
  job.s3_final_key = read.OptionalText("s3FinalKey");
  job.provider = read.Text("provider");
  job.operations = read.Text("operations");
  job.started_ms = read.OptionalInteger("processingStartedAt");
  job.completed_ms = read.OptionalInteger("processingCompletedAt");
  job.correlation_id = read.OptionalText("correlationId");
  job.trace_id = read.OptionalText("traceId");
  job.replay_of = read.OptionalText("replayOf");
  job.ttl = read.Integer("ttl");
  if (read.Has("editResult")) {
    const ItemReader result = read.Map("editResult");
    job.edit_result =
        EditResult{result.Text("s3Key"), result.Integer("width"), result.Integer("height"),
                   result.Text("format"), result.Integer("size")};
  }
  if (read.Has("error")) {
    const ItemReader error = read.Map("error");
    job.error = JobError{error.Text("code"), error.Text("message"), error.Integer("retryCount")};
  }
  return job;
}

}  // namespace tintype::contexts::jobs
