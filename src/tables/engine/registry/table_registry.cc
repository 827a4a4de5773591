#include "tables/engine/registry/table_registry.h"

namespace tintype::tables::engine {

Result<TablePtr> TableRegistry::Find(std::string_view name) const {
  TablePtr table = FindOrNull(name);
  if (!table || table->creating()) {
    return Error::NotFound("Requested resource not found");
  }
  return table;
}

TablePtr TableRegistry::FindOrNull(std::string_view name) const {
  const MutexLock lock(mutex_);
  const auto found = tables_.find(name);
  return found == tables_.end() ? nullptr : found->second;
}

void TableRegistry::Put(TablePtr table) {
  const MutexLock lock(mutex_);
  tables_.insert_or_assign(table->definition.name, std::move(table));
}

void TableRegistry::Erase(std::string_view name) {
  const MutexLock lock(mutex_);
  if (const auto found = tables_.find(name); found != tables_.end()) {
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
