// Reads of many items begin on the caller's thread and go on in the pool.

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "base/strings.h"
#include "tables/engine/commit/core.h"
#include "tables/engine/testing/engine_test.h"
#include "tables/language/blocking_database.h"

namespace tintype::tables::engine {
namespace {

class ReadStepsTest : public EngineTest {
 protected:
  EngineConfig Config() override {
    EngineConfig config = EngineTest::Config();
    config.read_queue_limit = queue_limit_;
    return config;
  }

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
  }

  static Item Numbered(int64_t sk) {
    return Item::Of({{"pk", Value::String("p")},
                     {"sk", Value::Integer(sk)},
                     {"l", Value::Integer(sk * 7 % 1000)},
                     {"n", Value::Integer(-sk)},
                     {"text", Value::String(std::string(static_cast<size_t>(sk % 1500), 'x'))}});
  }
  static Item NumberedKey(int64_t sk) {
    return Item::Of({{"pk", Value::String("p")}, {"sk", Value::Integer(sk)}});
  }
  void PutNumbered(int64_t count) {
    for (int64_t sk = 0; sk < count; ++sk) {
      Put("t", Numbered(sk));
    }
  }

  static QueryRequest All() {
    QueryRequest request;
    request.table = "t";
    request.key_condition.terms = {{"pk", KeyCondition::Operator::kEqual, {Value::String("p")}}};
    return request;
  }

  // Whether the database answered before the call returned, on this thread.
  bool AnsweredAtOnce(Database& database, QueryRequest request) {
    std::promise<std::thread::id> answered;
    database.Query(std::move(request), [&answered](const Result<ReadResponse>& page) {
      EXPECT_TRUE(page.ok());
      answered.set_value(std::this_thread::get_id());
    });
    return answered.get_future().get() == std::this_thread::get_id();
  }

  // Every page of a query. As the endpoint asks, unless told otherwise.
  std::vector<ReadResponse> Pages(Database& database, QueryRequest request) {
    std::vector<ReadResponse> pages;
    do {
      Result<ReadResponse> page = BlockingDatabase(database).Query(request);
      EXPECT_TRUE(page.ok());
      request.options.exclusive_start_key = page->last_evaluated_key;
      pages.push_back(*std::move(page));
    } while (request.options.exclusive_start_key);
    return pages;
  }

  size_t queue_limit_ = 1024;
};

// Small pages cost no change of threads; others leave the caller's thread, unless the caller is the
// server itself, whose threads may wait.
TEST_F(ReadStepsTest, SmallPagesAreAnsweredAtOnce) {
  PutNumbered(1000);
  QueryRequest few = All();
  few.options.limit = 20;
  EXPECT_TRUE(AnsweredAtOnce(*database_, few));
  EXPECT_FALSE(AnsweredAtOnce(*database_, All()));
  EXPECT_TRUE(AnsweredAtOnce(database_->AsServer(), All()));
}

// Pages that were read in steps, from wherever, are those that are read in one go.
TEST_F(ReadStepsTest, PagesAreTheSameInAnyNumberOfSteps) {
  PutNumbered(1500);
  ASSERT_TRUE(core().storage->db().Flush({}, core().storage->data()).ok());
  for (const char* index : {"", "by_l", "by_n"}) {
    for (const bool forward : {true, false}) {
      for (const int64_t limit : {0, 60, 400}) {
        QueryRequest request = All();
        request.forward = forward;
        if (*index != '\0') {
          request.options.index = index;
        }
        if (limit > 0) {
          request.options.limit = limit;
        }
        request.options.select = Select::kAllAttributes;
        request.options.return_capacity = ReturnCapacity::kIndexes;
        Open();  // With nothing in the cache.
        const std::vector<ReadResponse> in_steps = Pages(*database_, request);
        const std::vector<ReadResponse> at_once = Pages(database_->AsServer(), request);
        ASSERT_EQ(in_steps.size(), at_once.size()) << index << " " << limit;
        for (size_t i = 0; i < at_once.size(); ++i) {
          EXPECT_EQ(in_steps[i].items, at_once[i].items) << index << " " << limit;
          EXPECT_EQ(in_steps[i].count, at_once[i].count);
          EXPECT_EQ(in_steps[i].scanned_count, at_once[i].scanned_count);
          EXPECT_EQ(in_steps[i].last_evaluated_key, at_once[i].last_evaluated_key);
          EXPECT_EQ(in_steps[i].capacity->table_units.read, at_once[i].capacity->table_units.read);
        }
      }
    }
  }
}

// Batches and transactions that were read in steps are those that are read in one go.
TEST_F(ReadStepsTest, BatchesAreTheSameInAnyNumberOfSteps) {
  PutNumbered(200);
  ASSERT_TRUE(core().storage->db().Flush({}, core().storage->data()).ok());
  BatchGetItemRequest batch;
  batch.tables.push_back({.table = "t", .keys = {}, .projection = {}, .consistent_read = false});
  TransactGetItemsRequest transaction;
  for (int64_t sk = 120; sk < 220; ++sk) {
    batch.tables[0].keys.push_back(NumberedKey(sk));
    TransactGetItemsRequest::Get get;
    get.table = "t";
    get.key = NumberedKey(sk);
    transaction.gets.push_back(std::move(get));
  }
  Open();
  for (int i = 0; i < 2; ++i) {  // First from the disk, then from memory.
    const auto items = Call(&Database::BatchGetItem, batch);
    ASSERT_TRUE(items.ok());
    ASSERT_EQ(items->items[0].second.size(), 80U);
    EXPECT_TRUE(items->unprocessed.empty());
    const auto gets = Call(&Database::TransactGetItems, transaction);
    ASSERT_TRUE(gets.ok());
    ASSERT_EQ(gets->items.size(), 100U);
    for (size_t k = 0; k < 100; ++k) {
      ASSERT_EQ(gets->items[k].has_value(), k < 80);
      if (k < 80) {
        EXPECT_EQ(items->items[0].second[k], Numbered(120 + static_cast<int64_t>(k)));
        EXPECT_EQ(gets->items[k], Numbered(120 + static_cast<int64_t>(k)));
      }
    }
  }
}

// A page is of one moment, however many steps it took: a transaction is in it or not.
TEST_F(ReadStepsTest, APageIsOfOneMoment) {
  PutNumbered(500);
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    BlockingDatabase database(*database_);
    for (int64_t round = 1; !stop; ++round) {
      TransactWriteItemsRequest request;
      for (const int64_t sk : {0, 499}) {
        Item item = Item::Of({{"pk", Value::String("p")},
                              {"sk", Value::Integer(sk)},
                              {"round", Value::Integer(round)}});
        request.actions.push_back(
            {"t", TransactWriteItemsRequest::Put{std::move(item)}, std::nullopt});
      }
      EXPECT_TRUE(database.TransactWriteItems(std::move(request)).ok());
    }
  });
  for (int i = 0; i < 300; ++i) {
    const auto page = Call(&Database::Query, All());
    ASSERT_TRUE(page.ok());
    ASSERT_EQ(page->items.size(), 500U);
    EXPECT_EQ(page->items.front().Find("round"), page->items.back().Find("round"));
  }
  stop = true;
  writer.join();
}

// Reads that do not fit are refused with an error that clients retry; small ones go on.
TEST_F(ReadStepsTest, TooManyReadsAreRefused) {
  PutNumbered(1000);
  queue_limit_ = 0;
  Open();
  const auto large = Call(&Database::Query, All());
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().kind(), ErrorKind::kOverloaded);
  QueryRequest few = All();
  few.options.limit = 20;
  EXPECT_TRUE(Call(&Database::Query, few).ok()) << "it is small";
}

}  // namespace
}  // namespace tintype::tables::engine
