// How followers share one reader: each change once and in order, whatever the others do.

#include "pipeline/change_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/logging.h"
#include "base/mutex.h"
#include "base/strings.h"
#include "base/testing/eventually.h"
#include "tables/language/errors.h"

namespace tintype::pipeline {
namespace {

using std::chrono::milliseconds;
using tables::Change;
using tables::ChangeShard;
using tables::FollowerPosition;
using tables::ReadChangesRequest;
using tables::ReadChangesResponse;
using tables::ShardName;
using testing::ElementsAre;
using testing::IsEmpty;

/// A log in memory. The n-th change of a shard has the position n.
class FakeLog : public tables::ChangeLog {
 public:
  void AddShard(const std::string& id, std::optional<std::string> parent = {}) {
    const MutexLock lock(mutex_);
    shards_.push_back({{"t", id}, std::move(parent)});
  }
  void RemoveShard(const std::string& id) {
    const MutexLock lock(mutex_);
    std::erase_if(shards_, [&](const ChangeShard& shard) { return shard.name.shard == id; });
  }
  void Close(const std::string& id) {
    const MutexLock lock(mutex_);
    closed_.insert(id);
  }
  void Append(const std::string& id, size_t count) {
    const MutexLock lock(mutex_);
    counts_[id] += count;
  }
  void Trim(const std::string& id, size_t until) {
    const MutexLock lock(mutex_);
    trimmed_[id] = until;
  }
  /// From now on, reading the shard fails.
  void Damage(const std::string& id) {
    const MutexLock lock(mutex_);
    damaged_.insert(id);
  }
  /// How often a page was read that had changes in it.
  int reads() const {
    const MutexLock lock(mutex_);
    return reads_;
  }

  Result<std::vector<ChangeShard>> ListShards(const std::string& /*table*/) override {
    const MutexLock lock(mutex_);
    return shards_;
  }
  Result<ReadChangesResponse> ReadChanges(const ReadChangesRequest& request) override {
    const MutexLock lock(mutex_);
    const std::string& id = request.shard.shard;
    if (damaged_.contains(id)) {
      return Error::Corruption("damaged");
    }
    size_t at = request.after.empty() ? 0 : std::stoul(request.after);
    if (!request.after.empty() && at < trimmed_[id]) {
      return Error(tables::reasons::kTrimmed, "gone");
    }
    at = std::max(at, trimmed_[id]);
    ReadChangesResponse response;
    while (at < counts_[id] && response.changes.size() < request.limit) {
      Change change;
      change.table = "t";
      change.position = std::to_string(++at);
      response.changes.push_back(std::move(change));
    }
    response.next = std::to_string(at);
    response.more = at < counts_[id];
    response.ended = !response.more && closed_.contains(id);
    reads_ += response.changes.empty() ? 0 : 1;
    return response;
  }
  uint64_t CommitCount() const override { return 0; }
  bool WaitForCommit(uint64_t /*seen*/, milliseconds /*at_most*/) override { return false; }

 private:
  mutable Mutex mutex_;
  std::vector<ChangeShard> shards_ GUARDED_BY(mutex_);
  std::set<std::string> closed_ GUARDED_BY(mutex_);
  std::set<std::string> damaged_ GUARDED_BY(mutex_);
  std::map<std::string, size_t> counts_ GUARDED_BY(mutex_);
  std::map<std::string, size_t> trimmed_ GUARDED_BY(mutex_);
  int reads_ GUARDED_BY(mutex_) = 0;
};

/// Remembers what it was given, as `shard:position`.
class FakeFollower : public tables::Follower {
 public:
  explicit FakeFollower(std::vector<FollowerPosition> stored = {}) : stored_(std::move(stored)) {}

  const std::string& name() const override { return name_; }
  const std::vector<std::string>& tables() const override { return tables_; }
  Result<std::vector<FollowerPosition>> LoadPositions() override { return stored_; }
  Status Follow(std::span<const Change> changes, const FollowerPosition& reached) override {
    const MutexLock lock(mutex_);
    if (failures_ != 0) {
      --failures_;
      return Error(ErrorKind::kUnavailable, "not now");
    }
    for (const Change& change : changes) {
      seen_.push_back(StrCat(reached.shard.shard, ":", change.position));
    }
    reached_ = reached.position;
    return OkStatus();
  }
  Status Forget(const ShardName& shard, bool missed) override {
    const MutexLock lock(mutex_);
    forgotten_.push_back(StrCat(shard.shard, missed ? " missed" : ""));
    return OkStatus();
  }

  void FailNext(int times) {
    const MutexLock lock(mutex_);
    failures_ = times;
  }
  std::vector<std::string> seen() const {
    const MutexLock lock(mutex_);
    return seen_;
  }
  std::vector<std::string> forgotten() const {
    const MutexLock lock(mutex_);
    return forgotten_;
  }

 private:
  const std::string name_ = "fake";
  const std::vector<std::string> tables_ = {"t"};
  const std::vector<FollowerPosition> stored_;
  mutable Mutex mutex_;
  int failures_ GUARDED_BY(mutex_) = 0;
  std::vector<std::string> seen_ GUARDED_BY(mutex_);
  std::vector<std::string> forgotten_ GUARDED_BY(mutex_);
  std::string reached_ GUARDED_BY(mutex_);
};

std::vector<std::string> Numbers(const std::string& shard, size_t first, size_t last) {
  std::vector<std::string> numbers;
  for (size_t i = first; i <= last; ++i) {
    numbers.push_back(StrCat(shard, ":", i));
  }
  return numbers;
}

class ChangeReaderTest : public testing::Test {
 protected:
  ChangeReaderTest() { SetLogLevel(LogLevel::kError); }

  ChangeReaderConfig Config() const {
    return {.pause = milliseconds(1), .wait = milliseconds(1), .retry = milliseconds(2), .page = 5};
  }

  FakeLog log_;
};

// Followers at the same place share each read; both get every change once and in order.
TEST_F(ChangeReaderTest, ReadsOnceForAll) {
  log_.AddShard("a");
  log_.Append("a", 12);
  FakeFollower one;
  FakeFollower two;
  ChangeReader reader(Config(), log_, {&one, &two});
  ASSERT_TRUE(Eventually([&] { return two.seen().size() == 12; }));
  reader.Stop();
  EXPECT_EQ(one.seen(), Numbers("a", 1, 12));
  EXPECT_EQ(two.seen(), Numbers("a", 1, 12));
  EXPECT_EQ(log_.reads(), 3);
}

// One that begins further behind catches up without giving anything to the other twice.
TEST_F(ChangeReaderTest, CatchesUp) {
  log_.AddShard("a");
  log_.Append("a", 23);
  FakeFollower behind({{{"t", "a"}, "2", ""}});
  FakeFollower ahead({{{"t", "a"}, "19", ""}});
  ChangeReader reader(Config(), log_, {&ahead, &behind});
  ASSERT_TRUE(Eventually([&] { return behind.seen().size() == 21; }));
  log_.Append("a", 3);
  ASSERT_TRUE(Eventually([&] { return behind.seen().size() == 24; }));
  reader.Stop();
  EXPECT_EQ(behind.seen(), Numbers("a", 3, 26));
  EXPECT_EQ(ahead.seen(), Numbers("a", 20, 26));
}

// One that fails is given the same again, and the other does not wait for it.
TEST_F(ChangeReaderTest, AFailureIsOnesOwn) {
  log_.AddShard("a");
  FakeFollower failing;
  FakeFollower other;
  failing.FailNext(-1);
  ChangeReader reader(Config(), log_, {&failing, &other});
  log_.Append("a", 4);
  ASSERT_TRUE(Eventually([&] { return other.seen().size() == 4; }));
  EXPECT_THAT(failing.seen(), IsEmpty());
  failing.FailNext(2);
  ASSERT_TRUE(Eventually([&] { return failing.seen().size() == 4; }));
  reader.Stop();
  EXPECT_EQ(failing.seen(), Numbers("a", 1, 4));
  EXPECT_EQ(other.seen(), Numbers("a", 1, 4));
}

// A shard that cannot be read holds up no other, however long it is left alone.
TEST_F(ChangeReaderTest, ABadShardHoldsUpNoOther) {
  log_.AddShard("bad");
  log_.AddShard("good");
  log_.Damage("bad");
  log_.Append("good", 3);
  ChangeReaderConfig config = Config();
  config.retry = std::chrono::hours(1);
  FakeFollower follower;
  ChangeReader reader(config, log_, {&follower});
  ASSERT_TRUE(Eventually([&] { return follower.seen().size() == 3; }));
  log_.Append("good", 9);
  ASSERT_TRUE(Eventually([&] { return follower.seen().size() == 12; }));
  reader.Stop();
  EXPECT_EQ(follower.seen(), Numbers("good", 1, 12));
}

// A child is read when its parent has been read to the end, and not before; a parent that is listed
// no more holds up nobody.
TEST_F(ChangeReaderTest, ParentsComeFirst) {
  log_.AddShard("child", "parent");
  log_.AddShard("parent", "grandparent");
  log_.Append("child", 2);
  log_.Append("parent", 7);
  FakeFollower follower;
  ChangeReader reader(Config(), log_, {&follower});
  ASSERT_TRUE(Eventually([&] { return follower.seen().size() == 7; }));
  EXPECT_EQ(follower.seen(), Numbers("parent", 1, 7));
  log_.Append("parent", 1);
  log_.Close("parent");
  ASSERT_TRUE(Eventually([&] { return follower.seen().size() == 10; }));
  EXPECT_THAT(follower.seen(), testing::Contains("child:2"));
  log_.RemoveShard("parent");
  ASSERT_TRUE(Eventually([&] { return !follower.forgotten().empty(); }));
  reader.Stop();
  EXPECT_THAT(follower.forgotten(), ElementsAre("parent"));  // Nothing was missed.
}

// A follower that was away for too long learns that it has missed something, and goes on with what
// is kept; so does one whose shard is gone.
TEST_F(ChangeReaderTest, TellsOfWhatWasMissed) {
  log_.AddShard("a");
  log_.Append("a", 20);
  log_.Trim("a", 10);
  FakeFollower away({{{"t", "a"}, "3", ""}, {{"t", "gone"}, "3", ""}});
  FakeFollower new_one;
  ChangeReader reader(Config(), log_, {&away, &new_one});
  ASSERT_TRUE(Eventually([&] { return away.seen().size() + new_one.seen().size() == 20; }));
  reader.Stop();
  EXPECT_EQ(away.seen(), Numbers("a", 11, 20));
  EXPECT_THAT(away.forgotten(), ElementsAre("gone missed", "a missed"));
  EXPECT_EQ(new_one.seen(), Numbers("a", 11, 20));
  EXPECT_THAT(new_one.forgotten(), IsEmpty());
}

}  // namespace
}  // namespace tintype::pipeline
