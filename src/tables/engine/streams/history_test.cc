// What the engine tells of the past, against a model that remembers all of it: random writes, items
// that expire, streams that come and go, an engine that is reopened; then every stream has exactly
// the changes that were, and tables restored to a moment or from a backup are as they were.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>

#include "base/check.h"
#include "base/strings.h"
#include "tables/engine/testing/history_model.h"
#include "tables/engine/testing/recovery_test.h"
#include "tables/language/expressions/expressions.h"

namespace tintype::tables::engine {
namespace {

std::string KeyOf(const Item& item) { return std::string(item.Find("pk")->AsString()); }

class HistoryTest : public RecoveryTest {
 protected:
  uint64_t Roll(uint64_t sides) { return random_() % sides; }
  ModelTable& RandomTable() { return tables_[Roll(tables_.size())]; }
  StreamView RandomView() { return static_cast<StreamView>(Roll(4)); }
  std::string RandomKey() { return StrCat("k", Roll(12)); }
  int64_t Seconds(int64_t from_now) const { return clock_.NowMs() / kSecondMs + from_now; }

  // The first table has all that streams can show, from its beginning to the end. The last one has
  // no recovery, and its streams come and go.
  void CreateTables(int run) {
    tables_.assign(3, {});
    for (size_t i = 0; i < tables_.size(); ++i) {
      ModelTable& table = tables_[i];
      table.name = StrCat("run", run, "-", i);
      CreateTableRequest request = IndexedTable(table.name);
      request.definition.attributes.push_back({"g", Type::kString});
      request.definition.global_indexes.push_back(
          {"by_g", {{"g"}, {}}, {IndexProjection::Kind::kKeysOnly, {}}, {}, {}});
      request.definition.stream = i == 0 ? StreamView::kNewAndOldImages : RandomView();
      const StreamView view = *request.definition.stream;
      Create(request);
      ASSERT_TRUE(
          Call(&Database::UpdateTimeToLive, UpdateTimeToLiveRequest{table.name, true, "due"}).ok());
      BeginStream(table, view);
      if (i < 2) {
        table.recovery = true;
        SetRecovery(table.name, true);
      }
    }
  }
  void BeginStream(ModelTable& table, StreamView view) {
    table.streams.push_back({Description(table.name).stream_arn.value_or(""), view, {}});
    table.streaming = true;
  }

  // Often none, mostly one that is to come, sometimes one that has passed or is none at all.
  std::optional<Value> RandomTime() {
    switch (Roll(10)) {
      case 0:
        return Value::Integer(Seconds(-1 - static_cast<int64_t>(Roll(100))));
      case 1:
        return Value::String(std::to_string(Seconds(-1)));
      case 2:
      case 3:
      case 4:
        return Value::Integer(Seconds(1 + static_cast<int64_t>(Roll(300))));
      default:
        return std::nullopt;
    }
  }
  Item RandomItem(const std::string& key) {
    std::vector<std::pair<std::string, Value>> entries{{"pk", Value::String(key)}};
    if (Roll(4) != 0) {
      entries.emplace_back("n", Value::Integer(static_cast<int64_t>(Roll(5))));
    }
    if (Roll(2) == 0) {
      entries.emplace_back("g", Value::String(StrCat("g", Roll(3))));
    }
    if (std::optional<Value> time = RandomTime()) {
      entries.emplace_back("due", *std::move(time));
    }
    return Item::Of(std::move(entries));
  }
  Update RandomUpdate() {
    Placeholders values({}, {{":one", Value::Integer(1)},
                             {":g", Value::String(StrCat("g", Roll(3)))},
                             {":due", Value::Integer(Seconds(static_cast<int64_t>(Roll(60))))}});
    const char* texts[] = {"ADD n :one", "SET g = :g", "SET due = :due", "REMOVE due, n",
                           "SET g = if_not_exists(g, :g), due = :due ADD n :one"};
    Result<Update> update = ParseUpdateExpression(texts[Roll(std::size(texts))], values);
    CHECK(update.ok());
    return *update;
  }
  static std::optional<Item> Updated(const ModelTable& table, const std::string& key,
                                     const Update& update) {
    const std::optional<Item> before = table.Known(key);
    if (!before && update.sets.empty() && update.adds.empty()) {
      return std::nullopt;
    }
    Result<Item> after = update.Apply(before ? before->view() : MapView(), Key(key).view());
    CHECK(after.ok());
    return *after;
  }

  void PutOne() {
    ModelTable& table = RandomTable();
    const std::string key = RandomKey();
    const std::optional<Item> before = table.Known(key);
    const Item item = before && Roll(4) == 0 ? *before : RandomItem(key);
    Put(table.name, item);
    table.Remember(key, item);
  }
  void UpdateOne() {
    ModelTable& table = RandomTable();
    const std::string key = RandomKey();
    const Update update = RandomUpdate();
    const auto updated =
        Call(&Database::UpdateItem, UpdateItemRequest{table.name, Key(key), update, {}});
    ASSERT_TRUE(updated.ok()) << updated.error().message();
    table.Remember(key, Updated(table, key, update));
  }
  void DeleteOne() {
    ModelTable& table = RandomTable();
    const std::string key = RandomKey();
    Delete(table.name, key);
    table.Remember(key, std::nullopt);
  }
  void BatchSome() {
    BatchWriteItemRequest request;
    for (ModelTable& table : tables_) {
      request.tables.push_back({table.name, {}});
      for (uint64_t i = Roll(4), left = 3; left > 0; --left, i += 1 + Roll(3)) {
        const std::string key = StrCat("k", i);
        std::optional<Item> after;
        if (Roll(3) != 0) {
          after = RandomItem(key);
          request.tables.back().actions.emplace_back(BatchWriteItemRequest::Put{*after});
        } else {
          request.tables.back().actions.emplace_back(BatchWriteItemRequest::Delete{Key(key)});
        }
        table.Remember(key, after);
      }
    }
    const auto written = Call(&Database::BatchWriteItem, request);
    ASSERT_TRUE(written.ok()) << written.error().message();
  }
  // Of all tables; every third one fails by a condition, and has changed nothing.
  void TransactSome() {
    TransactWriteItemsRequest request;
    const bool fails = Roll(3) == 0;
    std::vector<ModelTable> after = tables_;
    for (ModelTable& table : after) {
      const std::string key = RandomKey();
      TransactWriteItemsRequest::Action action;
      action.table = table.name;
      switch (Roll(3)) {
        case 0: {
          const Item item = RandomItem(key);
          action.what = TransactWriteItemsRequest::Put{item};
          table.Remember(key, item);
          break;
        }
        case 1:
          action.what = TransactWriteItemsRequest::Delete{Key(key)};
          table.Remember(key, std::nullopt);
          break;
        default: {
          const Update update = RandomUpdate();
          action.what = TransactWriteItemsRequest::UpdateAction{Key(key), update};
          table.Remember(key, Updated(table, key, update));
        }
      }
      request.actions.push_back(std::move(action));
    }
    if (fails) {
      Placeholders none({}, {});
      TransactWriteItemsRequest::Action check;
      check.table = tables_[0].name;
      check.what = TransactWriteItemsRequest::Check{Key("none")};
      check.condition = *ParseConditionExpression("attribute_exists(pk)", none);
      request.actions.push_back(std::move(check));
    }
    const auto written = Call(&Database::TransactWriteItems, request);
    ASSERT_EQ(written.ok(), !fails);
    if (!fails) {
      tables_ = std::move(after);
    }
  }

  // Everything due by the clock goes before anything else happens.
  void Settle() {
    for (ModelTable& table : tables_) {
      std::vector<std::string> due;
      for (const auto& [key, item] : table.items) {
        const std::optional<ValueView> time = item.Find("due");
        if (time && time->type() == Type::kNumber &&
            std::stoll(time->AsNumber().ToString()) <= Seconds(0)) {
          due.push_back(key);
        }
      }
      for (const std::string& key : due) {
        ASSERT_TRUE(Eventually([&] { return !Get(table.name, key); })) << key;
        table.Remember(key, std::nullopt, /*expired=*/true);
      }
    }
  }
  void Advance(int64_t ms) {
    clock_.AdvanceMs(ms);
    Settle();
  }

  void ToggleStream() {
    ModelTable& table = tables_.back();
    const StreamView view = RandomView();
    UpdateTableRequest request;
    request.table = table.name;
    request.stream = table.streaming ? std::nullopt : std::optional(view);
    const auto updated = Call(&Database::UpdateTable, request);
    ASSERT_TRUE(updated.ok()) << updated.error().message();
    if (table.streaming) {
      table.streaming = false;
    } else {
      BeginStream(table, view);
    }
  }
  // Remembers this moment, apart from what comes before and after it.
  void RememberMoment() {
    Advance(2 * kSecondMs);
    for (ModelTable& table : tables_) {
      table.moments.emplace_back(clock_.NowMs(), table.items);
    }
    Advance(2 * kSecondMs);
  }
  void BackUpOne() {
    ModelTable& table = RandomTable();
    table.backups.emplace_back(Backup(table.name, "history").arn, table.items);
  }

  // An unfinished backup would be made anew after a restart, of another moment.
  void FinishBackups() {
    for (const ModelTable& table : tables_) {
      for (const auto& [arn, items] : table.backups) {
        ASSERT_TRUE(BecomesAvailable(arn)) << arn;
      }
    }
  }

  void DoSomething() {
    switch (Roll(16)) {
      case 0:
      case 1:
        DeleteOne();
        break;
      case 2:
        BatchSome();
        break;
      case 3:
      case 4:
        TransactSome();
        break;
      case 5:
      case 6:
      case 7:
        UpdateOne();
        break;
      case 8:
        Advance(static_cast<int64_t>(Roll(60 * kSecondMs)));
        break;
      default:
        PutOne();
    }
    Settle();
  }
  void DoSomethingRare() {
    switch (Roll(5)) {
      case 0:
        FinishBackups();
        Open();
        break;
      case 1:
        ToggleStream();
        break;
      case 2:
        BackUpOne();
        break;
      case 3:
        Advance(kHourMs);  // Into another period of the log.
        break;
      default:
        RememberMoment();
    }
  }

  // All of a stream, shard after shard, in pages of a random size.
  void ReadStream(const std::string& arn, std::vector<StreamRecord>& records) {
    const auto described = DescribeStream(arn);
    ASSERT_TRUE(described.ok()) << described.error().message();
    for (const ShardDescription& shard : described->shards) {
      const auto first =
          Call(&Streams::GetShardIterator,
               GetShardIteratorRequest{arn, shard.id, ShardIteratorType::kTrimHorizon, {}});
      ASSERT_TRUE(first.ok()) << first.error().message();
      std::optional<std::string> next = first->iterator;
      const size_t limit = 1 + Roll(20);
      std::string last_number;
      while (next) {
        const auto page = Call(&Streams::GetRecords, GetRecordsRequest{*next, limit});
        ASSERT_TRUE(page.ok()) << page.error().message();
        for (const StreamRecord& record : page->records) {
          EXPECT_GT(record.sequence_number, last_number);
          last_number = record.sequence_number;
          records.push_back(record);
        }
        next = page->records.empty() ? std::nullopt : page->next_iterator;
      }
    }
  }

  void CheckStream(const ModelStream& stream) {
    std::vector<StreamRecord> records;
    ReadStream(stream.arn, records);
    std::map<std::string, size_t> seen;
    size_t expected = 0;
    for (const auto& [key, changes] : stream.changes) {
      expected += changes.size();
    }
    ASSERT_EQ(records.size(), expected);
    for (const StreamRecord& record : records) {
      const std::string key = KeyOf(record.keys);
      const auto changes = stream.changes.find(key);
      ASSERT_TRUE(changes != stream.changes.end() && seen[key] < changes->second.size()) << key;
      const ModelChange& change = changes->second[seen[key]++];
      SCOPED_TRACE(StrCat(key, " change ", seen[key]));
      EXPECT_EQ(record.event, !change.before  ? StreamRecord::Event::kInsert
                              : !change.after ? StreamRecord::Event::kRemove
                                              : StreamRecord::Event::kModify);
      EXPECT_EQ(record.keys, Key(key));
      EXPECT_EQ(record.expired, change.expired);
      EXPECT_EQ(record.old_image, stream.shows_old() ? change.before : std::nullopt);
      EXPECT_EQ(record.new_image, stream.shows_new() ? change.after : std::nullopt);
    }
  }

  // A replay of the whole stream of a table gives the table, at each step.
  void CheckReplay(const ModelTable& table) {
    std::vector<StreamRecord> records;
    ReadStream(table.streams[0].arn, records);
    ItemsByKey replayed;
    for (const StreamRecord& record : records) {
      const std::string key = KeyOf(record.keys);
      const auto found = replayed.find(key);
      EXPECT_EQ(record.old_image,
                found == replayed.end() ? std::nullopt : std::optional(found->second));
      replayed.erase(key);
      if (record.new_image) {
        replayed.emplace(key, *record.new_image);
      }
    }
    ItemsByKey there;
    for (const Item& item : Items(table.name)) {
      there.emplace(KeyOf(item), item);
    }
    EXPECT_EQ(replayed, there);
  }

  static std::vector<std::string> Sorted(const std::vector<Item>& items) {
    std::vector<std::string> payloads;
    payloads.reserve(items.size());
    for (const Item& item : items) {
      payloads.push_back(item.payload());
    }
    std::ranges::sort(payloads);
    return payloads;
  }
  void CheckTable(const std::string& table, const ItemsByKey& items) {
    std::vector<Item> all;
    std::vector<Item> by_n;
    std::vector<Item> by_g;
    for (const auto& [key, item] : items) {
      all.push_back(item);
      if (item.Find("n")) {
        by_n.push_back(item);
      }
      if (const auto g = item.Find("g")) {
        by_g.push_back(Item::Of({{"pk", Value::String(key)}, {"g", Value::Copy(*g)}}));
      }
    }
    EXPECT_EQ(Sorted(Items(table)), Sorted(all));
    EXPECT_EQ(Sorted(Items(table, "by_n")), Sorted(by_n));
    EXPECT_EQ(Sorted(Items(table, "by_g")), Sorted(by_g));
    EXPECT_EQ(Description(table).item_count, static_cast<int64_t>(items.size()));
  }
  void CheckRestored(const ItemsByKey& items) {
    ASSERT_TRUE(BecomesActive("restored"));
    CheckTable("restored", items);
    ASSERT_TRUE(Call(&Database::DeleteTable, DeleteTableRequest{"restored"}).ok());
  }

  void CheckEverything() {
    for (const ModelTable& table : tables_) {
      SCOPED_TRACE(table.name);
      CheckTable(table.name, table.items);
      for (const ModelStream& stream : table.streams) {
        SCOPED_TRACE(StrCat(stream.arn, " view ", static_cast<int>(stream.view)));
        CheckStream(stream);
      }
      if (table.recovery && !table.moments.empty()) {
        const auto& [time_ms, items] = table.moments[Roll(table.moments.size())];
        SCOPED_TRACE(StrCat("at ", time_ms));
        ASSERT_TRUE(Restore(table.name, "restored", time_ms).ok());
        CheckRestored(items);
      }
      if (!table.backups.empty()) {
        const auto& [arn, items] = table.backups[Roll(table.backups.size())];
        SCOPED_TRACE(arn);
        ASSERT_TRUE(BecomesAvailable(arn));
        ASSERT_TRUE(RestoreBackup(arn, "restored").ok());
        CheckRestored(items);
      }
    }
    CheckReplay(tables_[0]);
  }

  std::mt19937_64 random_;
  std::vector<ModelTable> tables_;
};

// Some rounds by default; TINTYPE_HISTORY_RUNS asks for more, each with tables of its own. All of a
// run happens within the day that streams go back.
TEST_F(HistoryTest, IsToldAsItWas) {
  const char* given_seed = std::getenv("TINTYPE_TEST_SEED");
  const uint64_t seed =
      given_seed != nullptr ? std::strtoull(given_seed, nullptr, 10) : std::random_device{}();
  std::cout << "seed " << seed << " (set TINTYPE_TEST_SEED to repeat)\n";
  random_.seed(seed);
  const char* given_runs = std::getenv("TINTYPE_HISTORY_RUNS");
  const int runs = given_runs != nullptr ? std::atoi(given_runs) : 1;
  for (int run = 0; run < runs && !HasFailure(); ++run) {
    CreateTables(run);
    for (int round = 0; round < 12 && !HasFailure(); ++round) {
      for (int i = 0; i < 30 && !HasFailure(); ++i) {
        DoSomething();
      }
      DoSomethingRare();
      RememberMoment();
      CheckEverything();
    }
    for (const ModelTable& table : tables_) {
      ASSERT_TRUE(Eventually(
          [&] { return Call(&Database::DeleteTable, DeleteTableRequest{table.name}).ok(); }));
    }
  }
}

}  // namespace
}  // namespace tintype::tables::engine
