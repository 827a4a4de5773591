// RocksDB's memory stays within what the settings say, however large the tables are.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/strings.h"
#include "tables/engine/commit/core.h"
#include "tables/engine/testing/engine_test.h"

namespace tintype::tables::engine {
namespace {

constexpr size_t kCacheBytes = size_t{1} << 20;
constexpr size_t kBufferBytes = size_t{256} << 10;

class MemoryTest : public EngineTest {
 protected:
  EngineConfig Config() override {
    EngineConfig config = EngineTest::Config();
    config.cache_bytes = kCacheBytes;
    config.write_buffer_bytes = kBufferBytes;
    return config;
  }

  // Keys so long, and alike, that the indexes of the files take a good part of the cache.
  static constexpr size_t kKeyBytes = 900;
  static Value LongKey(int i) {
    return Value::String(StrCat(std::string(kKeyBytes, 'k'), 100'000 + i));
  }
  static CreateTableRequest LongTable() {
    CreateTableRequest request = Table("t");
    request.definition.attributes = {{"pk", Type::kString}, {"sk", Type::kString}};
    request.definition.keys = {{"pk"}, {"sk"}};
    return request;
  }
  void PutLong(int key, int number) {
    Put("t", Item::Of({{"pk", Value::String("p")},
                       {"sk", LongKey(key)},
                       {"n", Value::Integer(number)},
                       {"text", Value::String(std::string(900, 'x'))}}));
  }
};

// Indexes and filters of files are in the cache, which keeps fewer blocks for them.
TEST_F(MemoryTest, IndexesAndFiltersAreInTheCache) {
  constexpr int kItems = 3000;
  Create(LongTable());
  for (int i = 0; i < kItems; ++i) {
    PutLong(i, 0);
  }
  rocksdb::DB& db = core().storage->db();
  ASSERT_TRUE(db.CompactRange({}, core().storage->data(), nullptr, nullptr).ok());
  Open();
  // Nothing was read yet: these are the indexes.
  EXPECT_GE(database_->stats().storage.cache_bytes, kCacheBytes / 8);

  for (int i = 0; i < kItems; i += 7) {
    GetItemRequest request;
    request.table = "t";
    request.key = Item::Of({{"pk", Value::String("p")}, {"sk", LongKey(i)}});
    const Result<GetItemResponse> got = Call(&Database::GetItem, std::move(request));
    ASSERT_TRUE(got.ok() && got->item) << i;
    if (i % 70 == 0) {
      const StorageStats stats = database_->stats().storage;
      ASSERT_LE(stats.cache_bytes, kCacheBytes + kCacheBytes / 16) << i;
      // Each open file takes some KB, and RocksDB decides how many there are. With indexes and
      // filters it would be some 700 KB.
      ASSERT_LE(stats.table_reader_bytes, kCacheBytes / 4) << i;
    }
  }
  EXPECT_EQ(Items("t").size(), static_cast<size_t>(kItems));
}

// Two buffers each for items and changes, and small ones for what the engine keeps for itself.
TEST_F(MemoryTest, WriteBuffersAreBounded) {
  CreateTableRequest request = LongTable();
  request.definition.stream = StreamView::kNewAndOldImages;
  Create(std::move(request));
  uint64_t most = 0;
  for (int i = 0; i < 4000; ++i) {
    PutLong(i % 100, i);
    if (i % 10 == 0) {
      most = std::max(most, database_->stats().storage.memtable_bytes);
    }
  }
  EXPECT_GT(database_->stats().storage.flushes_total, 10U) << "otherwise this shows nothing";
  EXPECT_LE(most, 5 * kBufferBytes);
}

}  // namespace
}  // namespace tintype::tables::engine
