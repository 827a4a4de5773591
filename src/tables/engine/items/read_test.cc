// Reading through a local index that does not hold all attributes: each item is fetched from the
// table.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "tables/engine/rocks_database.h"
#include "tables/language/blocking_database.h"
#include "tables/language/limits.h"

namespace tintype::tables::engine {
namespace {

class LocalIndexReadTest : public testing::Test {
 protected:
  void SetUp() override {
    EngineConfig config;
    config.directory = directory_.path();
    config.relaxed_durability = true;
    database_ = RocksDatabase::Open(config, SystemClock()).value();
    CreateTableRequest request;
    request.definition.name = "t";
    request.definition.billing_mode = BillingMode::kPayPerRequest;
    request.definition.attributes = {
        {"pk", Type::kString}, {"sk", Type::kNumber}, {"l", Type::kNumber}};
    request.definition.keys = {{"pk"}, {"sk"}};
    request.definition.local_indexes = {
        {"by_l", {{"pk"}, {"l"}}, {IndexProjection::Kind::kKeysOnly, {}}, {}, {}}};
    ASSERT_TRUE(Db().CreateTable(request).ok());
  }

  BlockingDatabase Db() { return BlockingDatabase(*database_); }

  static Item Key(int64_t sk) {
    return Item::Of({{"pk", Value::String("p")}, {"sk", Value::Integer(sk)}});
  }
  void Put(int64_t sk, int64_t l, size_t bytes) {
    const Item item = Item::Of({{"pk", Value::String("p")},
                                {"sk", Value::Integer(sk)},
                                {"l", Value::Integer(l)},
                                {"text", Value::String(std::string(bytes, 'x'))}});
    ASSERT_TRUE(Db().PutItem({"t", item, {}}).ok());
  }
  static QueryRequest WholeItems() {
    QueryRequest request;
    request.table = "t";
    request.options.index = "by_l";
    request.options.select = Select::kAllAttributes;
    request.options.consistent_read = true;
    request.key_condition.terms = {{"pk", KeyCondition::Operator::kEqual, {Value::String("p")}}};
    return request;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<RocksDatabase> database_;
};

// A page shows entries and items as of one moment: complete and in order, whatever is written
// meanwhile.
TEST_F(LocalIndexReadTest, FetchedItemsAgreeWithTheirEntries) {
  constexpr int64_t kItems = 20;
  for (int64_t i = 0; i < kItems; ++i) {
    Put(i, i, 10);
  }
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int64_t round = 1; !stop; ++round) {
      const int64_t sk = round % kItems;
      EXPECT_TRUE(Db().DeleteItem({"t", Key(sk), {}}).ok());
      Put(sk, round * 7 % 1000, 10);
    }
  });
  for (int i = 0; i < 2000; ++i) {
    const auto page = Db().Query(WholeItems());
    ASSERT_TRUE(page.ok());
    std::optional<Number> before;
    for (const Item& item : page->items) {
      ASSERT_TRUE(item.Find("text")) << "an item came without its attributes";
      const Number l = item.Find("l")->AsNumber();
      ASSERT_TRUE(!before || *before <= l) << "items are not in the index's order";
      before = l;
    }
  }
  stop = true;
  writer.join();
}

// Fetched items count against the page, not the small entries that led to them.
TEST_F(LocalIndexReadTest, FetchedItemsCountAgainstThePage) {
  constexpr int64_t kItems = 10;
  for (int64_t i = 0; i < kItems; ++i) {
    Put(i, i, 300'000);
  }
  QueryRequest request = WholeItems();
  int64_t count = 0;
  int pages = 0;
  do {
    const auto page = Db().Query(request);
    ASSERT_TRUE(page.ok());
    size_t bytes = 0;
    for (const Item& item : page->items) {
      bytes += ItemSizeBytes(item.view());
    }
    EXPECT_LE(bytes, limits::kPageBytes);
    count += page->count;
    ++pages;
    request.options.exclusive_start_key = page->last_evaluated_key;
  } while (request.options.exclusive_start_key);
  EXPECT_EQ(count, kItems);
  EXPECT_EQ(pages, 4);
}

}  // namespace
}  // namespace tintype::tables::engine
