// How changes are followed on DynamoDB Streams: by a service in memory that does what DynamoDB does
// and our own engine does not, shards that are closed and continued by others.

#include "tables/remote/remote_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/numbers.h"
#include "base/strings.h"
#include "tables/language/errors.h"

namespace tintype::tables::remote {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Lists one stream and one shard a page. An iterator is `shard@position`; positions count records.
class FakeStreams : public Streams {
 public:
  struct Shard {
    std::string id;
    std::optional<std::string> parent;
    uint64_t records = 0;
    uint64_t trimmed = 0;
    bool closed = false;
  };

  void ListStreams(ListStreamsRequest request, Done<ListStreamsResponse> done) override {
    ++lists;
    ListStreamsResponse response;
    const std::vector<StreamSummary> all = {
        {"arn/3", "2026-03", "t"}, {"arn/1", "2026-01", "t"}, {"arn/9", "2026-09", "another"}};
    size_t next = 0;
    while (request.exclusive_start_arn && all[next++].arn != *request.exclusive_start_arn) {
    }
    if (*request.table != "t") {
      return done(response);
    }
    response.streams = {all[next]};
    if (next + 1 < all.size()) {
      response.last_evaluated_arn = all[next].arn;
    }
    done(std::move(response));
  }
  void DescribeStream(DescribeStreamRequest request, Done<DescribeStreamResponse> done) override {
    EXPECT_EQ(request.arn, "arn/3");
    DescribeStreamResponse response;
    size_t next = 0;
    while (request.exclusive_start_shard && shards[next++].id != *request.exclusive_start_shard) {
    }
    response.shards = {{shards[next].id, "0", std::nullopt, shards[next].parent}};
    if (next + 1 < shards.size()) {
      response.last_evaluated_shard = shards[next].id;
    }
    done(std::move(response));
  }
  void GetShardIterator(GetShardIteratorRequest request,
                        Done<GetShardIteratorResponse> done) override {
    ++iterators;
    const Shard& shard = Find(request.shard);
    uint64_t position = shard.trimmed;
    if (request.type == ShardIteratorType::kAfterSequenceNumber) {
      const auto number = ParseInteger<uint64_t>(*request.sequence_number);
      if (!number) {
        return done(Error::Validation("Invalid SequenceNumber"));
      }
      position = *number;
      if (position < shard.trimmed) {
        return done(Error(reasons::kTrimmed, "trimmed"));
      }
    }
    done(GetShardIteratorResponse{StrCat(shard.id, "@", position)});
  }
  void GetRecords(GetRecordsRequest request, Done<GetRecordsResponse> done) override {
    if (expire_next) {
      expire_next = false;
      return done(Error(reasons::kExpiredIterator, "expired"));
    }
    const size_t at = request.iterator.find('@');
    const Shard& shard = Find(request.iterator.substr(0, at));
    uint64_t position = *ParseInteger<uint64_t>(request.iterator.substr(at + 1));
    if (trim_next) {
      trim_next = false;
      return done(Error(reasons::kTrimmed, "trimmed"));
    }
    GetRecordsResponse response;
    while (position < shard.records && response.records.size() < request.limit) {
      StreamRecord record;
      record.sequence_number = std::to_string(++position);
      record.event = StreamRecord::Event::kRemove;
      record.expired = position % 2 == 0;
      record.created_ms = static_cast<int64_t>(position) * 1000;
      response.records.push_back(std::move(record));
    }
    if (position < shard.records || !shard.closed) {
      response.next_iterator = StrCat(shard.id, "@", position);
    }
    done(std::move(response));
  }

  const Shard& Find(const std::string& id) const {
    return *std::ranges::find(shards, id, &Shard::id);
  }

  std::vector<Shard> shards;
  bool expire_next = false;
  bool trim_next = false;
  int lists = 0;
  int iterators = 0;
};

class RemoteChangesTest : public testing::Test {
 protected:
  Result<ReadChangesResponse> Read(const std::string& shard, const ChangePosition& after,
                                   size_t limit = 1000) {
    return changes_.ReadChanges({{"t", shard}, after, limit});
  }
  std::vector<std::string> Listed() {
    const std::vector<ChangeShard> shards = changes_.ListShards("t").value();
    std::vector<std::string> ids;
    ids.reserve(shards.size());
    for (const ChangeShard& shard : shards) {
      ids.push_back(shard.name.shard);
    }
    return ids;
  }

  FakeClock clock_{1'750'000'000'000};
  FakeStreams streams_;
  RemoteChanges changes_{{}, streams_, clock_};
};

// The shards of the latest stream are listed over all pages, parents before children, and the list
// is believed for a while.
TEST_F(RemoteChangesTest, ListsParentsFirst) {
  streams_.shards = {{"grandchild", "child"},
                     {"child", "parent"},
                     {"parent", "long gone"},
                     {"other", std::nullopt}};
  EXPECT_THAT(Listed(), ElementsAre("parent", "other", "child", "grandchild"));
  EXPECT_EQ(changes_.ListShards("t")->at(2).parent, "parent");
  EXPECT_EQ(streams_.lists, 3);
  clock_.AdvanceMs(20'000);
  EXPECT_EQ(Listed().size(), 4U);
  EXPECT_EQ(streams_.lists, 6);
  EXPECT_THAT(*changes_.ListShards("without a stream"), IsEmpty());
}

// Every record is given once, in pages of any size, by one iterator; who made a change is known
// only of what expired.
TEST_F(RemoteChangesTest, GivesEveryRecordOnce) {
  streams_.shards = {{.id = "a", .parent = {}, .records = 5}};
  ChangePosition position;
  std::vector<std::string> seen;
  for (int i = 0; i < 4; ++i) {
    const auto page = Read("a", position, 2);
    ASSERT_TRUE(page.ok()) << page.error().message();
    for (const Change& change : page->changes) {
      seen.push_back(change.position);
      EXPECT_EQ(change.event, Change::Event::kRemove);
      EXPECT_EQ(change.origin, change.position == "2" || change.position == "4"
                                   ? Change::Origin::kExpiry
                                   : Change::Origin::kUnknown);
    }
    EXPECT_EQ(page->more, i < 3);
    EXPECT_FALSE(page->ended);
    position = page->next;
  }
  EXPECT_THAT(seen, ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_EQ(position, "5");
  EXPECT_EQ(streams_.iterators, 1);
  // Another place needs another iterator.
  EXPECT_EQ(Read("a", "3")->changes.size(), 2U);
  EXPECT_EQ(streams_.iterators, 2);
}

// An iterator that has expired is replaced by one for the same position.
TEST_F(RemoteChangesTest, ReplacesExpiredIterators) {
  streams_.shards = {{.id = "a", .parent = {}, .records = 4}};
  EXPECT_EQ(Read("a", "", 3)->next, "3");
  streams_.expire_next = true;
  const auto rest = Read("a", "3");
  ASSERT_TRUE(rest.ok());
  EXPECT_EQ(rest->changes.size(), 1U);
  EXPECT_EQ(rest->next, "4");
}

// Positions whose records are gone are told as such; whoever has none begins with what is kept,
// even if that changes in between.
TEST_F(RemoteChangesTest, TellsOfTrimmedRecords) {
  streams_.shards = {{.id = "a", .parent = {}, .records = 9, .trimmed = 5}};
  EXPECT_TRUE(Read("a", "3").error().Is(reasons::kTrimmed));
  streams_.trim_next = true;
  const auto kept = Read("a", "");
  ASSERT_TRUE(kept.ok());
  EXPECT_EQ(kept->changes.front().position, "6");
}

// A position that the service does not take would be refused for ever: its follower starts over, as
// it does when records are gone.
TEST_F(RemoteChangesTest, APositionOfElsewhereIsOfNoUse) {
  streams_.shards = {{.id = "a", .parent = {}, .records = 2}};
  EXPECT_TRUE(Read("a", "of elsewhere").error().Is(reasons::kTrimmed));
  EXPECT_EQ(Read("a", "")->changes.size(), 2U);
}

// The end of a closed shard is told, and has its children listed at once.
TEST_F(RemoteChangesTest, TellsOfTheEnd) {
  streams_.shards = {{.id = "a", .parent = {}, .records = 2, .trimmed = 0, .closed = true}};
  EXPECT_THAT(Listed(), ElementsAre("a"));
  streams_.shards.push_back({.id = "b", .parent = "a"});
  EXPECT_THAT(Listed(), ElementsAre("a"));
  const auto page = Read("a", "");
  EXPECT_EQ(page->changes.size(), 2U);
  EXPECT_TRUE(page->ended);
  EXPECT_FALSE(page->more);
  EXPECT_THAT(Listed(), ElementsAre("a", "b"));
}

}  // namespace
}  // namespace tintype::tables::remote
