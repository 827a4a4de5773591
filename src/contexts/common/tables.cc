#include "contexts/common/tables.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "base/strings.h"
#include "tables/language/await.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts {
namespace {

using tables::BlockingDatabase;
using tables::TableDefinition;
using tables::TableDescription;

constexpr auto kActiveDeadline = std::chrono::seconds(60);
constexpr auto kTablePollInterval = std::chrono::milliseconds(20);

Status Differs(const TableDefinition& wanted, std::string_view what) {
  return Error::Validation(
      StrCat("The table ", wanted.name, " exists with another ", what,
             " than this version needs. Move it away (tintype table export), or use another data "
             "directory."));
}

/// Whether an existing table can serve as the one that is wanted.
Status CheckTable(const TableDefinition& wanted, const TableDescription& found) {
  if (!(found.definition.keys == wanted.keys)) {
    return Differs(wanted, "key");
  }
  const auto check = [&](const auto& indexes, const auto& present) -> Status {
    for (const tables::IndexDefinition& index : indexes) {
      const auto same = std::ranges::find_if(present, [&](const auto& description) {
        return description.definition.name == index.name;
      });
      if (same == present.end() || !(same->definition.keys == index.keys) ||
          !(same->definition.projection == index.projection)) {
        return Differs(wanted, StrCat("index ", index.name));
      }
    }
    return OkStatus();
  };
  RETURN_IF_ERROR(check(wanted.global_indexes, found.global_indexes));
  return check(wanted.local_indexes, found.local_indexes);
}

/// Creates the table if there is none, and waits until it can be used.
Status EnsureTable(const TableDefinition& wanted, BlockingDatabase& database) {
  const auto deadline = std::chrono::steady_clock::now() + kActiveDeadline;
  while (std::chrono::steady_clock::now() < deadline) {
    const auto found = database.DescribeTable({wanted.name});
    if (found.ok() && found->table.status == tables::TableStatus::kActive) {
      return CheckTable(wanted, found->table);
    }
    if (!found.ok() && found.error().kind() == ErrorKind::kNotFound) {
      const auto created = database.CreateTable({wanted, {}});
      // Another node may have been quicker.
      if (!created.ok() && created.error().kind() != ErrorKind::kInUse) {
        return created.error();
      }
      if (created.ok()) {
        continue;  // It may be ready at once, as it is in the embedded engine.
      }
    } else if (!found.ok()) {
      return found.error();
    }
    std::this_thread::sleep_for(kTablePollInterval);
  }
  return Error(ErrorKind::kUnavailable,
               StrCat("The table ", wanted.name, " does not become ready."));
}

Status EnsureExpiry(const ProductTable& wanted, BlockingDatabase& database) {
  if (!wanted.expiry_attribute) {
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const auto described, database.DescribeTimeToLive({wanted.definition.name}));
  if (described.attribute == wanted.expiry_attribute) {
    return OkStatus();
  }
  const auto updated =
      database.UpdateTimeToLive({wanted.definition.name, true, *wanted.expiry_attribute});
  if (updated.ok()) {
    return OkStatus();
  }
  // Another node may have been quicker.
  ASSIGN_OR_RETURN(const auto now, database.DescribeTimeToLive({wanted.definition.name}));
  return now.attribute == wanted.expiry_attribute ? OkStatus() : Status(updated.error());
}

Status EnsureRecovery(const std::string& table, tables::Backups& backups) {
  ASSIGN_OR_RETURN(const auto described,
                   tables::Await(backups, &tables::Backups::DescribeContinuousBackups,
                                 tables::DescribeContinuousBackupsRequest{table}));
  if (described.recovery) {
    return OkStatus();
  }
  RETURN_IF_ERROR(tables::Await(backups, &tables::Backups::UpdateContinuousBackups,
                                tables::UpdateContinuousBackupsRequest{table, true, {}}));
  return OkStatus();
}

}  // namespace

tables::KeySchema KeyOf(std::string hash, std::string range) {
  tables::KeySchema keys;
  keys.hash.push_back(std::move(hash));
  if (!range.empty()) {
    keys.range.push_back(std::move(range));
  }
  return keys;
}

tables::IndexDefinition IndexOn(std::string name, tables::KeySchema keys) {
  tables::IndexDefinition index;
  index.name = std::move(name);
  index.keys = std::move(keys);
  return index;
}

TableDefinition OnDemandTable(std::string name, tables::KeySchema keys,
                              std::vector<tables::AttributeDefinition> attributes) {
  TableDefinition table;
  table.name = std::move(name);
  table.attributes = std::move(attributes);
  table.keys = std::move(keys);
  table.billing_mode = tables::BillingMode::kPayPerRequest;
  table.stream = tables::StreamView::kNewAndOldImages;
  table.encryption = tables::EncryptionSpecification{.enabled = true, .type = {}, .master_key = {}};
  return table;
}

ProductTable SystemTable() {
  TableDefinition table = OnDemandTable(std::string(kSystemTable), KeyOf("PK", "SK"),
                                        {{"PK"}, {"SK"}, {"GSI1PK"}, {"GSI1SK"}});
  table.global_indexes = {IndexOn("GSI1", KeyOf("GSI1PK", "GSI1SK"))};
  return {std::move(table), "ttl"};
}

Result<bool> TableExists(const std::string& name, tables::Database& database) {
  const auto found = BlockingDatabase(database).DescribeTable({name});
  if (!found.ok() && found.error().kind() != ErrorKind::kNotFound) {
    return found.error();
  }
  return found.ok();
}

Status CreateTables(const std::vector<ProductTable>& wanted, tables::Database& database,
                    tables::Backups* backups) {
  BlockingDatabase blocking(database);
  for (const ProductTable& table : wanted) {
    RETURN_IF_ERROR(EnsureTable(table.definition, blocking));
    RETURN_IF_ERROR(EnsureExpiry(table, blocking));
    if (backups != nullptr) {
      RETURN_IF_ERROR(EnsureRecovery(table.definition.name, *backups));
    }
  }
  return OkStatus();
}

}  // namespace tintype::contexts
