#include "tables/engine/open.h"

#include <filesystem>
#include <memory>

#include "base/strings.h"
#include "tables/engine/changes/change_log.h"
#include "tables/engine/recovery/restore.h"
#include "tables/engine/recovery/table_backup.h"
#include "tables/engine/schema/backfill.h"
#include "tables/engine/storage/meta_keys.h"

namespace tintype::tables::engine {
namespace {

Error DamagedMeta(std::string_view what) {
  return Error::Corruption(StrCat("The stored ", what, " is damaged; the tables were not opened"));
}

Status LoadTable(Core& core, std::string_view key, std::string_view value) {
  RETURN_IF_ERROR(CheckEncodedItem(value));
  ASSIGN_OR_RETURN(TableInfo table, TableInfo::FromStored(MapView(value)));
  if (meta::TableKey(table.definition.name) != key) {
    return DamagedMeta("table list");
  }
  core.tables.Put(std::make_shared<const TableInfo>(std::move(table)));
  return OkStatus();
}

Status LoadTotals(Core& core, std::string_view key, std::string_view value) {
  const std::optional<uint64_t> count = ReadVarint(value);
  const std::optional<uint64_t> bytes = ReadVarint(value);
  if (key.size() != 1 + kKeyPrefixBytes || !count || !bytes) {
    return DamagedMeta("totals");
  }
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(key[i])); };
  const TableId table = byte(1) << 24 | byte(2) << 16 | byte(3) << 8 | byte(4);
  const auto index = static_cast<IndexId>(byte(5) << 8 | byte(6));
  core.statistics.Set(table, index, {static_cast<int64_t>(*count), static_cast<int64_t>(*bytes)});
  return OkStatus();
}

Status LoadNextTableId(Core& core, std::string_view value) {
  const std::optional<uint64_t> id = ReadVarint(value);
  if (!id) {
    return DamagedMeta("table counter");
  }
  core.next_table_id = static_cast<TableId>(*id);
  return OkStatus();
}

Status LoadRetiredStream(Core& core, std::string_view value) {
  RETURN_IF_ERROR(CheckEncodedItem(value));
  ASSIGN_OR_RETURN(StreamInfo stream, StreamInfo::FromStored(MapView(value)));
  core.retired_streams.Put(std::move(stream));
  return OkStatus();
}

Status LoadBackup(Core& core, std::string_view value) {
  RETURN_IF_ERROR(CheckEncodedItem(value));
  ASSIGN_OR_RETURN(BackupInfo backup, BackupInfo::FromStored(MapView(value)));
  core.backups.Put(std::move(backup));
  return OkStatus();
}

Status LoadMeta(Core& core) {
  const std::unique_ptr<rocksdb::Iterator> it(
      core.storage->db().NewIterator(rocksdb::ReadOptions(), core.storage->meta()));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    const std::string_view key = ToView(it->key());
    const std::string_view value = ToView(it->value());
    switch (key.empty() ? '\0' : key[0]) {
      case meta::kTable:
        RETURN_IF_ERROR(LoadTable(core, key, value));
        break;
      case meta::kTotals:
        RETURN_IF_ERROR(LoadTotals(core, key, value));
        break;
      case meta::kNextTableId:
        RETURN_IF_ERROR(LoadNextTableId(core, value));
        break;
      case meta::kRetiredStream:
        RETURN_IF_ERROR(LoadRetiredStream(core, value));
        break;
      case meta::kBackup:
        RETURN_IF_ERROR(LoadBackup(core, value));
        break;
      case meta::kToken:
      case meta::kBackfill:
      case meta::kLastPosition:
      case meta::kRecord:
        break;  // Loaded by those who own them.
      default:
        return DamagedMeta("description of the tables");
    }
  }
  return it->status().ok() ? OkStatus() : Status(FromRocksDb(it->status()));
}

}  // namespace

Status OpenCore(Core& core) {
  std::error_code failed;
  std::filesystem::create_directories(core.config.directory, failed);
  if (failed) {
    return Error::Io(
        StrCat("Cannot create the directory ", core.config.directory, ": ", failed.message()));
  }
  // Replaying a log may write it out to a sorted file: the ballast goes now if that needs its room.
  core.disk_space.Check();
  ASSIGN_OR_RETURN(core.storage, Storage::Open(core.config, core.clock));
  RETURN_IF_ERROR(LoadMeta(core));
  RETURN_IF_ERROR(core.tokens.Load(*core.storage));
  RETURN_IF_ERROR(LoadPositions(*core.storage, core.positions));
  RETURN_IF_ERROR(LoadBackfills(core));
  core.committer.Start();
  core.long_work.Start();
  core.reads.Start();
  core.disk_space.Start([&core] { core.committer.RoomArrived(); });
  for (const TablePtr& table : core.tables.All()) {
    for (const IndexId index : UnfinishedBackfills(*table)) {
      ContinueBackfill(core, table->definition.name, table->id, index);
    }
    if (table->creating()) {
      BeginRestore(core, *table);
    }
  }
  ResumeBackups(core);
  return OkStatus();
}

}  // namespace tintype::tables::engine
