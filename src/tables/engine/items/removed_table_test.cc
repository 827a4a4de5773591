// Reads that wait in the pool while their table or index is removed. Removing it deletes its files,
// which takes rows away even from those who have a snapshot.

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/testing/eventually.h"
#include "tables/engine/commit/core.h"
#include "tables/engine/testing/engine_test.h"

namespace tintype::tables::engine {
namespace {

// What a read failed with; nothing if it did not.
template <typename Response>
std::optional<ErrorKind> ErrorKindOf(const Result<Response>& result) {
  return result.ok() ? std::nullopt : std::optional(result.error().kind());
}

class RemovedTableTest : public EngineTest {
 protected:
  static constexpr int64_t kItems = 400;

  EngineConfig Config() override {
    EngineConfig config = EngineTest::Config();
    config.read_threads = 1;
    config.read_queue_limit = queue_limit_;
    return config;
  }

  // A table of 400 KB whose rows are all in files of the last level.
  void SetUp() override {
    Open();
    CreateTableRequest request = Table("t");
    request.definition.attributes = {
        {"pk", Type::kString}, {"sk", Type::kNumber}, {"l", Type::kNumber}, {"n", Type::kNumber}};
    request.definition.keys = {{"pk"}, {"sk"}};
    request.definition.local_indexes = {
        {"by_l", {{"pk"}, {"l"}}, {IndexProjection::Kind::kKeysOnly, {}}, {}, {}}};
    request.definition.global_indexes = {
        {"by_n", {{"pk"}, {"n"}}, {IndexProjection::Kind::kAll, {}}, {}, {}}};
    Create(std::move(request));
    for (int64_t sk = 0; sk < kItems; ++sk) {
      Put("t", Item::Of({{"pk", Value::String("p")},
                         {"sk", Value::Integer(sk)},
                         {"l", Value::Integer(sk)},
                         {"n", Value::Integer(sk)},
                         {"text", Value::String(std::string(1000, 'x'))}}));
    }
    rocksdb::DB& db = core().storage->db();
    ASSERT_TRUE(db.CompactRange({}, core().storage->data(), nullptr, nullptr).ok());
  }

  static QueryRequest All(std::optional<std::string> index = {},
                          std::optional<int64_t> limit = {}) {
    QueryRequest request;
    request.table = "t";
    request.key_condition.terms = {{"pk", KeyCondition::Operator::kEqual, {Value::String("p")}}};
    request.options.index = std::move(index);
    request.options.limit = limit;
    request.options.select = Select::kAllAttributes;
    return request;
  }
  static Item NumberedKey(int64_t sk) {
    return Item::Of({{"pk", Value::String("p")}, {"sk", Value::Integer(sk)}});
  }

  // Keeps the thread of the pool busy until Release.
  void Hold() {
    std::promise<void> held;
    ASSERT_TRUE(core().reads.Submit(ReadPool::Length::kShort, 0, [this, &held] {
      held.set_value();
      released_.get_future().wait();
    }));
    held.get_future().wait();
  }
  void Release() { released_.set_value(); }

  template <typename Request, typename Response>
  std::future<Result<Response>> Begin(void (Database::*operation)(Request, Done<Response>),
                                      Request request) {
    auto promise = std::make_shared<std::promise<Result<Response>>>();
    (static_cast<Database&>(*database_).*operation)(
        std::move(request),
        [promise](Result<Response> result) { promise->set_value(std::move(result)); });
    return promise->get_future();
  }

  // Removes the table, and waits until its files are gone.
  void RemoveTable() {
    DeleteTableRequest request;
    request.table = "t";
    ASSERT_TRUE(Call(&Database::DeleteTable, std::move(request)).ok());
    const auto files = [this] {
      std::vector<rocksdb::LiveFileMetaData> live;
      core().storage->db().GetLiveFilesMetaData(&live);
      return std::count_if(live.begin(), live.end(), [](const rocksdb::LiveFileMetaData& file) {
        return file.column_family_name == "data";
      });
    };
    ASSERT_TRUE(Eventually([&] { return files() == 0; }));
  }

  uint64_t snapshots() {
    uint64_t count = 0;
    EXPECT_TRUE(
        core().storage->db().GetIntProperty(rocksdb::DB::Properties::kNumSnapshots, &count));
    return count;
  }

  size_t queue_limit_ = 1024;
  std::promise<void> released_;
};

// Neither a page that breaks off, nor an empty one, nor one that calls the table damaged: there is
// no such table.
TEST_F(RemovedTableTest, PagesThatWaitedSayThatTheTableIsGone) {
  Hold();
  std::vector<std::future<Result<ReadResponse>>> pages;
  for (const std::optional<int64_t> limit :
       {std::optional<int64_t>(), std::optional<int64_t>(90)}) {
    pages.push_back(Begin(&Database::Query, All({}, limit)));
    pages.push_back(Begin(&Database::Query, All("by_l", limit)));
    pages.push_back(Begin(&Database::Query, All("by_n", limit)));
  }
  EXPECT_GT(snapshots(), 0U);
  RemoveTable();
  Release();
  for (size_t i = 0; i < pages.size(); ++i) {
    const Result<ReadResponse> page = pages[i].get();
    ASSERT_FALSE(page.ok()) << i << ": " << page->items.size() << " items";
    EXPECT_EQ(page.error().kind(), ErrorKind::kNotFound) << i;
  }
  EXPECT_TRUE(Eventually([&] { return snapshots() == 0; }));
}

// Items of a table that is gone are not told to be missing from it.
TEST_F(RemovedTableTest, BatchesThatWaitedSayThatTheTableIsGone) {
  BatchGetItemRequest batch;
  batch.tables.push_back({.table = "t", .keys = {}, .projection = {}, .consistent_read = false});
  TransactGetItemsRequest transaction;
  for (int64_t sk = 0; sk < 90; ++sk) {
    batch.tables[0].keys.push_back(NumberedKey(sk));
    TransactGetItemsRequest::Get get;
    get.table = "t";
    get.key = NumberedKey(sk);
    transaction.gets.push_back(std::move(get));
  }
  Hold();
  auto items = Begin(&Database::BatchGetItem, std::move(batch));
  auto gets = Begin(&Database::TransactGetItems, std::move(transaction));
  RemoveTable();
  Release();
  EXPECT_EQ(ErrorKindOf(items.get()), ErrorKind::kNotFound);
  EXPECT_EQ(ErrorKindOf(gets.get()), ErrorKind::kNotFound);
  EXPECT_TRUE(Eventually([&] { return snapshots() == 0; }));
}

// One of the same name that is there by then is another table.
TEST_F(RemovedTableTest, ANewTableOfTheSameNameIsAnotherOne) {
  Hold();
  auto page = Begin(&Database::Query, All());
  RemoveTable();
  Create(Table("t"));
  Release();
  EXPECT_EQ(ErrorKindOf(page.get()), ErrorKind::kNotFound);
}

// The table stays as it is when an index of it goes.
TEST_F(RemovedTableTest, PagesThatWaitedSayThatTheIndexIsGone) {
  Hold();
  auto of_index = Begin(&Database::Query, All("by_n"));
  auto of_table = Begin(&Database::Query, All());
  UpdateTableRequest request;
  request.table = "t";
  request.index_changes.emplace_back(UpdateTableRequest::DeleteIndex{"by_n"});
  ASSERT_TRUE(Call(&Database::UpdateTable, std::move(request)).ok());
  Release();
  EXPECT_EQ(ErrorKindOf(of_index.get()), ErrorKind::kValidation);
  const Result<ReadResponse> page = of_table.get();
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->items.size(), static_cast<size_t>(kItems));
}

// A read that is refused keeps nothing.
TEST_F(RemovedTableTest, ARefusedReadLetsItsSnapshotGo) {
  queue_limit_ = 0;
  Open();
  EXPECT_EQ(ErrorKindOf(Call(&Database::Query, All())), ErrorKind::kOverloaded);
  EXPECT_EQ(snapshots(), 0U);
}

}  // namespace
}  // namespace tintype::tables::engine
