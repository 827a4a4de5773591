#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "tables/engine/core_database.h"
#include "tables/engine/encryption/keyring.h"
#include "tables/engine/recovery/directory_backup.h"
#include "tables/engine/stats.h"
#include "tables/engine/storage/config.h"
#include "tables/language/backups.h"
#include "tables/language/changes.h"
#include "tables/language/records.h"
#include "tables/language/streams.h"
#include "tables/language/table_facts.h"

namespace tintype::tables::engine {

struct Core;
class Housekeeping;

/// The embedded Database on RocksDB. Owned by the process's wiring (`cli/`).
///
/// Thread safety: as Database. Reads begin on the calling thread; those of one item, and those that
/// are small and in memory, are answered before the call returns, others by a pool of threads. All
/// reads of AsServer() are answered before the call returns: its callers may wait. Writes are
/// answered on the commit thread.
/// After a crash: opening replays the write-ahead log; everything answered is there, indexes agree
/// with their tables, and an index that was being filled goes on being filled.
class RocksDatabase : public CoreDatabase,
                      public Streams,
                      public Backups,
                      public ChangeLog,
                      public Records,
                      public TableFacts {
 public:
  /// Opens or creates the tables in `config.directory`. Errors: kAlreadyOpen when another process
  /// holds it, kCorruption naming the damaged file, kIo.
  static Result<std::unique_ptr<RocksDatabase>> Open(EngineConfig config, const Clock& clock);

  /// What the disk has room for, as of the last look.
  struct DiskStatus {
    uint64_t free_bytes = 0;
    bool writes_refused = false;  ///< Those of clients: all, or all but deletions.
    bool full = false;            ///< All are refused: deletions, and this server's own.
  };
  DiskStatus disk_status() const;

  /// Figures for metrics: commits, compactions, stalls, memory, files. Thread-safe; takes up to
  /// some hundred microseconds.
  EngineStats stats() const;

  /// The backups of these tables in `folder`, to add one or remove some. See directory_backup.h;
  /// gone before this is.
  Result<std::unique_ptr<TablesBackups>> OpenBackups(const std::string& folder);

  /// Keys for what is no table but is to be encrypted as they are; see Keyring::Derive. None where
  /// the tables are not encrypted.
  std::vector<DerivedKey> DeriveKeys(std::string_view info) const;

  /// The same tables for this server's own writes, which the change log marks as such, and which
  /// are accepted on a nearly full disk as deletions are; everything else is a client's. Lives as
  /// long as this.
  Database& AsServer() { return as_server_; }

  /// Finishes the writes it has accepted, then closes.
  ~RocksDatabase() override;

  void ListStreams(ListStreamsRequest request, Done<ListStreamsResponse> done) override;
  void DescribeStream(DescribeStreamRequest request, Done<DescribeStreamResponse> done) override;
  void GetShardIterator(GetShardIteratorRequest request,
                        Done<GetShardIteratorResponse> done) override;
  void GetRecords(GetRecordsRequest request, Done<GetRecordsResponse> done) override;

  Result<std::vector<ChangeShard>> ListShards(const std::string& table) override;
  Result<ReadChangesResponse> ReadChanges(const ReadChangesRequest& request) override;
  uint64_t CommitCount() const override;
  bool WaitForCommit(uint64_t seen, std::chrono::milliseconds at_most) override;

  Result<std::map<std::string, std::string>> ReadRecords(std::string_view prefix) const override;
  void ChangeRecords(ChangeRecordsRequest request, Done<EmptyResponse> done) override;

  std::vector<std::string> PartitionKeyOf(std::string_view table,
                                          std::optional<std::string_view> index) const override;
  std::optional<std::string> StreamOf(std::string_view shard_iterator) const override;
  std::shared_ptr<const ResourcePolicy> PolicyOfTable(std::string_view table) const override;
  std::shared_ptr<const ResourcePolicy> PolicyOfStream(std::string_view arn) const override;

  void CreateBackup(CreateBackupRequest request, Done<CreateBackupResponse> done) override;
  void DescribeBackup(DescribeBackupRequest request, Done<BackupResponse> done) override;
  void DeleteBackup(DeleteBackupRequest request, Done<BackupResponse> done) override;
  void ListBackups(ListBackupsRequest request, Done<ListBackupsResponse> done) override;
  void RestoreTableFromBackup(RestoreTableFromBackupRequest request,
                              Done<TableResponse> done) override;
  void UpdateContinuousBackups(UpdateContinuousBackupsRequest request,
                               Done<ContinuousBackupsResponse> done) override;
  void DescribeContinuousBackups(DescribeContinuousBackupsRequest request,
                                 Done<ContinuousBackupsResponse> done) override;
  void RestoreTableToPointInTime(RestoreTableToPointInTimeRequest request,
                                 Done<TableResponse> done) override;

 private:
  friend class EngineTest;  // Holds threads up, to see what happens meanwhile.
  explicit RocksDatabase(std::unique_ptr<Core> core);

  std::unique_ptr<Core> core_;
  std::unique_ptr<Housekeeping> housekeeping_;
  CoreDatabase as_server_;
};

}  // namespace tintype::tables::engine
