// The change log as the rooms of this server follow it: every change once, in the order of commits.

#include <gtest/gtest.h>

#include <thread>

#include "base/strings.h"
#include "tables/engine/testing/engine_test.h"
#include "tables/language/errors.h"

namespace tintype::tables::engine {
namespace {

class ChangesTest : public EngineTest {
 protected:
  void CreateFollowed(const std::string& name) {
    CreateTableRequest request = Table(name);
    request.definition.stream = StreamView::kNewAndOldImages;
    Create(std::move(request));
  }

  Result<ReadChangesResponse> Read(ChangePosition after, size_t limit = 1000) {
    ReadChangesRequest request;
    request.tables = {"a", "b"};
    request.after = after;
    request.limit = limit;
    return database_->ReadChanges(request);
  }
};

// Changes of several tables come as one sequence, in pages of any size, across a reopened engine,
// each once; tables that are not followed, or have no stream, do not show.
TEST_F(ChangesTest, EveryChangeOnceInOrder) {
  CreateFollowed("a");
  CreateFollowed("b");
  CreateFollowed("other");
  Create(Table("silent"));
  std::vector<std::string> expected;
  for (int i = 0; i < 60; ++i) {
    const std::string table = i % 3 == 0 ? "b" : "a";
    Put(table, With(StrCat("k", i % 20), "v", i));
    Put("other", With("x", "v", i));
    Put("silent", With("x", "v", i));
    expected.push_back(StrCat(table, i));
    if (i == 30) {
      clock_.AdvanceMs(3 * kHourMs);  // Into another period of the log.
      Open();
    }
  }
  for (const size_t limit : {1U, 7U, 1000U}) {
    std::vector<std::string> seen;
    ChangePosition position = 0;
    while (true) {
      const auto page = Read(position, limit);
      ASSERT_TRUE(page.ok()) << page.error().message();
      if (page->changes.empty()) {
        break;
      }
      for (const Change& change : page->changes) {
        EXPECT_GT(change.position, position);
        position = change.position;
        seen.push_back(StrCat(change.table, change.new_image->Find("v")->AsNumber().ToString()));
      }
      position = page->next;
    }
    EXPECT_EQ(seen, expected) << limit;
    EXPECT_EQ(position, database_->LatestChange());
  }
}

// A change tells who made it and what was there before.
TEST_F(ChangesTest, TellsWhatHappened) {
  CreateFollowed("a");
  ASSERT_TRUE(Call(&Database::UpdateTimeToLive, UpdateTimeToLiveRequest{"a", true, "ttl"}).ok());
  Put("a", With("x", "ttl", clock_.NowMs() / kSecondMs - 1));
  ASSERT_TRUE(Eventually([&] { return !Get("a", "x"); }));
  const auto page = Read(0);
  ASSERT_EQ(page->changes.size(), 2U);
  EXPECT_EQ(page->changes[0].event, Change::Event::kInsert);
  EXPECT_EQ(page->changes[0].origin, Change::Origin::kClient);
  EXPECT_EQ(page->changes[0].time_ms, clock_.NowMs());
  EXPECT_EQ(page->changes[1].event, Change::Event::kRemove);
  EXPECT_EQ(page->changes[1].origin, Change::Origin::kExpiry);
  EXPECT_EQ(page->changes[1].key, Key("x"));
  EXPECT_EQ(page->changes[1].old_image, page->changes[0].new_image);
}

// Whoever waits is woken by a change, and not before; one that has been away for too long learns
// that it has missed something.
TEST_F(ChangesTest, WaitsForChangesAndTellsOfLostOnes) {
  CreateFollowed("a");
  const ChangePosition before = database_->LatestChange();
  EXPECT_FALSE(database_->WaitForChange(before, std::chrono::milliseconds(20)));
  std::thread writer([this] { Put("a", Key("x")); });
  EXPECT_TRUE(database_->WaitForChange(before, std::chrono::seconds(20)));
  writer.join();
  EXPECT_EQ(Read(before)->changes.size(), 1U);
  const ChangePosition all = Read(before)->next;
  clock_.AdvanceMs(kDayMs + kSecondMs);
  EXPECT_EQ(Read(before).error().reason(), tables::reasons::kTrimmed);
  EXPECT_TRUE(Read(all).ok());  // It had read everything.
  EXPECT_TRUE(Read(0).ok());
}

}  // namespace
}  // namespace tintype::tables::engine
