#pragma once

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/testing/eventually.h"
#include "base/testing/temporary_directory.h"
#include "tables/engine/durations.h"
#include "tables/engine/rocks_database.h"

namespace tintype::tables::engine {

inline constexpr int64_t kSecondMs = 1000;
inline constexpr int64_t kHourMs = 60 * 60 * kSecondMs;

/// An engine in a directory of its own with a clock that the test turns. Tables have the key `pk`.
class EngineTest : public testing::Test {
 protected:
  void SetUp() override { Open(); }

  virtual EngineConfig Config() {
    EngineConfig config;
    config.directory = directory_.path() + "/tables";
    config.relaxed_durability = true;
    config.ballast_bytes = 0;
    config.housekeeping_interval = std::chrono::milliseconds(5);
    return config;
  }

  /// What the engine takes the time from.
  virtual const Clock& EngineClock() { return clock_; }

  void Open() {
    database_.reset();
    auto opened = RocksDatabase::Open(Config(), EngineClock());
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    database_ = *std::move(opened);
  }

  /// What the engine is made of, until it is opened anew.
  Core& core() { return *database_->core_; }

  /// Calls an operation and waits for its answer.
  template <typename Interface, typename Request, typename Response>
  Result<Response> Call(void (Interface::*operation)(Request, Done<Response>), Request request) {
    std::promise<Result<Response>> promise;
    (static_cast<Interface&>(*database_).*operation)(
        std::move(request),
        [&promise](Result<Response> result) { promise.set_value(std::move(result)); });
    return promise.get_future().get();
  }

  static CreateTableRequest Table(const std::string& name) {
    CreateTableRequest request;
    request.definition.name = name;
    request.definition.billing_mode = BillingMode::kPayPerRequest;
    request.definition.attributes = {{"pk", Type::kString}};
    request.definition.keys = {{"pk"}, {}};
    return request;
  }

  static IndexDefinition Index(const std::string& name) {
    IndexDefinition index;
    index.name = name;
    index.keys = {{"n"}, {}};
    return index;
  }

  /// With an index `by_n` on the number `n`.
  static CreateTableRequest IndexedTable(const std::string& name) {
    CreateTableRequest request = Table(name);
    request.definition.attributes.push_back({"n", Type::kNumber});
    request.definition.global_indexes = {Index("by_n")};
    return request;
  }

  void Create(CreateTableRequest request) {
    const auto created = Call(&Database::CreateTable, std::move(request));
    ASSERT_TRUE(created.ok()) << created.error().message();
  }

  static Item Key(const std::string& pk) { return Item::Of({{"pk", Value::String(pk)}}); }
  static Item With(const std::string& pk, const std::string& name, int64_t number) {
    return Item::Of({{"pk", Value::String(pk)}, {name, Value::Integer(number)}});
  }

  void Put(const std::string& table, Item item) {
    const auto put = Call(&Database::PutItem, PutItemRequest{table, std::move(item), {}});
    ASSERT_TRUE(put.ok()) << put.error().message();
  }
  void Delete(const std::string& table, const std::string& pk) {
    const auto deleted = Call(&Database::DeleteItem, DeleteItemRequest{table, Key(pk), {}});
    ASSERT_TRUE(deleted.ok()) << deleted.error().message();
  }
  std::optional<Item> Get(const std::string& table, const std::string& pk) {
    GetItemRequest request;
    request.table = table;
    request.key = Key(pk);
    const auto got = Call(&Database::GetItem, std::move(request));
    return got.ok() ? got->item : std::nullopt;
  }

  /// All items of a table or of one of its indexes, in its order. Empty too if it cannot be read.
  std::vector<Item> Items(const std::string& table, std::optional<std::string> index = {}) {
    ScanRequest request;
    request.table = table;
    request.options.index = std::move(index);
    std::vector<Item> items;
    while (true) {
      auto page = Call(&Database::Scan, request);
      if (!page.ok()) {
        return {};
      }
      items.insert(items.end(), page->items.begin(), page->items.end());
      if (!page->last_evaluated_key) {
        return items;
      }
      request.options.exclusive_start_key = page->last_evaluated_key;
    }
  }

  Result<DescribeStreamResponse> DescribeStream(const std::string& arn) {
    DescribeStreamRequest request;
    request.arn = arn;
    return Call(&Streams::DescribeStream, std::move(request));
  }

  TableDescription Description(const std::string& table) {
    auto described = Call(&Database::DescribeTable, DescribeTableRequest{table});
    return described.ok() ? described->table : TableDescription{};
  }
  bool BecomesActive(const std::string& table) {
    return Eventually([&] {
      const auto described = Call(&Database::DescribeTable, DescribeTableRequest{table});
      return described.ok() && described->table.status == TableStatus::kActive;
    });
  }

  FakeClock clock_{1'750'000'000'000};
  TemporaryDirectory directory_;
  std::unique_ptr<RocksDatabase> database_;
};

}  // namespace tintype::tables::engine
