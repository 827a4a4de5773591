#include "tables/engine/recovery/table_backup_manifest.h"

#include "tables/engine/storage/stored_item.h"

namespace tintype::tables::engine {
namespace {

constexpr int64_t kVersion = 1;

}  // namespace

Item TableBackupManifest::ToStored(const Item& backup) const {
  std::vector<std::string> names;
  std::vector<Value> counts;
  for (const File& file : files) {
    names.push_back(file.name);
    counts.push_back(Value::Integer(file.rows));
  }
  StoredWriter out;
  out.Put("version", kVersion);
  out.Put("backup", Value::Map(backup));
  out.Put("files", names);
  out.Put("counts", Value::List(counts));
  return out.Finish();
}

Result<TableBackupManifest> TableBackupManifest::FromStored(MapView stored) {
  StoredReader in(stored);
  const int64_t version = in.Integer("version");
  const std::vector<std::string> names = in.Texts("files");
  const std::vector<int64_t> counts = in.Integers("counts");
  bool whole = !in.damaged() && version == kVersion && names.size() == counts.size();
  TableBackupManifest manifest;
  for (size_t i = 0; whole && i < names.size(); ++i) {
    // A name leads nowhere but into the backup's own directory.
    whole = counts[i] >= 0 && !names[i].empty() && names[i].find('/') == std::string::npos;
    manifest.files.push_back({names[i], counts[i]});
  }
  return whole ? Result<TableBackupManifest>(std::move(manifest))
               : Error::Corruption("The manifest of a backup cannot be understood");
}

}  // namespace tintype::tables::engine
