#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tables/language/values/value.h"

namespace tintype::contexts::jobs {

enum class JobStatus { kQueued, kProcessing, kEditing, kCompleted, kFailed };
std::string_view NameOf(JobStatus status);
std::optional<JobStatus> JobStatusOf(std::string_view name);

/// The document's four arrows, and no others.
bool IsTransition(JobStatus from, JobStatus to);

struct JobError {
  std::string code;  // For example PROVIDER_TIMEOUT.
  std::string message;
  int64_t retry_count = 0;
};

struct EditResult {
  std::string s3_key;
  int64_t width = 0;
  int64_t height = 0;
  std::string format;
  int64_t size = 0;
};

/// One item of photoeditor-{env}-jobs.
struct Job {
  std::string id;
  std::string user_id;
  std::string image_id;
  JobStatus status = JobStatus::kQueued;
  int64_t created_ms = 0;
  int64_t updated_ms = 0;
  int64_t file_size = 0;
  std::string file_type;
  std::optional<std::string> original_file_name;
  std::optional<std::string> s3_temp_key;
  std::optional<std::string> s3_final_key;
  std::string provider;
  std::string operations;  // JSON, as the client gave it.
  std::optional<int64_t> started_ms;
  std::optional<int64_t> completed_ms;
  std::optional<EditResult> edit_result;
  std::optional<JobError> error;
  std::optional<std::string> correlation_id;
  std::optional<std::string> trace_id;
  std::optional<std::string> replay_of;
  int64_t ttl = 0;  // Seconds since 1970: 90 days from creation.
};

tables::Item JobKey(std::string_view id);
tables::Item ToItem(const Job& job);
Job JobFromItem(const tables::Item& item);

tables::Value EditResultValue(const EditResult& result);
tables::Value JobErrorValue(const JobError& error);

}  // namespace tintype::contexts::jobs
