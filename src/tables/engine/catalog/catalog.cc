#include "tables/engine/catalog/catalog.h"

namespace tintype::tables::engine {

Result<TablePtr> Catalog::Find(std::string_view name) const {
  TablePtr table = FindOrNull(name);
  if (!table || table->creating()) {
    return Error::NotFound("Requested resource not found");
  }
  return table;
}

TablePtr Catalog::FindOrNull(std::string_view name) const {
  const MutexLock lock(mutex_);
  const auto found = tables_.find(name);
  return found == tables_.end() ? nullptr : found->second;
}

void Catalog::Put(TablePtr table) {
  const MutexLock lock(mutex_);
  tables_.insert_or_assign(table->definition.name, std::move(table));
}

void Catalog::Erase(std::string_view name) {
  const MutexLock lock(mutex_);
  if (const auto found = tables_.find(name); found != tables_.end()) {
    tables_.erase(found);
  }
}

std::vector<std::string> Catalog::Names(const std::string& after, size_t limit) const {
  const MutexLock lock(mutex_);
  std::vector<std::string> names;
  for (auto it = tables_.upper_bound(after); it != tables_.end() && names.size() < limit; ++it) {
    names.push_back(it->first);
  }
  return names;
}

std::vector<TablePtr> Catalog::All() const {
  const MutexLock lock(mutex_);
  std::vector<TablePtr> tables;
  for (const auto& [name, table] : tables_) {
    tables.push_back(table);
  }
  return tables;
}

}  // namespace tintype::tables::engine
