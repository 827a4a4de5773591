#include "flows/upkeep/upgrade.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/logging.h"
#include "base/numbers.h"
#include "base/random.h"
#include "base/strings.h"
#include "contexts/backlog/backlog.h"
#include "contexts/common/add_index.h"
#include "contexts/common/transaction.h"
#include "contexts/system/schema.h"
#include "flows/images/trash_postings.h"
#include "flows/uploads/recount_storage.h"
#include "flows/uploads/upload_limit.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::ProductTable;
using contexts::Transaction;
using contexts::backlog::Work;
using contexts::system::Schema;

/// The input of the work that says which step it is of; the rest is the position.
constexpr std::string_view kStepInput = "step";
/// How long the work of a step waits before it looks again whether earlier steps are done.
constexpr int64_t kWaitMs = 1000;

std::string WorkId(int64_t number) { return StrCat(kUpgradeWork, "-", number); }

const UpgradeStep& StepOf(const std::vector<UpgradeStep>& steps, int64_t number) {
  return steps[static_cast<size_t>(number - 1)];
}

Status CheckVersion(int64_t version, int64_t newest) {
  if (version <= newest) {
    return OkStatus();
  }
  return Error(kNewerTables,
               StrCat("The gallery's tables have version ", version,
                      ", and this program knows versions up to ", newest,
                      ". Run the newer Tintype that upgraded them, or restore a backup from "
                      "before the upgrade."));
}

/// Whether these are tables of before. `tintype` alone is not: a new gallery is recorded there
/// before it has other tables.
Result<bool> AnyExists(const std::vector<ProductTable>& wanted, tables::Database& database) {
  for (const ProductTable& table : wanted) {
    if (table.definition.name == contexts::kSystemTable) {
      continue;
    }
    ASSIGN_OR_RETURN(const bool exists, contexts::TableExists(table.definition.name, database));
    if (exists) {
      return true;
    }
  }
  return false;
}

Status AddIndexes(const UpgradeStep& step, const std::vector<ProductTable>& wanted,
                  tables::Database& database) {
  for (const UpgradeStep::Index& index : step.indexes) {
    const auto table = std::ranges::find_if(wanted, [&](const ProductTable& candidate) {
      return candidate.definition.name == index.table;
    });
    // A table that a later version has dropped needs no index.
    if (table != wanted.end()) {
      RETURN_IF_ERROR(contexts::AddIndex(table->definition, index.name, database));
    }
  }
  return OkStatus();
}

Work UpgradeWork(int64_t number) {
  Work work;
  work.id = WorkId(number);
  work.type = kUpgradeWork;
  work.input[std::string(kStepInput)] = StrCat(number);
  return work;
}

/// Records the versions after `version`, each together with the work of its step. Nodes that start
/// at the same time record each version once; a node that was second goes on from what it finds.
Status RecordSteps(const std::vector<UpgradeStep>& steps, int64_t version,
                   const UpgradeParts& parts) {
  const auto newest = static_cast<int64_t>(steps.size());
  Schema schema(parts.database);
  while (version < newest) {
    const int64_t next = version + 1;
    // The random part keeps the request's token from matching another node's.
    Transaction record(StrCat("upgrade ", next, " ", RandomUuid()));
    record.Add(schema.Advance(version, next));
    if (StepOf(steps, next).run_turn) {
      record.Add(parts.backlog.Enqueue(UpgradeWork(next)));
    }
    Status recorded = record.Commit(parts.database, parts.retries);
    if (recorded.ok()) {
      LogInfo("tables upgraded", {{"version", next}, {"step", StepOf(steps, next).about}});
    } else if (!recorded.error().Is(contexts::system::kSchemaAdvanced)) {
      return recorded;
    }
    ASSIGN_OR_RETURN(const std::optional<int64_t> found, schema.FindVersion());
    version = found.value_or(0);
    RETURN_IF_ERROR(CheckVersion(version, newest));
  }
  return OkStatus();
}

/// Records the newest version of tables that were created in its form.
Status RecordNewest(const std::vector<UpgradeStep>& steps, const UpgradeParts& parts) {
  Schema schema(parts.database);
  Status recorded = Transaction(StrCat("new tables ", RandomUuid()))
                        .Add(schema.Advance(0, static_cast<int64_t>(steps.size())))
                        .Commit(parts.database, parts.retries);
  if (!recorded.ok() && recorded.error().Is(contexts::system::kSchemaAdvanced)) {
    // A node that started at the same time saw tables without a version, and has begun with step 1.
    ASSIGN_OR_RETURN(const std::optional<int64_t> version, schema.FindVersion());
    RETURN_IF_ERROR(CheckVersion(version.value_or(0), static_cast<int64_t>(steps.size())));
    return RecordSteps(steps, version.value_or(0), parts);
  }
  return recorded;
}

Status PutBack(const UpgradeParts& parts, const Work& work, int64_t due_ms) {
  return Transaction(StrCat("continue ", work.id, " ", work.token))
      .Add(parts.backlog.Continue(work, due_ms))
      .Commit(parts.database, parts.retries);
}

}  // namespace

std::vector<UpgradeStep> UpgradeSteps() {
  return {
      {.about = "record the version"},
      {.about = "post images in the trash", .run_turn = PostOldTrash},
      {.about = "administrators have no upload limit", .run_turn = FreeAdministrators},
      {.about = "count what is stored of each account", .run_turn = QueueRecount},
  };
}

Status UpgradeTables(const std::vector<UpgradeStep>& steps, const std::vector<ProductTable>& wanted,
                     const UpgradeParts& parts, tables::Backups* backups) {
  const auto newest = static_cast<int64_t>(steps.size());
  ASSIGN_OR_RETURN(const std::optional<int64_t> found, Schema(parts.database).FindVersion());
  const int64_t version = found.value_or(0);
  RETURN_IF_ERROR(CheckVersion(version, newest));
  ASSIGN_OR_RETURN(const bool exists, AnyExists(wanted, parts.database));
  for (int64_t number = version + 1; exists && number <= newest; ++number) {
    RETURN_IF_ERROR(AddIndexes(StepOf(steps, number), wanted, parts.database));
  }
  RETURN_IF_ERROR(contexts::CreateTables(wanted, parts.database, backups));
  return exists ? RecordSteps(steps, version, parts) : RecordNewest(steps, parts);
}

Status ContinueUpgrade(const std::vector<UpgradeStep>& steps, const UpgradeParts& parts,
                       const Work& work) {
  UpgradePosition position = work.input;
  const auto entry = position.find(std::string(kStepInput));
  const auto number = entry == position.end() ? std::nullopt : ParseInteger<int64_t>(entry->second);
  if (number && *number > static_cast<int64_t>(steps.size())) {
    // A node that knows the step has queued it while this one runs, and does it. Dead work would
    // wait for a person.
    return Error(ErrorKind::kUnavailable, "Only a newer version knows this upgrade step.");
  }
  if (!number || *number < 1 || !StepOf(steps, *number).run_turn) {
    return Error::Validation("There is no such upgrade step.");
  }
  position.erase(entry);
  for (int64_t earlier = 1; earlier < *number; ++earlier) {
    if (StepOf(steps, earlier).run_turn) {
      ASSIGN_OR_RETURN(const bool done, IsUpgradeDone(parts.backlog, earlier));
      if (!done) {
        return PutBack(parts, work, parts.clock.NowMs() + kWaitMs);
      }
    }
  }
  ASSIGN_OR_RETURN(const auto next, StepOf(steps, *number).run_turn(parts, position));
  if (next) {
    Work later = work;
    later.input = *next;
    later.input[std::string(kStepInput)] = StrCat(*number);
    return PutBack(parts, later, parts.clock.NowMs());
  }
  RETURN_IF_ERROR(Transaction(StrCat("complete ", work.id, " ", work.token))
                      .Add(parts.backlog.Complete(work))
                      .Commit(parts.database, parts.retries));
  LogInfo("upgrade done", {{"version", *number}, {"step", StepOf(steps, *number).about}});
  return OkStatus();
}

Result<bool> IsUpgradeDone(contexts::backlog::Backlog& backlog, int64_t step) {
  ASSIGN_OR_RETURN(const std::optional<Work> work, backlog.Find(WorkId(step)));
  return !work;
}

Result<bool> UpgradeProgress::IsDone(int64_t step) {
  {
    const MutexLock lock(mutex_);
    if (done_.contains(step)) {
      return true;
    }
  }
  ASSIGN_OR_RETURN(const bool done, IsUpgradeDone(backlog_, step));
  if (done) {
    const MutexLock lock(mutex_);
    done_.insert(step);
  }
  return done;
}

}  // namespace tintype::flows
