// Tables made from the past of others: recovery to any second.

#include <gtest/gtest.h>

#include "tables/engine/testing/recovery_test.h"
#include "tables/language/errors.h"

namespace tintype::tables::engine {
namespace {

// M2C-13: each second shows what was there then: items, deletions and index contents. Restored
// tables stand on their own.
TEST_F(RecoveryTest, RestoresEachMoment) {
  Create(IndexedTable("t"));
  Put("t", With("before", "n", 0));
  SetRecovery("t", true);
  const int64_t empty = Moment();
  Put("t", With("a", "n", 1));
  const int64_t one = Moment();
  Put("t", With("a", "n", 2));
  Put("t", With("b", "n", 7));
  const int64_t two = Moment();
  Delete("t", "a");
  Put("t", Key("b"));  // Leaves the index.
  Delete("t", "before");
  const int64_t three = Moment();
  Put("t", With("a", "n", 9));

  RestoreAndWait("t", "empty", empty);
  EXPECT_EQ(Items("empty"), std::vector{With("before", "n", 0)});
  RestoreAndWait("t", "one", one);
  EXPECT_EQ(Get("one", "a"), With("a", "n", 1));
  EXPECT_EQ(Get("one", "b"), std::nullopt);
  EXPECT_EQ(Items("one", "by_n").size(), 2U);
  RestoreAndWait("t", "two", two);
  EXPECT_EQ(Get("two", "a"), With("a", "n", 2));
  EXPECT_EQ(Get("two", "b"), With("b", "n", 7));
  EXPECT_EQ(Items("two", "by_n").size(), 3U);
  EXPECT_EQ(Description("two").item_count, 3);
  EXPECT_EQ(Description("two").global_indexes[0].item_count, 3);
  RestoreAndWait("t", "three", three);
  EXPECT_EQ(Items("three"), std::vector{Key("b")});
  EXPECT_TRUE(Items("three", "by_n").empty());
  const auto latest = Restore("t", "latest", std::nullopt);
  ASSERT_TRUE(latest.ok());
  ASSERT_TRUE(BecomesActive("latest"));
  EXPECT_EQ(Get("latest", "a"), With("a", "n", 9));

  Put("two", With("c", "n", 1));
  EXPECT_EQ(Get("t", "c"), std::nullopt);
  Open();
  EXPECT_EQ(Items("two").size(), 4U);
  EXPECT_EQ(Items("t").size(), 2U);
}

// The window: from when it was turned on, for as many days as asked.
TEST_F(RecoveryTest, OnlyWithinTheWindow) {
  Create(Table("t"));
  const auto reason = [&](std::optional<int64_t> time_ms) {
    return Restore("t", "r", time_ms).error().reason();
  };
  EXPECT_EQ(reason(std::nullopt), tables::reasons::kRecoveryUnavailable);
  SetRecovery("t", true, 3);
  EXPECT_EQ(reason(clock_.NowMs() - kSecondMs), tables::reasons::kInvalidRestoreTime);
  EXPECT_EQ(reason(clock_.NowMs() + kSecondMs), tables::reasons::kInvalidRestoreTime);
  clock_.AdvanceMs(10 * kDayMs);
  const auto described =
      Call(&Backups::DescribeContinuousBackups, DescribeContinuousBackupsRequest{"t"});
  ASSERT_TRUE(described->recovery);
  EXPECT_EQ(described->recovery->days, 3);
  EXPECT_EQ(described->recovery->earliest_ms, clock_.NowMs() - 3 * kDayMs);
  EXPECT_EQ(described->recovery->latest_ms, clock_.NowMs());
  EXPECT_EQ(reason(clock_.NowMs() - 3 * kDayMs - kSecondMs), tables::reasons::kInvalidRestoreTime);
  EXPECT_TRUE(Restore("t", "r", clock_.NowMs() - 3 * kDayMs).ok());
  ASSERT_TRUE(BecomesActive("r"));
  EXPECT_EQ(Restore("none", "r2", std::nullopt).error().reason(), tables::reasons::kTableNotFound);
  EXPECT_EQ(Restore("t", "r", std::nullopt).error().reason(), tables::reasons::kTableExists);
  SetRecovery("t", false);
  EXPECT_EQ(Restore("t", "r2", std::nullopt).error().reason(),
            tables::reasons::kRecoveryUnavailable);
}

// A window that was short has let go what a longer one would reach back to.
TEST_F(RecoveryTest, ALongerWindowHasToGrow) {
  Create(Table("t"));
  SetRecovery("t", true, 1);
  clock_.AdvanceMs(20 * kDayMs);
  SetRecovery("t", true, 35);
  const auto described =
      Call(&Backups::DescribeContinuousBackups, DescribeContinuousBackupsRequest{"t"});
  EXPECT_EQ(described->recovery->earliest_ms, clock_.NowMs() - kDayMs);
  EXPECT_EQ(Restore("t", "r", clock_.NowMs() - 10 * kDayMs).error().reason(),
            tables::reasons::kInvalidRestoreTime);
}

// The latest state is that of the request, also when the clock was set back.
TEST_F(RecoveryTest, LatestIsTheMomentOfTheRequest) {
  Create(Table("t"));
  SetRecovery("t", true);
  Put("t", With("a", "v", 1));
  clock_.AdvanceMs(-kHourMs);
  Put("t", With("a", "v", 2));
  ASSERT_TRUE(Restore("t", "r", std::nullopt).ok());
  Put("t", With("a", "v", 3));
  ASSERT_TRUE(BecomesActive("r"));
  EXPECT_EQ(Get("r", "a"), With("a", "v", 2));
}

// JOB-9: what is 34 days old can be restored while records older than that have gone.
TEST_F(RecoveryTest, KeepsThirtyFiveDays) {
  Create(Table("t"));
  SetRecovery("t", true);
  Put("t", With("a", "v", 0));
  for (int day = 1; day <= 40; ++day) {
    clock_.AdvanceMs(kDayMs);
    Put("t", With("a", "v", day));
  }
  clock_.AdvanceMs(kHourMs);
  Open();  // Trims.
  RestoreAndWait("t", "r", clock_.NowMs() - 34 * kDayMs);
  EXPECT_EQ(Get("r", "a"), With("a", "v", 6));
}

// What a restored table takes over, and what may be asked for instead.
TEST_F(RecoveryTest, SettingsOfARestoredTable) {
  CreateTableRequest request = IndexedTable("t");
  request.definition.stream = StreamView::kKeysOnly;
  request.tags = {{"k", "v"}};
  Create(request);
  SetRecovery("t", true);
  Put("t", With("a", "n", 1));
  RestoreOverrides overrides;
  overrides.billing_mode = BillingMode::kProvisioned;
  overrides.throughput = Throughput{5, 6};
  overrides.global_indexes.emplace();
  const auto restored = Restore("t", "r", clock_.NowMs(), overrides);
  ASSERT_TRUE(restored.ok()) << restored.error().message();
  EXPECT_EQ(restored->table.status, TableStatus::kCreating);
  ASSERT_TRUE(BecomesActive("r"));
  const TableDescription table = Description("r");
  EXPECT_EQ(table.definition.throughput, (Throughput{5, 6}));
  EXPECT_TRUE(table.global_indexes.empty());
  EXPECT_EQ(table.definition.attributes.size(), 1U);
  EXPECT_FALSE(table.definition.stream);
  EXPECT_EQ(Call(&Database::DescribeTimeToLive, DescribeTimeToLiveRequest{"r"})->status,
            TimeToLiveStatus::kDisabled);
  EXPECT_FALSE(
      Call(&Backups::DescribeContinuousBackups, DescribeContinuousBackupsRequest{"r"})->recovery);
  overrides.global_indexes = {Index("other")};
  EXPECT_EQ(Restore("t", "r2", clock_.NowMs(), overrides).error().kind(), ErrorKind::kValidation);
}

}  // namespace
}  // namespace tintype::tables::engine
