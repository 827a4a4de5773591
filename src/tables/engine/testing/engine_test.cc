#include "tables/engine/testing/engine_test.h"

#include <chrono>
#include <utility>

namespace tintype::tables::engine {

EngineConfig EngineTest::Config() {
  EngineConfig config;
  config.directory = directory_.path() + "/tables";
  config.relaxed_durability = true;
  config.ballast_bytes = 0;
  config.housekeeping_interval = std::chrono::milliseconds(5);
  return config;
}

void EngineTest::Open() {
  database_.reset();
  auto opened = RocksDatabase::Open(Config(), EngineClock());
  ASSERT_TRUE(opened.ok()) << opened.error().message();
  database_ = *std::move(opened);
}

CreateTableRequest EngineTest::Table(const std::string& name) {
  CreateTableRequest request;
  request.definition.name = name;
  request.definition.billing_mode = BillingMode::kPayPerRequest;
  request.definition.attributes = {{"pk", Type::kString}};
  request.definition.keys = {{"pk"}, {}};
  return request;
}

IndexDefinition EngineTest::Index(const std::string& name) {
  IndexDefinition index;
  index.name = name;
  index.keys = {{"n"}, {}};
  return index;
}

CreateTableRequest EngineTest::IndexedTable(const std::string& name) {
  CreateTableRequest request = Table(name);
  request.definition.attributes.push_back({"n", Type::kNumber});
  request.definition.global_indexes = {Index("by_n")};
  return request;
}

void EngineTest::Create(CreateTableRequest request) {
  const auto created = Call(&Database::CreateTable, std::move(request));
  ASSERT_TRUE(created.ok()) << created.error().message();
}

Item EngineTest::Key(const std::string& pk) { return Item::Of({{"pk", Value::String(pk)}}); }

Item EngineTest::With(const std::string& pk, const std::string& name, int64_t number) {
  return Item::Of({{"pk", Value::String(pk)}, {name, Value::Integer(number)}});
}

void EngineTest::Put(const std::string& table, Item item) {
  const auto put = Call(&Database::PutItem, PutItemRequest{table, std::move(item), {}});
  ASSERT_TRUE(put.ok()) << put.error().message();
}

void EngineTest::Delete(const std::string& table, const std::string& pk) {
  const auto deleted = Call(&Database::DeleteItem, DeleteItemRequest{table, Key(pk), {}});
  ASSERT_TRUE(deleted.ok()) << deleted.error().message();
}

std::optional<Item> EngineTest::Get(const std::string& table, const std::string& pk) {
  GetItemRequest request;
  request.table = table;
  request.key = Key(pk);
  const auto got = Call(&Database::GetItem, std::move(request));
  return got.ok() ? got->item : std::nullopt;
}

std::vector<Item> EngineTest::Items(const std::string& table, std::optional<std::string> index) {
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

Result<DescribeStreamResponse> EngineTest::DescribeStream(const std::string& arn) {
  DescribeStreamRequest request;
  request.arn = arn;
  return Call(&Streams::DescribeStream, std::move(request));
}

TableDescription EngineTest::Description(const std::string& table) {
  auto described = Call(&Database::DescribeTable, DescribeTableRequest{table});
  return described.ok() ? described->table : TableDescription{};
}

bool EngineTest::BecomesActive(const std::string& table) {
  return Eventually([&] {
    const auto described = Call(&Database::DescribeTable, DescribeTableRequest{table});
    return described.ok() && described->table.status == TableStatus::kActive;
  });
}

}  // namespace tintype::tables::engine
