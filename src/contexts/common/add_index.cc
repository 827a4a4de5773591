#include "contexts/common/add_index.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "base/check.h"
#include "base/logging.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts {
namespace {

using tables::TableDefinition;

constexpr auto kIndexPollInterval = std::chrono::milliseconds(20);

tables::UpdateTableRequest AddIndexRequest(const TableDefinition& wanted,
                                           const tables::IndexDefinition& index) {
  tables::UpdateTableRequest request;
  request.table = wanted.name;
  request.index_changes.emplace_back(index);
  for (const tables::AttributeDefinition& attribute : wanted.attributes) {
    if (std::ranges::count(index.keys.hash, attribute.name) > 0 ||
        std::ranges::count(index.keys.range, attribute.name) > 0) {
      request.attributes.push_back(attribute);
    }
  }
  return request;
}

}  // namespace

Status AddIndex(const TableDefinition& wanted, std::string_view index, tables::Database& database) {
  const auto definition =
      std::ranges::find(wanted.global_indexes, index, &tables::IndexDefinition::name);
  CHECK(definition != wanted.global_indexes.end());
  tables::BlockingDatabase blocking(database);
  std::optional<Error> refused;
  while (true) {
    const auto found = blocking.DescribeTable({wanted.name});
    if (!found.ok()) {
      return found.error().kind() == ErrorKind::kNotFound ? OkStatus() : Status(found.error());
    }
    const auto& present = found->table.global_indexes;
    const auto same = std::ranges::find_if(present, [&](const tables::IndexDescription& candidate) {
      return candidate.definition.name == index;
    });
    if (same != present.end() && same->status == tables::IndexStatus::kActive) {
      return OkStatus();
    }
    if (same == present.end() && found->table.status == tables::TableStatus::kActive) {
      if (refused) {
        return *refused;
      }
      LogInfo("index is being added", {{"table", wanted.name}, {"index", index}});
      const auto added = blocking.UpdateTable(AddIndexRequest(wanted, *definition));
      if (!added.ok() && added.error().kind() != ErrorKind::kInUse) {
        // Another node may have been quicker: then the index is there when it is looked for again.
        refused = added.error();
      }
      if (!added.ok()) {
        continue;
      }
    }
    std::this_thread::sleep_for(kIndexPollInterval);
  }
}

}  // namespace tintype::contexts
