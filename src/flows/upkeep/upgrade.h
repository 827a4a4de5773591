#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/mutex.h"
#include "base/result.h"
#include "base/retry.h"
#include "contexts/backlog/backlog.h"
#include "contexts/common/tables.h"
#include "flows/config.h"
#include "flows/parts.h"
#include "tables/language/backups.h"
#include "tables/language/database.h"

/// Upgrades of the product's tables, by numbered steps. The tables record how many steps they have
/// had: their version (contexts/system/schema.h). A start runs the steps that are missing.
namespace tintype::flows {

/// The type of the work that finishes a step; its id is `upgrade-{n}`.
inline constexpr std::string_view kUpgradeWork = "upgrade";

/// The tables have had steps that this program does not know.
inline constexpr Reason kNewerTables{ErrorKind::kValidation, "NewerTables"};

/// Where a step that looks at every item stopped; empty at its beginning.
using UpgradePosition = std::map<std::string, std::string>;

/// What upgrades work on; all of it outlives them. A step makes the contexts that it needs from the
/// database.
struct UpgradeParts {
  tables::Database& database;
  contexts::backlog::Backlog& backlog;
  const Clock& clock;
  RetryPolicy retries = {};
  ProductConfig config = {};
};

/// One step. Steps are never changed once they are released, only added at the end.
struct UpgradeStep {
  /// What it does, for the log.
  std::string about;

  /// Global indexes of the product's tables that tables of the version before lack.
  struct Index {
    std::string table;
    std::string name;
  };
  std::vector<Index> indexes = {};

  /// For a step that looks at every item, in the background: handles some items and returns the
  /// position to go on from, or nothing when it has seen all. After a crash it is called again with
  /// the same position, so it must be safe to repeat.
  std::function<Result<std::optional<UpgradePosition>>(const UpgradeParts& parts,
                                                       const UpgradePosition& from)>
      run_turn = {};
};

/// The steps of this program. The newest version is their number.
std::vector<UpgradeStep> UpgradeSteps();

/// The step after whose work everything in the trash is posted.
inline constexpr int64_t kTrashPostingsStep = 2;

/// What a start does before anything uses the tables: adds missing indexes, which waits until they
/// are complete; creates missing tables; then records each step and queues its work. New tables
/// start at the newest version. Safe to repeat after a crash, and to run on several nodes at once.
/// `backups` may be null. Errors: kNewerTables, in which case nothing was changed; those of
/// CreateTables.
Status UpgradeTables(const std::vector<UpgradeStep>& steps,
                     const std::vector<contexts::ProductTable>& wanted, const UpgradeParts& parts,
                     tables::Backups* backups);

/// One turn of `work`, which is leased. Waits for the work of earlier steps. Errors: kValidation
/// when no such step has work; kUnavailable for a step of a newer version, which is another node's;
/// those of the step.
Status ContinueUpgrade(const std::vector<UpgradeStep>& steps, const UpgradeParts& parts,
                       const contexts::backlog::Work& work);

/// Whether the work of a step has ended, once tables have had the step. Until then, answers that
/// depend on it are not complete.
Result<bool> IsUpgradeDone(contexts::backlog::Backlog& backlog, int64_t step);

/// IsUpgradeDone for those who ask often: a step that has ended stays so, and is not looked up
/// again. Thread-safe. The backlog outlives it.
class UpgradeProgress {
 public:
  explicit UpgradeProgress(const Uses<BacklogPart>& parts) : backlog_(parts.backlog) {}

  Result<bool> IsDone(int64_t step);

 private:
  contexts::backlog::Backlog& backlog_;
  Mutex mutex_;
  std::set<int64_t> done_ GUARDED_BY(mutex_);
};

}  // namespace tintype::flows
