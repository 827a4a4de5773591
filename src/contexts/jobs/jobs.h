#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "contexts/common/tables.h"
#include "contexts/common/transaction.h"
#include "contexts/jobs/job.h"
#include "tables/language/blocking_database.h"

/// Edit jobs and their state machine: the table photoeditor-{env}-jobs.
namespace tintype::contexts::jobs {

/// The environment whose table is provisioned.
inline constexpr std::string_view kProduction = "prod";

struct JobPage {
  std::vector<Job> jobs;
  std::optional<tables::Item> last_evaluated_key;
};

/// Owns the table of jobs. Every transition is a conditional write: of two workers one wins, and a
/// repeated message changes nothing. Thread-safe; keeps nothing.
class Jobs {
 public:
  Jobs(std::string_view environment, tables::Database& database, const Clock& clock);

  /// Of the environment `prod`, with provisioned capacity; of others, on demand.
  static ProductTable Table(std::string_view environment);

  Result<std::optional<Job>> Find(std::string_view id);
  /// Newest first.
  Result<JobPage> ListOfUser(std::string_view user_id, int64_t limit,
                             const std::optional<tables::Item>& after);

  /// Sets times and expiry.
  Piece Add(Job job) const;

  // One arrow of the state machine each. Refused with kConditionFailed when the job is in another
  // state than the arrow starts from.
  Piece StartProcessing(std::string_view id) const;
  /// `temp_key` is where the provider's result will lie until it is the image's.
  Piece StartEditing(std::string_view id, std::string_view temp_key) const;
  /// Temporary files are gone by then, and so is their key.
  Piece Complete(std::string_view id, const EditResult& result) const;
  Piece Fail(std::string_view id, const JobError& error) const;
  /// Cancelling: only while it is queued, and only by its owner.
  Piece Cancel(std::string_view id, std::string_view user_id) const;
  /// Removes a job whatever its state, when its account is deleted.
  Piece Remove(std::string_view id) const;

 private:
  Piece Move(std::string_view id, JobStatus from, JobStatus to, std::string_view also,
             Bindings bindings) const;

  std::string table_;
  tables::BlockingDatabase database_;
  const Clock& clock_;
};

}  // namespace tintype::contexts::jobs
