#include "tables/engine/registry/table_registry.h"

#include "base/strings.h"

namespace tintype::tables::engine {
namespace {

Error NoSuchTable() { return Error::NotFound("Requested resource not found"); }

}  // namespace

Result<TablePtr> TableRegistry::Find(std::string_view name) const {
  TablePtr table = FindOrNull(name);
  if (!table || table->creating()) {
    return NoSuchTable();
  }
  return table;
}

Status TableRegistry::CheckStillThere(const TableInfo& table, const IndexInfo* index) const {
  // Another one of the same name has another id.
  const TablePtr current = FindOrNull(table.definition.name);
  if (!current || current->id != table.id) {
    return NoSuchTable();
  }
  if (index != nullptr) {
    const IndexInfo* now = current->FindIndex(index->definition.name);
    if (now == nullptr || now->id != index->id) {
      return NoSuchIndex(index->definition.name);
    }
  }
  return OkStatus();
}

Error NoSuchIndex(std::string_view name) {
  return Error::Validation(StrCat("The table does not have the specified index: ", name));
}

TablePtr TableRegistry::FindOrNull(std::string_view name) const {
  const MutexLock lock(mutex_);
  const auto found = tables_.find(name);
  return found == tables_.end() ? nullptr : found->second;
}

void TableRegistry::Put(TablePtr table) {
  const MutexLock lock(mutex_);
  // The number rises before it falls: a table that goes on having a policy is never overlooked.
  policies_ += table->has_policy() ? 1 : 0;
  TablePtr& place = tables_[table->definition.name];
  policies_ -= place != nullptr && place->has_policy() ? 1 : 0;
  place = std::move(table);
}

void TableRegistry::Erase(std::string_view name) {
  const MutexLock lock(mutex_);
  if (const auto found = tables_.find(name); found != tables_.end()) {
    policies_ -= found->second->has_policy() ? 1 : 0;
    tables_.erase(found);
  }
}

std::vector<std::string> TableRegistry::Names(const std::string& after, size_t limit) const {
  const MutexLock lock(mutex_);
  std::vector<std::string> names;
  for (auto it = tables_.upper_bound(after); it != tables_.end() && names.size() < limit; ++it) {
    names.push_back(it->first);
  }
  return names;
}

std::vector<TablePtr> TableRegistry::All() const {
  const MutexLock lock(mutex_);
  std::vector<TablePtr> tables;
  for (const auto& [name, table] : tables_) {
    tables.push_back(table);
  }
  return tables;
}

}  // namespace tintype::tables::engine
