#pragma once

#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "base/result.h"
#include "tables/engine/config.h"
#include "tables/language/database.h"

namespace tintype::tables::engine {

struct Core;

/// The embedded Database on RocksDB. Owned by the process's wiring (`cli/`).
///
/// Thread safety: as Database. Reads run on the calling thread and answer before the call returns;
/// writes are answered on the commit thread.
/// After a crash: opening replays the write-ahead log; everything answered is there, indexes agree
/// with their tables, and an index that was being filled goes on being filled.
class RocksDatabase : public Database {
 public:
  /// Opens or creates the tables in `config.directory`. Errors: kAlreadyOpen when another process
  /// holds it, kCorruption naming the damaged file, kIo.
  static Result<std::unique_ptr<RocksDatabase>> Open(EngineConfig config, const Clock& clock);

  /// What the disk has room for, as of the last look.
  struct DiskStatus {
    uint64_t free_bytes = 0;
    bool writes_refused = false;  ///< All, or all but deletions.
  };
  DiskStatus disk_status() const;

  /// Finishes the writes it has accepted, then closes.
  ~RocksDatabase() override;

  void GetItem(GetItemRequest request, Done<GetItemResponse> done) override;
  void PutItem(PutItemRequest request, Done<WriteItemResponse> done) override;
  void DeleteItem(DeleteItemRequest request, Done<WriteItemResponse> done) override;
  void UpdateItem(UpdateItemRequest request, Done<WriteItemResponse> done) override;
  void BatchGetItem(BatchGetItemRequest request, Done<BatchGetItemResponse> done) override;
  void BatchWriteItem(BatchWriteItemRequest request, Done<BatchWriteItemResponse> done) override;
  void TransactGetItems(TransactGetItemsRequest request,
                        Done<TransactGetItemsResponse> done) override;
  void TransactWriteItems(TransactWriteItemsRequest request,
                          Done<TransactWriteItemsResponse> done) override;
  void Query(QueryRequest request, Done<ReadResponse> done) override;
  void Scan(ScanRequest request, Done<ReadResponse> done) override;
  void CreateTable(CreateTableRequest request, Done<TableResponse> done) override;
  void UpdateTable(UpdateTableRequest request, Done<TableResponse> done) override;
  void DeleteTable(DeleteTableRequest request, Done<TableResponse> done) override;
  void DescribeTable(DescribeTableRequest request, Done<TableResponse> done) override;
  void ListTables(ListTablesRequest request, Done<ListTablesResponse> done) override;
  void TagResource(TagResourceRequest request, Done<EmptyResponse> done) override;
  void UntagResource(UntagResourceRequest request, Done<EmptyResponse> done) override;
  void ListTagsOfResource(ListTagsRequest request, Done<ListTagsResponse> done) override;

 private:
  explicit RocksDatabase(std::unique_ptr<Core> core);

  std::unique_ptr<Core> core_;
};

}  // namespace tintype::tables::engine
