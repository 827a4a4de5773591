#include "tables/engine/rocks_database.h"

#include "tables/engine/commit/core.h"
#include "tables/engine/housekeeping.h"
#include "tables/engine/open.h"
#include "tables/engine/recovery/operations.h"
#include "tables/engine/schema/operations.h"
#include "tables/engine/schema/resource_policies.h"
#include "tables/engine/streams/operations.h"
#include "tables/engine/streams/shard_iterator.h"

namespace tintype::tables::engine {

Result<std::unique_ptr<RocksDatabase>> RocksDatabase::Open(EngineConfig config,
                                                           const Clock& clock) {
  auto core = std::make_unique<Core>(std::move(config), clock);
  RETURN_IF_ERROR(OpenCore(*core));
  return std::unique_ptr<RocksDatabase>(new RocksDatabase(std::move(core)));
}

RocksDatabase::RocksDatabase(std::unique_ptr<Core> core)
    : CoreDatabase(*core, ChangeOrigin::kEndpoint),
      core_(std::move(core)),
      housekeeping_(std::make_unique<Housekeeping>(*core_)),
      as_server_(*core_, ChangeOrigin::kServer) {
  housekeeping_->Start();
}

RocksDatabase::~RocksDatabase() {
  // It may wait for the commit thread, which answers until it ends.
  housekeeping_->RequestStop();
  core_->Stop();
  housekeeping_->Stop();
}

RocksDatabase::DiskStatus RocksDatabase::disk_status() const {
  const Room room = core_->disk_space.room();
  return {core_->disk_space.free_bytes(), room != Room::kEnough, room == Room::kNone};
}

EngineStats RocksDatabase::stats() const {
  return {core_->committer.stats(), core_->storage->stats()};
}

Result<std::unique_ptr<TablesBackups>> RocksDatabase::OpenBackups(const std::string& folder) {
  return TablesBackups::Open(*core_->storage, folder);
}

std::vector<DerivedKey> RocksDatabase::DeriveKeys(std::string_view info) const {
  const auto& keyring = core_->storage->keyring();
  return keyring == nullptr ? std::vector<DerivedKey>() : keyring->Derive(info);
}

void RocksDatabase::ListStreams(ListStreamsRequest request, Done<ListStreamsResponse> done) {
  done(engine::ListStreams(*core_, request));
}

void RocksDatabase::DescribeStream(DescribeStreamRequest request,
                                   Done<DescribeStreamResponse> done) {
  done(engine::DescribeStream(*core_, request));
}

void RocksDatabase::GetShardIterator(GetShardIteratorRequest request,
                                     Done<GetShardIteratorResponse> done) {
  done(engine::GetShardIterator(*core_, request));
}

void RocksDatabase::GetRecords(GetRecordsRequest request, Done<GetRecordsResponse> done) {
  engine::GetRecords(*core_, std::move(request), std::move(done));
}

void RocksDatabase::DescribeBackup(DescribeBackupRequest request, Done<BackupResponse> done) {
  done(engine::DescribeBackup(*core_, request));
}

void RocksDatabase::ListBackups(ListBackupsRequest request, Done<ListBackupsResponse> done) {
  done(engine::ListBackups(*core_, request));
}

void RocksDatabase::DescribeContinuousBackups(DescribeContinuousBackupsRequest request,
                                              Done<ContinuousBackupsResponse> done) {
  done(engine::DescribeContinuousBackups(*core_, request));
}

void RocksDatabase::CreateBackup(CreateBackupRequest request, Done<CreateBackupResponse> done) {
  engine::CreateBackup(*core_, std::move(request), std::move(done));
}

void RocksDatabase::DeleteBackup(DeleteBackupRequest request, Done<BackupResponse> done) {
  engine::DeleteBackup(*core_, std::move(request), std::move(done));
}

void RocksDatabase::RestoreTableFromBackup(RestoreTableFromBackupRequest request,
                                           Done<TableResponse> done) {
  engine::RestoreTableFromBackup(*core_, std::move(request), std::move(done));
}

void RocksDatabase::UpdateContinuousBackups(UpdateContinuousBackupsRequest request,
                                            Done<ContinuousBackupsResponse> done) {
  engine::UpdateContinuousBackups(*core_, std::move(request), std::move(done));
}

void RocksDatabase::RestoreTableToPointInTime(RestoreTableToPointInTimeRequest request,
                                              Done<TableResponse> done) {
  engine::RestoreTableToPointInTime(*core_, std::move(request), std::move(done));
}

Result<std::vector<ChangeShard>> RocksDatabase::ListShards(const std::string& table) {
  return engine::ListShards(*core_, table);
}

Result<ReadChangesResponse> RocksDatabase::ReadChanges(const ReadChangesRequest& request) {
  return engine::ReadChanges(*core_, request);
}

uint64_t RocksDatabase::CommitCount() const { return core_->positions.committed(); }

Result<std::map<std::string, std::string>> RocksDatabase::ReadRecords(
    std::string_view prefix) const {
  return engine::ReadRecords(*core_, prefix);
}

void RocksDatabase::ChangeRecords(ChangeRecordsRequest request, Done<EmptyResponse> done) {
  engine::ChangeRecords(*core_, std::move(request), std::move(done));
}

std::vector<std::string> RocksDatabase::PartitionKeyOf(
    std::string_view table, std::optional<std::string_view> index) const {
  const TablePtr found = core_->tables.FindOrNull(table);
  if (!found) {
    return {};
  }
  if (!index) {
    return {found->hash.name};
  }
  std::vector<std::string> names;
  if (const IndexInfo* const info = found->FindIndex(*index)) {
    for (const KeyAttribute& attribute : info->hash) {
      names.push_back(attribute.name);
    }
  }
  return names;
}

std::optional<std::string> RocksDatabase::StreamOf(std::string_view shard_iterator) const {
  Result<ShardIterator> iterator = ShardIterator::Decode(shard_iterator);
  return iterator.ok() ? std::optional(std::move(iterator->arn)) : std::nullopt;
}

std::shared_ptr<const ResourcePolicy> RocksDatabase::PolicyOfTable(std::string_view table) const {
  if (!core_->tables.have_policies()) {
    return nullptr;
  }
  const TablePtr found = core_->tables.FindOrNull(table);
  return found ? found->policy : nullptr;
}

std::shared_ptr<const ResourcePolicy> RocksDatabase::PolicyOfStream(std::string_view arn) const {
  return engine::PolicyOfStream(*core_, arn);
}

bool RocksDatabase::WaitForCommit(uint64_t seen, std::chrono::milliseconds at_most) {
  return core_->positions.WaitBeyond(seen, at_most);
}

}  // namespace tintype::tables::engine
