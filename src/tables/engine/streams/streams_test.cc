// Streams: what changed, exactly, in order, for a day; through crashes of time, tables and streams.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "tables/engine/changes/change_record.h"
#include "tables/engine/testing/engine_test.h"
#include "tables/language/errors.h"

namespace tintype::tables::engine {
namespace {

using Event = StreamRecord::Event;

class StreamsTest : public EngineTest {
 protected:
  void CreateWithStream(StreamView view, const std::string& name = "t") {
    CreateTableRequest request = Table(name);
    request.definition.stream = view;
    Create(std::move(request));
  }

  std::string StreamArn(const std::string& table = "t") {
    return Description(table).stream_arn.value_or("");
  }

  Result<std::string> Iterator(const std::string& arn, size_t shard, ShardIteratorType type,
                               std::optional<SequenceNumber> number = std::nullopt) {
    ASSIGN_OR_RETURN(const auto described, DescribeStream(arn));
    ASSIGN_OR_RETURN(auto response, Call(&Streams::GetShardIterator,
                                         GetShardIteratorRequest{arn, described.shards.at(shard).id,
                                                                 type, std::move(number)}));
    return std::move(response.iterator);
  }

  // All records of a stream, shard after shard, in pages of `limit`.
  std::vector<StreamRecord> ReadAll(const std::string& arn, size_t limit = 1000) {
    std::vector<StreamRecord> records;
    for (size_t shard = 0; shard < kShards; ++shard) {
      auto iterator = Iterator(arn, shard, ShardIteratorType::kTrimHorizon);
      EXPECT_TRUE(iterator.ok());
      std::optional<std::string> next = iterator.ok() ? std::optional(*iterator) : std::nullopt;
      while (next) {
        auto page = Call(&Streams::GetRecords, GetRecordsRequest{*next, limit});
        EXPECT_TRUE(page.ok()) << page.error().message();
        if (!page.ok() || (page->records.empty() && page->next_iterator)) {
          break;
        }
        records.insert(records.end(), page->records.begin(), page->records.end());
        next = page->next_iterator;
      }
    }
    return records;
  }

  void SetStream(std::optional<StreamView> view) {
    UpdateTableRequest request;
    request.table = "t";
    request.stream = view;
    const auto updated = Call(&Database::UpdateTable, request);
    ASSERT_TRUE(updated.ok()) << updated.error().message();
  }
};

// A record exists if and only if its write changed something, in order, with both images; a clock
// that is set back turns nothing around.
TEST_F(StreamsTest, RecordsTellWhatHappened) {
  CreateWithStream(StreamView::kNewAndOldImages);
  Put("t", With("a", "v", 1));
  Put("t", With("a", "v", 1));  // Changes nothing.
  clock_.AdvanceMs(-5000);
  Put("t", With("a", "v", 2));
  Delete("t", "a");
  Delete("t", "a");  // Nothing there.

  const std::vector<StreamRecord> records = ReadAll(StreamArn());
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].event, Event::kInsert);
  EXPECT_EQ(records[0].old_image, std::nullopt);
  EXPECT_EQ(records[0].new_image, With("a", "v", 1));
  EXPECT_EQ(records[1].event, Event::kModify);
  EXPECT_EQ(records[1].old_image, With("a", "v", 1));
  EXPECT_EQ(records[1].new_image, With("a", "v", 2));
  EXPECT_EQ(records[2].event, Event::kRemove);
  EXPECT_EQ(records[2].old_image, With("a", "v", 2));
  EXPECT_EQ(records[2].new_image, std::nullopt);
  std::set<std::string> ids;
  for (size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(records[i].keys, Key("a"));
    EXPECT_FALSE(records[i].expired);
    ids.insert(records[i].event_id);
    if (i > 0) {
      EXPECT_GT(records[i].sequence_number, records[i - 1].sequence_number);
      EXPECT_GE(records[i].created_ms, records[i - 1].created_ms);
    }
  }
  EXPECT_EQ(ids.size(), 3U);
}

// Each view shows its images and no others, also when recovery has the log hold more.
TEST_F(StreamsTest, ViewsShowTheirImagesAndNoOthers) {
  struct Case {
    StreamView view;
    bool shows_old;
    bool shows_new;
  };
  const Case cases[] = {{StreamView::kKeysOnly, false, false},
                        {StreamView::kOldImage, true, false},
                        {StreamView::kNewImage, false, true},
                        {StreamView::kNewAndOldImages, true, true}};
  for (const bool recovery : {false, true}) {
    for (const Case& each : cases) {
      const std::string name = StrCat("t", recovery ? 1 : 0, static_cast<int>(each.view));
      CreateWithStream(each.view, name);
      if (recovery) {
        ASSERT_TRUE(Call(&Backups::UpdateContinuousBackups,
                         UpdateContinuousBackupsRequest{name, true, std::nullopt})
                        .ok());
      }
      Put(name, With("a", "v", 1));
      Put(name, With("a", "v", 2));
      const std::vector<StreamRecord> records = ReadAll(StreamArn(name));
      ASSERT_EQ(records.size(), 2U) << name;
      EXPECT_EQ(records[1].event, Event::kModify);
      EXPECT_EQ(records[1].keys, Key("a"));
      EXPECT_EQ(records[1].old_image.has_value(), each.shows_old) << name;
      EXPECT_EQ(records[1].new_image.has_value(), each.shows_new) << name;
    }
  }
}

// Many items spread over all shards; pages of any size and a reopened engine give each record once,
// and those of an item in order.
TEST_F(StreamsTest, EveryRecordOnceInPagesAcrossReopening) {
  CreateWithStream(StreamView::kNewImage);
  CreateWithStream(StreamView::kNewImage, "other");
  constexpr int kItems = 60;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < kItems; ++i) {
      Put("t", With(StrCat("k", i), "round", round));
      Put("other", With(StrCat("k", i), "round", round));
    }
    clock_.AdvanceMs(2 * kHourMs);  // Into the next period of the log.
    Open();
  }
  for (const size_t limit : {1U, 7U, 1000U}) {
    std::map<std::string, int> next_round;
    std::set<SequenceNumber> numbers;
    for (const StreamRecord& record : ReadAll(StreamArn(), limit)) {
      const std::string pk(record.keys.Find("pk")->AsString());
      EXPECT_EQ(record.new_image, With(pk, "round", next_round[pk]++));
      EXPECT_TRUE(numbers.insert(record.sequence_number).second);
    }
    EXPECT_EQ(next_round.size(), static_cast<size_t>(kItems));
    EXPECT_EQ(numbers.size(), 3U * kItems);
  }
}

// LATEST starts behind everything that was answered; AT and AFTER start where they say.
TEST_F(StreamsTest, IteratorsStartWhereTheySay) {
  CreateWithStream(StreamView::kNewImage);
  Put("t", With("a", "v", 1));
  const std::string arn = StreamArn();
  size_t shard = 0;  // The one that has the item.
  for (size_t each = 0; each < kShards; ++each) {
    const auto page =
        Call(&Streams::GetRecords,
             GetRecordsRequest{*Iterator(arn, each, ShardIteratorType::kTrimHorizon)});
    if (!page->records.empty()) {
      shard = each;
    }
  }
  const std::string latest = *Iterator(arn, shard, ShardIteratorType::kLatest);
  Put("t", With("a", "v", 2));
  Put("t", With("a", "v", 3));
  const auto after_latest = Call(&Streams::GetRecords, GetRecordsRequest{latest});
  ASSERT_TRUE(after_latest.ok());
  ASSERT_EQ(after_latest->records.size(), 2U);
  const SequenceNumber second = after_latest->records[0].sequence_number;
  const auto count = [&](ShardIteratorType type) {
    return Call(&Streams::GetRecords, GetRecordsRequest{*Iterator(arn, shard, type, second)})
        ->records.size();
  };
  EXPECT_EQ(count(ShardIteratorType::kAtSequenceNumber), 2U);
  EXPECT_EQ(count(ShardIteratorType::kAfterSequenceNumber), 1U);
  // At the end there is an iterator, and it goes on.
  const std::string next = after_latest->next_iterator.value();
  EXPECT_TRUE(Call(&Streams::GetRecords, GetRecordsRequest{next})->records.empty());
  Put("t", With("a", "v", 4));
  EXPECT_EQ(Call(&Streams::GetRecords, GetRecordsRequest{next})->records.size(), 1U);
}

// An iterator lives for 15 minutes; nonsense is refused.
TEST_F(StreamsTest, OldAndDamagedIteratorsAreRefused) {
  CreateWithStream(StreamView::kKeysOnly);
  const std::string iterator = *Iterator(StreamArn(), 0, ShardIteratorType::kTrimHorizon);
  clock_.AdvanceMs(15 * 60 * kSecondMs);
  EXPECT_TRUE(Call(&Streams::GetRecords, GetRecordsRequest{iterator}).ok());
  clock_.AdvanceMs(1);
  EXPECT_EQ(Call(&Streams::GetRecords, GetRecordsRequest{iterator}).error().reason(),
            tables::reasons::kExpiredIterator);
  for (size_t length = 0; length < iterator.size(); ++length) {
    EXPECT_FALSE(Call(&Streams::GetRecords, GetRecordsRequest{iterator.substr(0, length)}).ok());
  }
  std::string other_shard = iterator;
  other_shard[other_shard.size() - 33] = '9';
  EXPECT_EQ(Call(&Streams::GetRecords, GetRecordsRequest{other_shard}).error().kind(),
            ErrorKind::kValidation);
  EXPECT_EQ(Iterator(StreamArn(), 0, ShardIteratorType::kAtSequenceNumber, "12").error().kind(),
            ErrorKind::kValidation);
}

// After a day records are gone, for clients at once and from the disk a little later; positions go
// on when the log is empty and reopened.
TEST_F(StreamsTest, RecordsGoAfterADay) {
  CreateWithStream(StreamView::kKeysOnly);
  for (int i = 0; i < 20; ++i) {
    Put("t", Key(StrCat("k", i)));
  }
  const std::vector<StreamRecord> before = ReadAll(StreamArn());
  ASSERT_EQ(before.size(), 20U);
  const auto last = std::ranges::max(before, {}, &StreamRecord::sequence_number);
  clock_.AdvanceMs(kDayMs + kSecondMs);
  EXPECT_TRUE(ReadAll(StreamArn()).empty());
  EXPECT_EQ(Iterator(StreamArn(), 0, ShardIteratorType::kAtSequenceNumber, last.sequence_number)
                .error()
                .reason(),
            tables::reasons::kTrimmed);
  clock_.AdvanceMs(2 * kHourMs);  // Whole periods are removed.
  Open();
  Put("t", Key("new"));
  const std::vector<StreamRecord> after = ReadAll(StreamArn());
  ASSERT_EQ(after.size(), 1U);
  EXPECT_GT(after[0].sequence_number, last.sequence_number);
}

// The oldest record can be read with an iterator for it, although it grows too old on the way.
TEST_F(StreamsTest, TheOldestRecordCanBeReached) {
  CreateWithStream(StreamView::kKeysOnly);
  Put("t", Key("a"));
  clock_.AdvanceMs(kDayMs);
  size_t found = 0;
  for (size_t shard = 0; shard < kShards; ++shard) {
    const std::string iterator = *Iterator(StreamArn(), shard, ShardIteratorType::kTrimHorizon);
    clock_.AdvanceMs(10);
    const auto page = Call(&Streams::GetRecords, GetRecordsRequest{iterator});
    ASSERT_TRUE(page.ok()) << page.error().message();
    found += page->records.size();
    clock_.AdvanceMs(-10);
  }
  EXPECT_EQ(found, 1U);
}

// A stream that is turned off ends, stays readable for a day, and is another one when it is turned
// on again; what happened in between is in neither. The same when its table is deleted.
TEST_F(StreamsTest, StreamsEndAndBeginAnew) {
  CreateWithStream(StreamView::kNewImage);
  Put("t", With("a", "v", 1));
  const std::string first = StreamArn();
  SetStream(std::nullopt);
  Put("t", With("a", "v", 2));
  SetStream(StreamView::kKeysOnly);
  Put("t", With("a", "v", 3));
  const std::string second = StreamArn();
  EXPECT_NE(first, second);
  Open();

  const auto described = DescribeStream(first);
  ASSERT_TRUE(described.ok());
  EXPECT_EQ(described->status, StreamStatus::kDisabled);
  EXPECT_TRUE(described->shards[0].last);
  ASSERT_EQ(ReadAll(first).size(), 1U);
  EXPECT_EQ(ReadAll(first)[0].new_image, With("a", "v", 1));
  ASSERT_EQ(ReadAll(second).size(), 1U);
  EXPECT_EQ(ReadAll(second)[0].new_image, std::nullopt);
  const auto iterator = Iterator(first, 0, ShardIteratorType::kTrimHorizon);
  const auto end = Call(&Streams::GetRecords, GetRecordsRequest{*iterator});
  EXPECT_EQ(end->next_iterator, std::nullopt);

  ASSERT_TRUE(Call(&Database::DeleteTable, DeleteTableRequest{"t"}).ok());
  EXPECT_EQ(ReadAll(second).size(), 1U);
  const auto listed = Call(&Streams::ListStreams, ListStreamsRequest{});
  EXPECT_EQ(listed->streams.size(), 2U);
  clock_.AdvanceMs(kDayMs + kSecondMs);
  EXPECT_EQ(DescribeStream(second).error().kind(), ErrorKind::kNotFound);
  EXPECT_TRUE(Call(&Streams::ListStreams, ListStreamsRequest{})->streams.empty());
}

// Lists go on where a page ended.
TEST_F(StreamsTest, ListsComeInPages) {
  for (const char* name : {"aaa", "bbb", "ccc"}) {
    CreateWithStream(StreamView::kKeysOnly, name);
  }
  ListStreamsRequest request;
  request.limit = 2;
  const auto page = Call(&Streams::ListStreams, request);
  ASSERT_EQ(page->streams.size(), 2U);
  request.exclusive_start_arn = page->last_evaluated_arn;
  const auto rest = Call(&Streams::ListStreams, request);
  ASSERT_EQ(rest->streams.size(), 1U);
  EXPECT_EQ(rest->streams[0].table, "ccc");
  EXPECT_EQ(rest->last_evaluated_arn, std::nullopt);
  request = {};
  request.table = "bbb";
  EXPECT_EQ(Call(&Streams::ListStreams, request)->streams.size(), 1U);
  DescribeStreamRequest describe;
  describe.arn = StreamArn("aaa");
  describe.limit = 3;
  const auto shards = Call(&Streams::DescribeStream, describe);
  ASSERT_EQ(shards->shards.size(), 3U);
  describe.exclusive_start_shard = shards->last_evaluated_shard;
  EXPECT_EQ(Call(&Streams::DescribeStream, describe)->shards.size(), 1U);
}

// Damaged records are refused, never followed.
TEST(ChangeRecordTest, DecodeRefusesDamage) {
  const std::string key = LogKey{300, 1, FirstPositionAt(1'750'000'000'000) + 7}.Encode();
  const Item item = Item::Of({{"pk", Value::String("a")}});
  std::string value(1, 0x12);  // A removal by a client, with the old image.
  AppendVarint(value, item.payload().size());
  value.append(item.payload());
  ASSERT_TRUE(ChangeRecord::Decode(key, value).ok());
  for (size_t length = 0; length < value.size(); ++length) {
    EXPECT_FALSE(ChangeRecord::Decode(key, value.substr(0, length)).ok()) << length;
  }
  EXPECT_FALSE(ChangeRecord::Decode(key, value + "x").ok());
  EXPECT_FALSE(ChangeRecord::Decode(key.substr(1), value).ok());
  const std::string bad_shard = LogKey{300, kShards, FirstPositionAt(1)}.Encode();
  EXPECT_FALSE(ChangeRecord::Decode(bad_shard, value).ok());
  for (const int header : {0x13, 0x1E, 0x52, 0x92}) {  // Event, origin, unused bits.
    value[0] = static_cast<char>(header);
    EXPECT_FALSE(ChangeRecord::Decode(key, value).ok()) << header;
  }
}

}  // namespace
}  // namespace tintype::tables::engine
