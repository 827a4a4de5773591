#include "tables/engine/recovery/restore.h"

#include <chrono>
#include <future>
#include <limits>
#include <thread>

#include "base/logging.h"
#include "tables/engine/changes/change_log.h"
#include "tables/engine/commit/commit_group.h"
#include "tables/engine/commit/task.h"
#include "tables/engine/recovery/table_backup.h"
#include "tables/engine/rows/item_keys.h"
#include "tables/engine/schema/table_change.h"
#include "tables/engine/storage/record.h"
#include "tables/language/errors.h"
#include "tables/language/shutting_down.h"

namespace tintype::tables::engine {
namespace {

// Long enough that syncs cost little, short enough that other writes do not wait long.
constexpr size_t kChunkBytes = size_t{1} << 20;
constexpr size_t kChunkItems = 500;

// One row as it is to be: its key in `data` without table and index id, and its item, if any.
struct Row {
  std::string key;
  std::optional<Item> item;
};

// Fills one table. On a thread for long work, or of a backup's own.
class Restore {
 public:
  Restore(Core& core, TablePtr table) : core_(core), table_(std::move(table)) {}

  Status Run() {
    RETURN_IF_ERROR(Commit([this](CommitGroup& group) -> Result<EmptyResponse> {
      DropRows(group);  // What an earlier attempt left.
      return EmptyResponse{};
    }));
    const RestoreInfo& restore = *table_->restore;
    if (restore.from == RestoreInfo::From::kBackupFiles) {
      RETURN_IF_ERROR(CopyFiles(restore.backup_id));
    } else {
      const ScopedSnapshot snapshot(core_.storage->db());
      RETURN_IF_ERROR(CopyTable(restore.source, snapshot.get()));
      if (restore.from == RestoreInfo::From::kTime) {
        RETURN_IF_ERROR(Undo(restore, snapshot.get()));
      }
    }
    RETURN_IF_ERROR(WriteChunk());
    return Commit([this](CommitGroup& group) -> Result<EmptyResponse> {
      TableInfo whole = *table_;
      whole.restore->in_progress = false;
      StageTable(group, std::move(whole));
      return EmptyResponse{};
    });
  }

  int64_t rows() const { return rows_; }

 private:
  void DropRows(CommitGroup& group) {
    DropIndexData(group, *table_, std::nullopt, Afterwards::kRefilled);
  }

  Status CopyFiles(const std::string& backup_id) {
    const std::optional<BackupInfo> backup = core_.backups.Find(backup_id);
    if (!backup) {
      return Error(tables::reasons::kBackupNotFound, "The backup is gone");
    }
    ASSIGN_OR_RETURN(const BackupFiles files, BackupFiles::Open(core_, *backup));
    for (size_t i = 0; i < files.size(); ++i) {
      ASSIGN_OR_RETURN(const auto reader, files.Read(i));
      rocksdb::ReadOptions read;
      read.readahead_size = size_t{2} << 20;
      const std::unique_ptr<rocksdb::Iterator> it(reader->NewIterator(read));
      it->SeekToFirst();
      RETURN_IF_ERROR(CopyRows(*it, 0));
    }
    return OkStatus();
  }

  Status CopyTable(TableId source, const rocksdb::Snapshot* snapshot) {
    std::string lower;
    AppendKeyPrefix(lower, source, kTableItself);
    const std::string upper = PrefixSuccessor(lower);
    const rocksdb::Slice upper_bound = upper;
    rocksdb::ReadOptions read;
    read.snapshot = snapshot;
    read.iterate_upper_bound = &upper_bound;
    read.fill_cache = false;
    read.readahead_size = size_t{2} << 20;
    const std::unique_ptr<rocksdb::Iterator> it(
        core_.storage->db().NewIterator(read, core_.storage->data()));
    it->Seek(lower);
    return CopyRows(*it, kKeyPrefixBytes);
  }

  Status CopyRows(rocksdb::Iterator& it, size_t key_prefix_bytes) {
    for (; it.Valid(); it.Next()) {
      rocksdb::Slice key = it.key();
      key.remove_prefix(key_prefix_bytes);
      ++rows_;
      RETURN_IF_ERROR(Add({key.ToString(), Item::Copy(Record::Decode(ToView(it.value())).item)}));
    }
    return it.status().ok() ? OkStatus() : Status(FromRocksDb(it.status()));
  }

  Status Undo(const RestoreInfo& restore, const rocksdb::Snapshot* snapshot) {
    RETURN_IF_ERROR(WriteChunk());
    for (uint8_t shard = 0; shard < kShards; ++shard) {
      ShardReader reader(*core_.storage, restore.source, shard, snapshot);
      const Position first = FirstPositionAt(restore.time_ms + 1);
      for (reader.SeekBefore(std::numeric_limits<Position>::max());
           reader.valid() && reader.position() >= first; reader.Previous()) {
        ASSIGN_OR_RETURN(ChangeRecord change, reader.Read());
        const Item key = change.KeyOf(table_->definition.keys);
        ASSIGN_OR_RETURN(const std::string data_key, EncodeRequestKey(*table_, key.view()));
        RETURN_IF_ERROR(Add({data_key.substr(kKeyPrefixBytes), std::move(change.old_image)}));
      }
      RETURN_IF_ERROR(reader.status());
    }
    return OkStatus();
  }

  Status Add(Row row) {
    chunk_bytes_ += row.item ? row.item->payload().size() : 0;
    chunk_.push_back(std::move(row));
    return chunk_.size() < kChunkItems && chunk_bytes_ < kChunkBytes ? OkStatus() : WriteChunk();
  }

  Status WriteChunk() {
    chunk_bytes_ = 0;
    // Else everybody's writes would be slowed down for the sake of this one.
    while (core_.storage->falls_behind() && !core_.long_work.stopping()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return Commit(
        [this, rows = std::exchange(chunk_, {})](CommitGroup& group) -> Result<EmptyResponse> {
          for (const Row& row : rows) {
            std::string key;
            AppendKeyPrefix(key, table_->id, kTableItself);
            key.append(row.key);
            ASSIGN_OR_RETURN(const std::optional<Item> before, group.Read(key));
            group.Stage(*table_, key, before, row.item, ChangeOrigin::kServer);
          }
          return EmptyResponse{};
        });
  }

  // Has the commit thread do something, and waits for it.
  template <typename Decide>
  Status Commit(Decide decide) {
    if (core_.long_work.stopping()) {
      return ShuttingDown();
    }
    std::promise<Status> written;
    SubmitOwnWork<EmptyResponse>(
        core_, Space::kTakes, std::move(decide), [&written](Result<EmptyResponse> done) {
          written.set_value(done.ok() ? OkStatus() : Status(std::move(done).error()));
        });
    return written.get_future().get();
  }

  Core& core_;
  const TablePtr table_;
  std::vector<Row> chunk_;
  size_t chunk_bytes_ = 0;
  int64_t rows_ = 0;
};

// A restore that cannot be finished leaves no table that looks like one.
void GiveUp(Core& core, const TableInfo& table, const Error& error) {
  LogError("a table could not be restored and is removed",
           {{"table", table.definition.name}, {"reason", error.message()}});
  SubmitOwnWork<EmptyResponse>(
      core, Space::kFrees,
      [table](CommitGroup& group) -> Result<EmptyResponse> {
        RemoveTable(group, table);
        return EmptyResponse{};
      },
      [](const Result<EmptyResponse>&) {});
}

}  // namespace

void BeginRestore(Core& core, const TableInfo& table) {
  core.long_work.Add([&core, table = std::make_shared<const TableInfo>(table)] {
    Restore restore(core, table);
    const int64_t began_ms = core.clock.NowMs();
    const Status restored = restore.Run();
    if (restored.ok()) {
      LogInfo("table restored", {{"table", table->definition.name},
                                 {"items", restore.rows()},
                                 {"ms", core.clock.NowMs() - began_ms}});
    } else if (restored.error().kind() != ErrorKind::kUnavailable) {
      GiveUp(core, *table, restored.error());
    }
  });
}

}  // namespace tintype::tables::engine
