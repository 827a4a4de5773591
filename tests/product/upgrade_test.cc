#include "flows/upkeep/upgrade.h"

#include <gmock/gmock.h>

#include <atomic>
#include <functional>
#include <memory>
#include <set>

#include "base/logging.h"
#include "base/strings.h"
#include "base/testing/eventually.h"
#include "contexts/system/schema.h"
#include "flows/upkeep/purge_work.h"
#include "product_fixture.h"
#include "tripwire.h"

// Upgrades of the product's tables, with steps and a table of their own.

namespace tintype::product {
namespace {

using contexts::ItemBuilder;
using contexts::ProductTable;
using contexts::backlog::Backlog;
using contexts::backlog::Work;
using contexts::system::Schema;
using flows::UpgradeParts;
using flows::UpgradePosition;
using flows::UpgradeStep;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kBooks = 5;

RetryPolicy WithoutWaits() {
  RetryPolicy retries;
  retries.sleep = [](std::chrono::milliseconds) {};
  return retries;
}

/// The table `books`, whose index by author came with step 2.
ProductTable Books(bool with_index) {
  std::vector<tables::AttributeDefinition> attributes = {{"id"}};
  if (with_index) {
    attributes.push_back({"author"});
  }
  tables::TableDefinition table =
      contexts::OnDemandTable("books", contexts::KeyOf("id"), attributes);
  if (with_index) {
    table.global_indexes = {contexts::IndexOn("author-index", contexts::KeyOf("author", "id"))};
  }
  return {std::move(table), std::nullopt};
}

/// Tables in a directory of their own, as one version of the program sees them.
class Library {
 public:
  explicit Library(const Clock& clock) : clock_(clock) {
    tables::engine::EngineConfig engine;
    engine.directory = directory_.path() + "/tables";
    engine.relaxed_durability = true;
    engine.ballast_bytes = 0;
    engine.housekeeping_interval = std::chrono::milliseconds(5);
    auto opened = tables::engine::RocksDatabase::Open(std::move(engine), clock);
    CHECK(opened.ok());
    database_ = *std::move(opened);
    auto store = blobs::FileBlobStore::OpenRoot({directory_.path() + "/blobs", {"images"}});
    CHECK(store.ok());
    blobs_ = *std::move(store);
  }

  blobs::BlobStore& blobs() { return *blobs_; }
  tables::Database& database() { return database_->AsServer(); }

  static std::vector<ProductTable> Wanted(bool with_index = true) {
    return {Books(with_index), Backlog::Table("tintype"), contexts::SystemTable()};
  }

  /// Tables as they were before versions were recorded, with a few books in them.
  void FillOld() {
    ASSERT_TRUE(contexts::CreateTables(Wanted(false), database(), nullptr).ok());
    for (int i = 0; i < kBooks; ++i) {
      Put("books", ItemBuilder().Text("id", StrCat("book ", i)).Text("author", "ada").Build());
    }
  }

  Status Start(const std::vector<UpgradeStep>& steps) { return Start(steps, database()); }
  Status Start(const std::vector<UpgradeStep>& steps, tables::Database& database) {
    Backlog backlog({.node = "node"}, database, clock_);
    return flows::UpgradeTables(steps, Wanted(), {database, backlog, clock_, WithoutWaits()},
                                nullptr);
  }

  /// Does one turn of the work that is due, as a worker would. False when there is none.
  bool DoOne(const std::vector<UpgradeStep>& steps) { return DoOne(steps, database()); }
  bool DoOne(const std::vector<UpgradeStep>& steps, tables::Database& database) {
    Backlog backlog({.node = "node"}, database, clock_);
    const auto leased = backlog.Lease();
    if (!leased.ok() || !*leased) {
      return false;
    }
    flows::ContinueUpgrade(steps, {database, backlog, clock_, WithoutWaits()}, **leased)
        .PermitUncheckedError();
    return true;
  }
  void EndLeases() {
    Backlog backlog({.node = "node"}, database(), clock_);
    ASSERT_TRUE(backlog.EndLeases().ok());
  }

  bool IsDone(int64_t step) {
    Backlog backlog({.node = "node"}, database(), clock_);
    return *flows::IsUpgradeDone(backlog, step);
  }
  std::optional<int64_t> Version() { return *Schema(database()).FindVersion(); }
  std::vector<std::string> WorkIds() {
    tables::ScanRequest request;
    request.table = Backlog::Table("tintype").definition.name;
    std::vector<std::string> ids;
    const auto page = blocking().Scan(std::move(request));
    for (const tables::Item& item : page->items) {
      ids.push_back(TextOf(item, "id"));
    }
    std::ranges::sort(ids);
    return ids;
  }
  size_t CountByAuthor() {
    tables::QueryRequest request;
    request.table = "books";
    request.options.index = "author-index";
    request.key_condition = contexts::KeyConditionOf(
        "author = :author", {{}, {{":author", tables::Value::String("ada")}}});
    const auto found = blocking().Query(std::move(request));
    return found.ok() ? found->items.size() : 0;
  }
  bool Exists(const std::string& table) { return blocking().DescribeTable({table}).ok(); }

  void Put(const std::string& table, tables::Item item) {
    tables::PutItemRequest request;
    request.table = table;
    request.item = std::move(item);
    ASSERT_TRUE(blocking().PutItem(std::move(request)).ok());
  }
  void PutVersion(int64_t version) {
    Put("tintype", ItemBuilder()
                       .Text("PK", "SCHEMA")
                       .Text("SK", "SCHEMA")
                       .Integer("version", version)
                       .Build());
  }

  tables::BlockingDatabase blocking() { return tables::BlockingDatabase(database()); }

 private:
  const Clock& clock_;
  TemporaryDirectory directory_;
  std::unique_ptr<tables::engine::RocksDatabase> database_;
  std::unique_ptr<blobs::FileBlobStore> blobs_;  // Holds nothing: a tripwire wants one.
};

UpgradeStep RecordStep() { return {.about = "record the version"}; }
UpgradeStep IndexStep() { return {.about = "authors", .indexes = {{"books", "author-index"}}}; }

/// Looks at two books a turn, and notes which it has seen.
UpgradeStep EveryBookStep(tables::Database& database, std::multiset<std::string>& seen) {
  UpgradeStep step{.about = "every book"};
  step.run_turn = [&](const UpgradeParts&,
                      const UpgradePosition& from) -> Result<std::optional<UpgradePosition>> {
    tables::ScanRequest request;
    request.table = "books";
    request.options.limit = 2;
    if (const auto after = from.find("after"); after != from.end()) {
      request.options.exclusive_start_key = ItemBuilder().Text("id", after->second).Build();
    }
    ASSIGN_OR_RETURN(const auto page, tables::BlockingDatabase(database).Scan(std::move(request)));
    for (const tables::Item& item : page.items) {
      seen.insert(TextOf(item, "id"));
    }
    if (!page.last_evaluated_key) {
      return std::optional<UpgradePosition>();
    }
    return std::optional<UpgradePosition>({{"after", TextOf(page.last_evaluated_key, "id")}});
  };
  return step;
}

class UpgradeTest : public testing::Test {
 protected:
  UpgradeTest() { SetLogLevel(LogLevel::kError); }

  std::vector<UpgradeStep> AllSteps(tables::Database& database) {
    return {RecordStep(), IndexStep(), EveryBookStep(database, seen_)};
  }

  FakeClock clock_{1'750'000'000'000};
  std::multiset<std::string> seen_;
};

// Proves that new tables have the newest version at once, and no work to get there.
TEST_F(UpgradeTest, NewTablesStartAtTheNewestVersion) {
  Library library(clock_);
  ASSERT_TRUE(library.Start(AllSteps(library.database())).ok());
  EXPECT_EQ(library.Version(), 3);
  EXPECT_THAT(library.WorkIds(), IsEmpty());
  ASSERT_TRUE(library.Start(AllSteps(library.database())).ok()) << "a second start changes nothing";
  EXPECT_EQ(library.Version(), 3);
}

// Proves that the table in which a new gallery is recorded does not make its other tables old ones.
TEST_F(UpgradeTest, TheSystemTableAloneIsNew) {
  Library library(clock_);
  ASSERT_TRUE(contexts::CreateTables({contexts::SystemTable()}, library.database(), nullptr).ok());
  ASSERT_TRUE(library.Start(AllSteps(library.database())).ok());
  EXPECT_EQ(library.Version(), 3);
  EXPECT_THAT(library.WorkIds(), IsEmpty());
}

// Proves that tables from before versions get one, and the work of the steps that have some.
TEST_F(UpgradeTest, RecordsTheVersionOfOldTables) {
  Library library(clock_);
  ASSERT_TRUE(contexts::CreateTables(Library::Wanted(), library.database(), nullptr).ok());
  EXPECT_EQ(library.Version(), 0);
  const std::vector<UpgradeStep> steps = flows::UpgradeSteps();
  ASSERT_TRUE(library.Start(steps).ok());
  EXPECT_EQ(library.Version(), static_cast<int64_t>(steps.size()));
  std::vector<std::string> work;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].run_turn) {
      work.push_back(StrCat("upgrade-", i + 1));
    }
  }
  EXPECT_THAT(library.WorkIds(), testing::ElementsAreArray(work));
}

// Proves that an index is there, and complete, when the start has ended.
TEST_F(UpgradeTest, AddsAMissingIndex) {
  Library library(clock_);
  library.FillOld();
  EXPECT_FALSE(library.Start({RecordStep()}).ok()) << "without the step the index is missed";
  ASSERT_TRUE(library.Start({RecordStep(), IndexStep()}).ok());
  EXPECT_EQ(library.Version(), 2);
  EXPECT_EQ(library.CountByAuthor(), kBooks);
}

// Proves that every item is looked at once, turn by turn, also when the process is killed between
// and within turns.
TEST_F(UpgradeTest, LooksAtEveryItemOnceAndGoesOnAfterKills) {
  Tripwire wire;
  for (FailingCalls calls(wire); calls.Next();) {
    seen_.clear();
    Library library(clock_);
    library.FillOld();
    const std::vector<UpgradeStep> steps = AllSteps(library.database());
    ASSERT_TRUE(library.Start(steps).ok());
    EXPECT_THAT(library.WorkIds(), ElementsAre("upgrade-3"));
    EXPECT_FALSE(library.IsDone(3));

    TrippedStores tripped(library.database(), library.blobs(), wire);
    calls.Arm();
    while (library.DoOne(steps, tripped.database())) {
    }
    calls.Note(!wire.tripped());
    wire.Set(0, Tripwire::When::kNever);
    library.EndLeases();
    while (library.DoOne(steps)) {
    }
    EXPECT_TRUE(library.IsDone(3)) << calls.n();
    const std::set<std::string> each(seen_.begin(), seen_.end());
    EXPECT_EQ(each.size(), kBooks) << calls.n();
    EXPECT_LE(seen_.size(), kBooks + 2) << "at most one turn was repeated, at call " << calls.n();
  }
}

// Proves that work waits for that of earlier steps.
TEST_F(UpgradeTest, RunsTheWorkOfStepsInOrder) {
  Library library(clock_);
  library.FillOld();
  std::vector<std::string> order;
  const auto step = [&](const std::string& name, int turns) {
    UpgradeStep made{.about = name};
    made.run_turn = [&order, name, turns](const UpgradeParts&, const UpgradePosition& from) {
      order.push_back(name);
      const auto at = from.find("turn");
      const int turn = at == from.end() ? 1 : std::stoi(at->second) + 1;
      return Result<std::optional<UpgradePosition>>(
          turn == turns ? std::optional<UpgradePosition>()
                        : std::optional<UpgradePosition>({{"turn", StrCat(turn)}}));
    };
    return made;
  };
  const std::vector<UpgradeStep> steps = {IndexStep(), step("second", 3), step("third", 1)};
  ASSERT_TRUE(library.Start(steps).ok());
  EXPECT_THAT(library.WorkIds(), ElementsAre("upgrade-2", "upgrade-3"));
  for (int turn = 0; !library.WorkIds().empty(); ++turn) {
    ASSERT_LT(turn, 100);
    library.DoOne(steps);
    clock_.AdvanceMs(100);
  }
  EXPECT_THAT(order, ElementsAre("second", "second", "second", "third"));
}

// Proves that tables of a later version are refused, and stay as they are.
TEST_F(UpgradeTest, RefusesNewerTables) {
  Library library(clock_);
  library.FillOld();
  library.PutVersion(3);
  ASSERT_TRUE(library.blocking().DeleteTable({"books"}).ok());
  const Status started = library.Start({RecordStep(), IndexStep()});
  ASSERT_FALSE(started.ok());
  EXPECT_TRUE(started.error().Is(flows::kNewerTables));
  EXPECT_THAT(started.error().message(),
              HasSubstr("version 3, and this program knows versions up to 2"));
  EXPECT_EQ(library.Version(), 3);
  EXPECT_FALSE(library.Exists("books"));
}

// Proves that a version that is no version is no reason to begin from the start.
TEST_F(UpgradeTest, RefusesADamagedVersion) {
  Library library(clock_);
  library.FillOld();
  library.Put("tintype", ItemBuilder().Text("PK", "SCHEMA").Text("SK", "SCHEMA").Build());
  const Status started = library.Start({RecordStep(), IndexStep()});
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().kind(), ErrorKind::kCorruption);
}

// Proves that a start that is killed at any call leaves nothing that the next one cannot finish.
TEST_F(UpgradeTest, GoesOnWhereAStartWasKilled) {
  Tripwire wire;
  for (const bool old : {true, false}) {
    for (FailingCalls calls(wire); calls.Next();) {
      Library library(clock_);
      if (old) {
        library.FillOld();
      }
      const std::vector<UpgradeStep> steps = AllSteps(library.database());
      TrippedStores tripped(library.database(), library.blobs(), wire);
      calls.Arm();
      calls.Note(library.Start(steps, tripped.database()).ok());
      const Status again = library.Start(steps);
      ASSERT_TRUE(again.ok()) << again.error().message() << ", call " << calls.n();
      EXPECT_EQ(library.Version(), 3);
      if (old) {
        EXPECT_EQ(library.CountByAuthor(), kBooks);
        EXPECT_THAT(library.WorkIds(), ElementsAre("upgrade-3")) << calls.n();
      }
      while (library.DoOne(steps)) {
      }
      EXPECT_THAT(library.WorkIds(), IsEmpty()) << calls.n();
    }
  }
}

// Proves that a second node that starts between any two calls of the first does no harm.
TEST_F(UpgradeTest, AnotherNodeMayStartInBetween) {
  for (const bool old : {true, false}) {
    bool tripped_once = true;
    for (int n = 1; tripped_once; ++n) {
      ASSERT_LT(n, 60);
      Library library(clock_);
      if (old) {
        library.FillOld();
      }
      const std::vector<UpgradeStep> steps = AllSteps(library.database());
      Tripwire wire;
      TrippedStores tripped(library.database(), library.blobs(), wire);
      Status other = OkStatus();
      wire.Interrupt(n, [&] { other = library.Start(steps); });
      const Status first = library.Start(steps, tripped.database());
      tripped_once = wire.tripped();
      ASSERT_TRUE(first.ok()) << first.error().message() << ", call " << n;
      ASSERT_TRUE(other.ok()) << other.error().message() << ", call " << n;
      EXPECT_EQ(library.Version(), 3);
      if (old) {
        EXPECT_EQ(library.CountByAuthor(), kBooks);
        EXPECT_THAT(library.WorkIds(), ElementsAre("upgrade-3")) << n;
      }
    }
  }
}

// Proves the same for nodes that really start at once.
TEST_F(UpgradeTest, NodesMayStartAtOnce) {
  for (int round = 0; round < 5; ++round) {
    Library library(clock_);
    if (round % 2 == 0) {
      library.FillOld();
    }
    const std::vector<UpgradeStep> steps = AllSteps(library.database());
    std::atomic<int> started = 0;
    InThreads(4, [&](int) { started += library.Start(steps).ok() ? 1 : 0; });
    EXPECT_EQ(started, 4);
    EXPECT_EQ(library.Version(), 3);
    if (round % 2 == 0) {
      EXPECT_THAT(library.WorkIds(), ElementsAre("upgrade-3"));
    }
  }
}

using UpgradeWorkTest = ProductTest;

// Proves that a node which does not know a step yet leaves its work to one that does.
TEST_F(UpgradeWorkTest, LeavesNewerStepsToOthers) {
  Work work;
  work.id = "upgrade-99";
  work.type = flows::kUpgradeWork;
  work.input = {{"step", "99"}};
  ASSERT_TRUE(contexts::Transaction("test")
                  .Add(product().backlog.Enqueue(work))
                  .Commit(product().database, product().retries)
                  .ok());
  pipeline::Workers workers({.threads = 1, .idle_wait = std::chrono::milliseconds(5)}, product(),
                            Steps(product()));
  ASSERT_TRUE(Eventually([&] { return workers.stats().failed + workers.stats().dead == 1; }));
  workers.Stop();
  const auto left = product().backlog.Find(work.id);
  ASSERT_TRUE(left.ok() && *left);
  EXPECT_EQ((*left)->status, contexts::backlog::WorkStatus::kDelayed);
  EXPECT_EQ((*left)->retry_count, 0) << "it must not count as an attempt";
}

// Proves that an operator cannot throw an upgrade away, and that work of a step that has none is
// dead, not tried for ever.
TEST_F(UpgradeWorkTest, IsNotPurged) {
  Work work;
  work.id = "upgrade-0";
  work.type = flows::kUpgradeWork;
  work.input = {{"step", "0"}};
  ASSERT_TRUE(contexts::Transaction("test")
                  .Add(product().backlog.Enqueue(work))
                  .Commit(product().database, product().retries)
                  .ok());
  EXPECT_EQ(Drain(), 1);
  const auto dead = product().backlog.Find(work.id);
  ASSERT_TRUE(dead.ok() && *dead);
  EXPECT_EQ((*dead)->status, contexts::backlog::WorkStatus::kDead);
  EXPECT_EQ(KindOf(flows::WhatPurgingLoses(product(), **dead)), ErrorKind::kValidation);
}

}  // namespace
}  // namespace tintype::product
