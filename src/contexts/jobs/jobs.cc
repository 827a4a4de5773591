#include "contexts/jobs/jobs.h"

#include <utility>

#include "base/strings.h"
#include "contexts/common/item.h"

namespace tintype::contexts::jobs {
namespace {

using tables::Value;

constexpr int64_t kKeptSeconds = int64_t{90} * 24 * 60 * 60;

std::string TableName(std::string_view environment) {
  return StrCat("photoeditor-", environment, "-jobs");
}

}  // namespace

Jobs::Jobs(std::string_view environment, tables::Database& database, const Clock& clock)
    : table_(TableName(environment)), database_(database), clock_(clock) {}

ProductTable Jobs::Table(std::string_view environment) {
  tables::TableDefinition table =
      OnDemandTable(TableName(environment), KeyOf("jobId"),
                    {{"jobId"}, {"userId"}, {"status"}, {"createdAt", tables::Type::kNumber}});
  table.global_indexes = {IndexOn("userId-createdAt-index", KeyOf("userId", "createdAt")),
                          IndexOn("status-createdAt-index", KeyOf("status", "createdAt"))};
  if (environment == kProduction) {
    // The document's capacity for production. Its indexes take every write that the table takes.
    const tables::Throughput units{.read_units = 25, .write_units = 10};
    table.billing_mode = tables::BillingMode::kProvisioned;
    table.throughput = units;
    for (tables::IndexDefinition& index : table.global_indexes) {
      index.throughput = units;
    }
  }
  return {std::move(table), "ttl"};
}

Result<std::optional<Job>> Jobs::Find(std::string_view id) {
  ASSIGN_OR_RETURN(
      const auto response,
      database_.GetItem(
          {.table = table_, .key = JobKey(id), .projection = {}, .consistent_read = true}));
  return response.item ? std::optional<Job>(JobFromItem(*response.item)) : std::nullopt;
}

Result<JobPage> Jobs::ListOfUser(std::string_view user_id, int64_t limit,
                                 const std::optional<tables::Item>& after) {
  tables::QueryRequest query;
  query.table = table_;
  query.key_condition = KeyConditionOf("userId = :user", {{}, {{":user", Value::String(user_id)}}});
  query.forward = false;
  query.options.index = "userId-createdAt-index";
  query.options.limit = limit;
  query.options.exclusive_start_key = after;
  ASSIGN_OR_RETURN(auto response, database_.Query(std::move(query)));
  JobPage page;
  for (const tables::Item& item : response.items) {
    page.jobs.push_back(JobFromItem(item));
  }
  page.last_evaluated_key = std::move(response.last_evaluated_key);
  return page;
}

Piece Jobs::Add(Job job) const {
  job.created_ms = clock_.NowMs();
  job.updated_ms = job.created_ms;
  job.ttl = job.created_ms / 1000 + kKeptSeconds;
  return PutPiece(table_, ToItem(job), ConditionOf("attribute_not_exists(jobId)", {}),
                  Error::InUse("There is a job of this id already."));
}

Piece Jobs::Move(std::string_view id, JobStatus from, JobStatus to, std::string_view also,
                 Bindings bindings) const {
  CHECK(IsTransition(from, to));
  bindings.names.emplace("#status", "status");
  bindings.values.emplace(":from", Value::String(NameOf(from)));
  bindings.values.emplace(":to", Value::String(NameOf(to)));
  bindings.values.emplace(":now", Value::Integer(clock_.NowMs()));
  return UpdatePiece(
      table_, JobKey(id),
      UpdateIf(StrCat("SET #status = :to, updatedAt = :now", also), "#status = :from", bindings),
      Error(ErrorKind::kConditionFailed,
            StrCat("The job is not ", NameOf(from), ", so it cannot become ", NameOf(to), ".")));
}

Piece Jobs::StartProcessing(std::string_view id) const {
  return Move(id, JobStatus::kQueued, JobStatus::kProcessing, ", processingStartedAt = :now", {});
}

Piece Jobs::StartEditing(std::string_view id, std::string_view temp_key) const {
  return Move(id, JobStatus::kProcessing, JobStatus::kEditing, ", s3TempKey = :key",
              {{}, {{":key", Value::String(temp_key)}}});
}

Piece Jobs::Complete(std::string_view id, const EditResult& result) const {
  return Move(id, JobStatus::kEditing, JobStatus::kCompleted,
              ", processingCompletedAt = :now, editResult = :result, s3FinalKey = :key"
              " REMOVE s3TempKey",
              {{}, {{":result", EditResultValue(result)}, {":key", Value::String(result.s3_key)}}});
}

Piece Jobs::Fail(std::string_view id, const JobError& error) const {
  return Move(id, JobStatus::kEditing, JobStatus::kFailed,
              ", processingCompletedAt = :now, #error = :error REMOVE s3TempKey",
              {{{"#error", "error"}}, {{":error", JobErrorValue(error)}}});
}

Piece Jobs::Cancel(std::string_view id, std::string_view user_id) const {
  return DeletePiece(
      table_, JobKey(id),
      ConditionOf("#status = :queued AND userId = :user",
                  {{{"#status", "status"}},
                   {{":queued", Value::String(NameOf(JobStatus::kQueued))},
                    {":user", Value::String(user_id)}}}),
      Error(ErrorKind::kConditionFailed, "Only a job that is still queued can be cancelled."));
}

Piece Jobs::Remove(std::string_view id) const { return DeletePiece(table_, JobKey(id)); }

}  // namespace tintype::contexts::jobs
