// Items go when their time has come, from indexes too and with a record; others stay.

#include <gtest/gtest.h>

#include "base/strings.h"
#include "tables/engine/expiry/expiry.h"
#include "tables/engine/testing/engine_test.h"

namespace tintype::tables::engine {
namespace {

class ExpiryTest : public EngineTest {
 protected:
  int64_t Seconds(int64_t from_now = 0) const { return clock_.NowMs() / kSecondMs + from_now; }

  void SetTimeToLive(const std::string& table, bool enabled, const std::string& attribute = "ttl") {
    const auto updated =
        Call(&Database::UpdateTimeToLive, UpdateTimeToLiveRequest{table, enabled, attribute});
    ASSERT_TRUE(updated.ok()) << updated.error().message();
  }
  TimeToLiveStatus Status(const std::string& table) {
    return Call(&Database::DescribeTimeToLive, DescribeTimeToLiveRequest{table})->status;
  }
  bool Goes(const std::string& table, const std::string& pk) {
    return Eventually([&] { return !Get(table, pk); });
  }
};

// IMG-12, JOB-5: an item goes at its time, not before, with its index entry and its total.
TEST_F(ExpiryTest, ItemsGoAtTheirTime) {
  Create(IndexedTable("t"));
  SetTimeToLive("t", true);
  const auto put = [&](const std::string& pk, int64_t seconds) {
    Put("t", Item::Of({{"pk", Value::String(pk)},
                       {"n", Value::Integer(1)},
                       {"ttl", Value::Integer(seconds)}}));
  };
  put("soon", Seconds(10));
  put("later", Seconds(100));
  Put("t", With("never", "n", 1));
  clock_.AdvanceMs(9 * kSecondMs);
  put("tick", Seconds(-1));  // Shows that the sweep has been round.
  EXPECT_TRUE(Goes("t", "tick"));
  EXPECT_TRUE(Get("t", "soon"));
  clock_.AdvanceMs(kSecondMs);
  EXPECT_TRUE(Goes("t", "soon"));
  EXPECT_TRUE(Get("t", "later"));
  EXPECT_EQ(Items("t", "by_n").size(), 2U);
  EXPECT_EQ(Description("t").item_count, 2);
}

// Values that are no plausible time are ignored: other types, the distant past, nonsense. Fractions
// count.
TEST_F(ExpiryTest, ImplausibleTimesAreIgnored) {
  Create(Table("t"));
  SetTimeToLive("t", true);
  const auto put = [&](const std::string& pk, Value value) {
    Put("t", Item::Of({{"pk", Value::String(pk)}, {"ttl", std::move(value)}}));
  };
  const int64_t five_years = int64_t{5} * 365 * 24 * 60 * 60;
  put("text", Value::String(std::to_string(Seconds(-1))));
  put("old", Value::Integer(Seconds(-five_years - 1)));
  put("zero", Value::Integer(0));
  put("negative", Value::Integer(-5));
  put("milliseconds", Value::Integer(clock_.NowMs()));
  put("huge", Value::OfNumber(Number::Parse("1e100").value()));
  put("nearly old", Value::Integer(Seconds(-five_years + 60)));
  put("fraction", Value::OfNumber(Number::Parse(StrCat(Seconds(-1), ".9")).value()));
  EXPECT_TRUE(Goes("t", "nearly old"));
  EXPECT_TRUE(Goes("t", "fraction"));
  for (const char* pk : {"text", "old", "zero", "negative", "milliseconds", "huge"}) {
    EXPECT_TRUE(Get("t", pk)) << pk;
  }
}

// A time that is changed or taken away counts as it is, not as it was.
TEST_F(ExpiryTest, ChangedTimesCount) {
  Create(Table("t"));
  SetTimeToLive("t", true);
  for (const char* pk : {"prolonged", "freed", "replaced", "due"}) {
    Put("t", With(pk, "ttl", Seconds(10)));
  }
  Put("t", With("prolonged", "ttl", Seconds(1000)));
  Put("t", Key("freed"));
  Delete("t", "replaced");
  Put("t", With("replaced", "v", 1));
  clock_.AdvanceMs(20 * kSecondMs);
  EXPECT_TRUE(Goes("t", "due"));
  EXPECT_TRUE(Get("t", "prolonged"));
  EXPECT_TRUE(Get("t", "freed"));
  EXPECT_TRUE(Get("t", "replaced"));
}

// An item whose time lies before what has been removed already goes too.
TEST_F(ExpiryTest, LateComersGo) {
  Create(Table("t"));
  SetTimeToLive("t", true);
  Put("t", With("a", "ttl", Seconds(-10)));
  EXPECT_TRUE(Goes("t", "a"));
  Put("t", With("b", "ttl", Seconds(-1000)));
  EXPECT_TRUE(Goes("t", "b"));
  Put("t", With("c", "ttl", Seconds(-10)));
  EXPECT_TRUE(Goes("t", "c"));
}

// Removals are in the stream as the service's own.
TEST_F(ExpiryTest, RemovalsAreInTheStream) {
  CreateTableRequest request = Table("t");
  request.definition.stream = StreamView::kOldImage;
  Create(request);
  SetTimeToLive("t", true);
  Put("t", With("a", "ttl", Seconds(-1)));
  EXPECT_TRUE(Goes("t", "a"));
  Put("t", Key("a"));
  Delete("t", "a");
  const std::string arn = Description("t").stream_arn.value();
  std::vector<StreamRecord> records;
  const auto described = DescribeStream(arn);
  for (const ShardDescription& shard : described->shards) {
    const auto iterator =
        Call(&Streams::GetShardIterator,
             GetShardIteratorRequest{arn, shard.id, ShardIteratorType::kTrimHorizon, {}});
    const auto page = Call(&Streams::GetRecords, GetRecordsRequest{iterator->iterator});
    records.insert(records.end(), page->records.begin(), page->records.end());
  }
  ASSERT_EQ(records.size(), 4U);
  EXPECT_EQ(records[1].event, StreamRecord::Event::kRemove);
  EXPECT_TRUE(records[1].expired);
  EXPECT_EQ(records[1].old_image->Find("pk")->AsString(), "a");
  EXPECT_EQ(records[3].event, StreamRecord::Event::kRemove);
  EXPECT_FALSE(records[3].expired);
}

// Turned on for a table that has items already, it finds them all, whatever is written meanwhile;
// turned off, nothing goes any more; a reopened engine goes on.
TEST_F(ExpiryTest, FindsItemsThatWereThereBefore) {
  Create(Table("t"));
  constexpr int kItems = 700;  // More than one chunk.
  for (int i = 0; i < kItems; ++i) {
    Put("t", With(StrCat("k", i), "ttl", Seconds(50)));
  }
  SetTimeToLive("t", true);
  for (int i = 0; i < 100; ++i) {
    Put("t", With(StrCat("k", i), "ttl", Seconds(5000)));
  }
  EXPECT_TRUE(Eventually([&] { return Status("t") == TimeToLiveStatus::kEnabled; }));
  clock_.AdvanceMs(60 * kSecondMs);
  Open();
  EXPECT_TRUE(Eventually([&] { return Items("t").size() == 100; }));
  SetTimeToLive("t", false);
  EXPECT_EQ(Status("t"), TimeToLiveStatus::kDisabled);
  Put("t", With("stays", "ttl", Seconds(-1)));
  // Another table's item shows that the sweep has been round since.
  Create(Table("u"));
  SetTimeToLive("u", true);
  Put("u", With("tick", "ttl", Seconds(-1)));
  EXPECT_TRUE(Goes("u", "tick"));
  EXPECT_TRUE(Get("t", "stays"));
}

// What DynamoDB refuses.
TEST_F(ExpiryTest, RefusesWhatIsNoChange) {
  Create(Table("t"));
  const auto update = [&](bool enabled, const std::string& attribute) {
    return Call(&Database::UpdateTimeToLive, UpdateTimeToLiveRequest{"t", enabled, attribute});
  };
  EXPECT_EQ(update(false, "ttl").error().message(), "TimeToLive is already disabled");
  ASSERT_TRUE(update(true, "ttl").ok());
  EXPECT_EQ(update(true, "ttl").error().message(), "TimeToLive is already enabled");
  EXPECT_EQ(update(true, "other").error().kind(), ErrorKind::kValidation);
  EXPECT_EQ(update(false, "other").error().kind(), ErrorKind::kValidation);
  EXPECT_TRUE(update(false, "ttl").ok());
  EXPECT_EQ(Call(&Database::UpdateTimeToLive, UpdateTimeToLiveRequest{"none", true, "ttl"})
                .error()
                .kind(),
            ErrorKind::kNotFound);
}

}  // namespace
}  // namespace tintype::tables::engine
