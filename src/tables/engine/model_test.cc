// Random operations on the engine and on a model made of a sorted map, compared at every turn:
// items, conditions, returned values, every index in both directions with paging, and the totals.
// The database is closed and opened again now and then, and indexes come and go while it is
// written.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <thread>

#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "tables/engine/rocks_database.h"
#include "tables/language/blocking_database.h"
#include "tables/language/errors.h"
#include "tables/language/expressions/expressions.h"

namespace tintype::tables::engine {
namespace {

constexpr char kTable[] = "model";

struct ModelIndex {
  IndexDefinition definition;
  bool local = false;
};

// The whole database as the test believes it to be.
struct Model {
  std::map<std::string, Item> items;  // By the printed key.
  std::vector<ModelIndex> indexes;
};

std::string TextOf(ValueView value) {
  return value.type() == Type::kNumber ? value.AsNumber().ToString() : std::string(value.payload());
}

std::string KeyText(MapView item) {
  return StrCat(TextOf(*item.Find("pk")), "|", TextOf(*item.Find("sk")));
}

Item KeyItem(MapView item) {
  return Item::Of({{"pk", Value::Copy(*item.Find("pk"))}, {"sk", Value::Copy(*item.Find("sk"))}});
}

class ModelTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* given = std::getenv("TINTYPE_TEST_SEED");
    seed_ = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::cout << "seed " << seed_ << " (set TINTYPE_TEST_SEED to repeat)\n";
    random_.seed(seed_);
    Open();
    CreateTableRequest request;
    TableDefinition& definition = request.definition;
    definition.name = kTable;
    definition.billing_mode = BillingMode::kPayPerRequest;
    definition.attributes = {
        {"pk", Type::kString}, {"sk", Type::kNumber}, {"g", Type::kString}, {"n", Type::kNumber}};
    definition.keys = {{"pk"}, {"sk"}};
    const IndexDefinition local{
        "local", {{"pk"}, {"n"}}, {IndexProjection::Kind::kInclude, {"text"}}, {}, {}};
    const IndexDefinition all{"all", {{"g"}, {"n"}}, {IndexProjection::Kind::kAll, {}}, {}, {}};
    const IndexDefinition keys{"keys", {{"g"}, {}}, {IndexProjection::Kind::kKeysOnly, {}}, {}, {}};
    definition.local_indexes = {local};
    definition.global_indexes = {all, keys};
    model_.indexes = {{local, true}, {all, false}, {keys, false}};
    const auto created = Db().CreateTable(request);
    ASSERT_TRUE(created.ok()) << created.error().message();
  }

  void Open() {
    database_.reset();
    EngineConfig config;
    config.directory = directory_.path();
    config.relaxed_durability = true;  // Crashes are another test's business; this one wants speed.
    auto opened = RocksDatabase::Open(config, SystemClock());
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    database_ = std::move(*opened);
  }

  BlockingDatabase Db() { return BlockingDatabase(*database_); }
  uint64_t Roll(uint64_t sides) { return random_() % sides; }

  Item RandomKey() {
    return Item::Of({{"pk", Value::String(StrCat("p", Roll(6)))},
                     {"sk", Value::Integer(static_cast<int64_t>(Roll(12)) - 4)}});
  }

  Item RandomItem() {
    const Item key = RandomKey();
    std::vector<std::pair<std::string, Value>> entries;
    for (const auto& [name, value] : key.view()) {
      entries.emplace_back(std::string(name), Value::Copy(value));
    }
    if (Roll(4) != 0) {
      entries.emplace_back("g",
                           Value::String(std::string(1 + Roll(2), static_cast<char>(Roll(3)))));
    }
    if (Roll(4) != 0) {
      entries.emplace_back("n", Value::Integer(static_cast<int64_t>(Roll(8)) - 3));
    }
    entries.emplace_back("text", Value::String(std::string(Roll(300), 'x')));
    entries.emplace_back("extra", Value::Bool(Roll(2) == 0));
    return Item::Of(std::move(entries));
  }

  std::optional<Item> Known(MapView key) const {
    const auto found = model_.items.find(KeyText(key));
    return found == model_.items.end() ? std::nullopt : std::optional(found->second);
  }
  void Remember(MapView key, const std::optional<Item>& item) {
    if (item) {
      model_.items[KeyText(key)] = *item;
    } else {
      model_.items.erase(KeyText(key));
    }
  }

  static Condition Parse(const std::string& text) {
    Placeholders none({}, {{":small", Value::Integer(0)}});
    Result<Condition> condition = ParseConditionExpression(text, none);
    CHECK(condition.ok());
    return *condition;
  }
  std::optional<Condition> RandomCondition() {
    switch (Roll(6)) {
      case 0:
        return Parse("attribute_exists(pk)");
      case 1:
        return Parse("attribute_not_exists(pk)");
      case 2:
        return Parse("n > :small");
      case 3:
        return Parse("attribute_not_exists(g) OR n < :small");
      default:
        return std::nullopt;
    }
  }
  Update RandomUpdate() {
    Placeholders values({},
                        {{":one", Value::Integer(1)}, {":g", Value::String(StrCat("u", Roll(3)))}});
    const char* texts[] = {"ADD n :one",    "SET g = :g",
                           "REMOVE g",      "REMOVE n, extra",
                           "SET extra = g", "SET g = if_not_exists(g, :g) ADD n :one"};
    Result<Update> update = ParseUpdateExpression(texts[Roll(6)], values);
    CHECK(update.ok());
    return *update;
  }

  // What the model says a condition and update come to; nullopt in `second` means no item.
  Result<std::optional<Item>> Expect(const Item& key, const Update& update) const {
    const std::optional<Item> old = Known(key.view());
    ASSIGN_OR_RETURN(Item item, update.Apply(old ? old->view() : MapView(), key.view()));
    if (!old && update.sets.empty() && update.adds.empty()) {
      return std::optional<Item>();
    }
    return std::optional(item);
  }

  bool Holds(const std::optional<Condition>& condition, const Item& key) const {
    const std::optional<Item> old = Known(key.view());
    return !condition || condition->Holds(old ? old->view() : MapView());
  }

  void PutOne() {
    const Item item = RandomItem();
    PutItemRequest request{kTable, item, {}};
    request.options.condition = RandomCondition();
    request.options.return_values = ReturnValues::kAllOld;
    const bool expected = Holds(request.options.condition, KeyItem(item.view()));
    const auto answer = Db().PutItem(request);
    ASSERT_EQ(answer.ok(), expected);
    if (expected) {
      EXPECT_EQ(answer->attributes, Known(item.view()));
      Remember(item.view(), item);
    } else {
      EXPECT_EQ(answer.error().kind(), ErrorKind::kConditionFailed);
    }
  }

  void UpdateOne() {
    UpdateItemRequest request{kTable, RandomKey(), RandomUpdate(), {}};
    request.options.condition = RandomCondition();
    request.options.return_values = ReturnValues::kAllNew;
    const bool holds = Holds(request.options.condition, request.key);
    const Result<std::optional<Item>> expected = Expect(request.key, request.update);
    const auto answer = Db().UpdateItem(request);
    ASSERT_EQ(answer.ok(), holds && expected.ok());
    if (answer.ok()) {
      EXPECT_EQ(answer->attributes, *expected);
      Remember(request.key.view(), *expected);
    }
  }

  void DeleteOne() {
    DeleteItemRequest request{kTable, RandomKey(), {}};
    request.options.condition = RandomCondition();
    request.options.return_values = ReturnValues::kAllOld;
    const bool expected = Holds(request.options.condition, request.key);
    const auto answer = Db().DeleteItem(request);
    ASSERT_EQ(answer.ok(), expected);
    if (expected) {
      EXPECT_EQ(answer->attributes, Known(request.key.view()));
      Remember(request.key.view(), std::nullopt);
    }
  }

  void TransactSome() {
    TransactWriteItemsRequest request;
    std::map<std::string, std::optional<Item>> outcome;
    bool expected = true;
    for (uint64_t i = 0; i < 1 + Roll(4); ++i) {
      const Item item = RandomItem();
      const Item key = KeyItem(item.view());
      if (outcome.contains(KeyText(key.view()))) {
        continue;
      }
      TransactWriteItemsRequest::Action action;
      action.table = kTable;
      action.condition = RandomCondition();
      expected = expected && Holds(action.condition, key);
      std::optional<Item> after = Known(key.view());
      switch (Roll(4)) {
        case 0:
          action.what = TransactWriteItemsRequest::Put{item};
          after = item;
          break;
        case 1:
          action.what = TransactWriteItemsRequest::Delete{key};
          after.reset();
          break;
        case 2: {
          Update update = RandomUpdate();
          const Result<std::optional<Item>> updated = Expect(key, update);
          expected = expected && updated.ok();
          after = updated.ok() ? *updated : std::nullopt;
          action.what = TransactWriteItemsRequest::UpdateAction{key, std::move(update)};
          break;
        }
        default:
          action.what = TransactWriteItemsRequest::Check{key};
          if (!action.condition) {
            action.condition = Parse("attribute_exists(pk)");
            expected = expected && Known(key.view());
          }
      }
      outcome.emplace(KeyText(key.view()), after);
      request.actions.push_back(std::move(action));
    }
    const auto answer = Db().TransactWriteItems(request);
    ASSERT_EQ(answer.ok(), expected);
    if (!expected) {
      EXPECT_EQ(answer.error().reason(), tables::reasons::kTransactionCanceled);
      return;
    }
    for (const auto& [key, item] : outcome) {
      if (item) {
        model_.items[key] = *item;
      } else {
        model_.items.erase(key);
      }
    }
  }

  void BatchSome() {
    BatchWriteItemRequest request;
    request.tables.push_back({kTable, {}});
    std::map<std::string, std::optional<Item>> outcome;
    for (int i = 0; i < 8; ++i) {
      const Item item = RandomItem();
      const bool put = Roll(3) != 0;
      if (!outcome.emplace(KeyText(item.view()), put ? std::optional(item) : std::nullopt).second) {
        continue;
      }
      if (put) {
        request.tables[0].actions.emplace_back(BatchWriteItemRequest::Put{item});
      } else {
        request.tables[0].actions.emplace_back(BatchWriteItemRequest::Delete{KeyItem(item.view())});
      }
    }
    ASSERT_TRUE(Db().BatchWriteItem(request).ok());
    for (const auto& [key, item] : outcome) {
      if (item) {
        model_.items[key] = *item;
      } else {
        model_.items.erase(key);
      }
    }
  }

  // Adds or removes the index "late". While it is being filled, writes go on.
  void ToggleLateIndex() {
    UpdateTableRequest request;
    request.table = kTable;
    const auto late = std::find_if(model_.indexes.begin(), model_.indexes.end(),
                                   [](const auto& i) { return i.definition.name == "late"; });
    if (late != model_.indexes.end()) {
      request.index_changes.emplace_back(UpdateTableRequest::DeleteIndex{"late"});
      ASSERT_TRUE(Db().UpdateTable(request).ok());
      model_.indexes.erase(late);
      return;
    }
    const IndexDefinition definition{
        "late", {{"n"}, {"g"}}, {IndexProjection::Kind::kInclude, {"extra"}}, {}, {}};
    request.attributes = {{"n", Type::kNumber}, {"g", Type::kString}};
    request.index_changes.emplace_back(definition);
    ASSERT_TRUE(Db().UpdateTable(request).ok());
    for (int i = 0; i < 20; ++i) {
      PutOne();
      DeleteOne();
    }
    while (Db().DescribeTable({kTable})->table.status != TableStatus::kActive) {
      std::this_thread::yield();
    }
    model_.indexes.push_back({definition, false});
  }

  static std::vector<std::string> Payloads(const std::vector<Item>& items) {
    std::vector<std::string> payloads;
    payloads.reserve(items.size());
    for (const Item& item : items) {
      payloads.push_back(item.payload());
    }
    return payloads;
  }

  std::vector<Item> ScanAll(const std::optional<std::string>& index, int64_t segments) {
    std::vector<Item> items;
    for (int64_t segment = 0; segment < segments; ++segment) {
      ScanRequest request;
      request.table = kTable;
      request.options.index = index;
      request.options.limit = 1 + static_cast<int64_t>(Roll(20));
      request.segment = ScanRequest::Segment{segment, segments};
      do {
        const auto page = Db().Scan(request);
        EXPECT_TRUE(page.ok());
        items.insert(items.end(), page->items.begin(), page->items.end());
        request.options.exclusive_start_key = page->last_evaluated_key;
      } while (request.options.exclusive_start_key);
    }
    return items;
  }

  // What an index should hold: the projection of each item that has all of its key attributes.
  std::vector<Item> ExpectedIndex(const ModelIndex& index) const {
    std::vector<Item> items;
    for (const auto& [key, item] : model_.items) {
      const std::vector<std::string> keys = index.definition.keys.All();
      if (!std::all_of(keys.begin(), keys.end(),
                       [&, &each = item](const auto& name) { return each.Find(name); })) {
        continue;
      }
      std::vector<std::string> names = keys;
      names.insert(names.end(), {"pk", "sk"});
      const IndexProjection& projection = index.definition.projection;
      names.insert(names.end(), projection.include.begin(), projection.include.end());
      std::sort(names.begin(), names.end());
      names.erase(std::unique(names.begin(), names.end()), names.end());
      items.push_back(projection.kind == IndexProjection::Kind::kAll
                          ? item
                          : Projection::OfAttributes(names).Apply(item.view()));
    }
    return items;
  }

  void CheckEverything() {
    const auto sorted = [](std::vector<std::string> payloads) {
      std::sort(payloads.begin(), payloads.end());
      return payloads;
    };
    std::vector<Item> all;
    for (const auto& [key, item] : model_.items) {
      all.push_back(item);
      GetItemRequest get{kTable, KeyItem(item.view()), {}, true, ReturnCapacity::kNone};
      ASSERT_EQ(Db().GetItem(get)->item, item);
    }
    ASSERT_EQ(sorted(Payloads(ScanAll({}, 1 + static_cast<int64_t>(Roll(5))))),
              sorted(Payloads(all)));
    const TableDescription description = Db().DescribeTable({kTable})->table;
    EXPECT_EQ(description.item_count, static_cast<int64_t>(all.size()));
    int64_t bytes = 0;
    for (const Item& item : all) {
      bytes += static_cast<int64_t>(ItemSizeBytes(item.view()));
    }
    EXPECT_EQ(description.size_bytes, bytes);
    for (const ModelIndex& index : model_.indexes) {
      const std::vector<Item> expected = ExpectedIndex(index);
      ASSERT_EQ(sorted(Payloads(ScanAll(index.definition.name, 3))), sorted(Payloads(expected)))
          << index.definition.name;
      CheckQueries(index, expected);
      const auto& described = index.local ? description.local_indexes : description.global_indexes;
      for (const IndexDescription& each : described) {
        if (each.definition.name == index.definition.name) {
          EXPECT_EQ(each.item_count, static_cast<int64_t>(expected.size()));
        }
      }
    }
  }

  // Every partition of an index, forward and backward, in small pages: sorted by the range key,
  // every entry once.
  void CheckQueries(const ModelIndex& index, const std::vector<Item>& expected) {
    const std::string& hash = index.definition.keys.hash.front();
    std::map<std::string, std::vector<Item>> partitions;
    for (const Item& item : expected) {
      partitions[std::string(item.Find(hash)->encoded())].push_back(item);
    }
    for (const auto& [encoded, items] : partitions) {
      QueryRequest request;
      request.table = kTable;
      request.options.index = index.definition.name;
      request.options.limit = 1 + static_cast<int64_t>(Roll(4));
      request.forward = Roll(2) == 0;
      request.key_condition.terms = {
          {hash, KeyCondition::Operator::kEqual, {Value::Copy(ValueView(encoded))}}};
      std::vector<Item> read;
      do {
        const auto page = Db().Query(request);
        ASSERT_TRUE(page.ok()) << page.error().message();
        read.insert(read.end(), page->items.begin(), page->items.end());
        request.options.exclusive_start_key = page->last_evaluated_key;
      } while (request.options.exclusive_start_key);
      ASSERT_EQ(read.size(), items.size());
      for (size_t i = 1; i < read.size() && !index.definition.keys.range.empty(); ++i) {
        const std::string& range = index.definition.keys.range.front();
        const auto order =
            read[i - 1].Find(range)->payload().compare(read[i].Find(range)->payload());
        EXPECT_TRUE(request.forward ? order <= 0 : order >= 0);
      }
    }
  }

  uint64_t seed_ = 0;
  std::mt19937_64 random_;
  TemporaryDirectory directory_;
  std::unique_ptr<RocksDatabase> database_;
  Model model_;
};

TEST_F(ModelTest, AgreesAfterRandomOperations) {
  for (int round = 0; round < 40 && !HasFatalFailure(); ++round) {
    for (int i = 0; i < 60 && !HasFatalFailure(); ++i) {
      switch (Roll(8)) {
        case 0:
          DeleteOne();
          break;
        case 1:
          TransactSome();
          break;
        case 2:
          BatchSome();
          break;
        case 3:
        case 4:
          UpdateOne();
          break;
        default:
          PutOne();
      }
    }
    if (Roll(4) == 0) {
      ToggleLateIndex();
    }
    if (Roll(5) == 0) {
      Open();
    }
    CheckEverything();
  }
}

}  // namespace
}  // namespace tintype::tables::engine
