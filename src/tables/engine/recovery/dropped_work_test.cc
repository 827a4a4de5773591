// Work of the engine's own that was decided on when the disk turned out to be full: nothing of it
// was written, nobody asks for it again, and it is done once there is room, once.

#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "base/mutex.h"
#include "tables/engine/testing/faulty_recovery_test.h"

namespace tintype::tables::engine {
namespace {

// A clock that tells when it is looked at.
class WatchedClock : public Clock {
 public:
  WatchedClock(const Clock& clock, std::function<void()> looked)
      : clock_(clock), looked_(std::move(looked)) {}
  int64_t NowMs() const override {
    looked_();
    return clock_.NowMs();
  }

 private:
  const Clock& clock_;
  const std::function<void()> looked_;
};

class DroppedWorkTest : public FaultyRecoveryTest {
 protected:
  void SetUp() override {
    Open();
    // They write sorted files too, at any time.
    Storage& storage = *core().storage;
    for (rocksdb::ColumnFamilyHandle* family : {storage.meta(), storage.data(), storage.log()}) {
      ASSERT_TRUE(storage.db().SetOptions(family, {{"disable_auto_compactions", "true"}}).ok());
    }
    Create(Table("probe"));
  }
  void TearDown() override {
    Release();  // Should a test have failed before.
    FaultyRecoveryTest::TearDown();
  }
  const Clock& EngineClock() override { return watched_clock_; }

  // Has the group dropped for which the commit thread looks at the clock for the n-th time from
  // now. It does so when it begins a group, having seen that there is room.
  void DropGroup(int n) {
    Put("probe", With("a", "drop", ++drops_));  // Something that has to be written out.
    std::promise<void> answered;
    database_->PutItem({"probe", Key("b"), {}}, [&](const auto&) {
      commit_thread_ = std::this_thread::get_id();
      looks_left_ = n;
      answered.set_value();
    });
    answered.get_future().wait();
  }
  // Waits until the group was dropped, then gives the disk its room.
  void Recover() {
    ASSERT_TRUE(Eventually([&] { return holding(); }));
    // A write after the group is refused, so the group has been decided on.
    const auto refused = Call(&Database::PutItem, PutItemRequest{"probe", Key("c"), {}});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind(), ErrorKind::kUnavailable);
    Release();
    ASSERT_TRUE(Eventually([&] {
      return Call(&Database::PutItem, PutItemRequest{"probe", Key("c"), {}}).ok();
    }));
  }

 private:
  bool holding() {
    const MutexLock lock(mutex_);
    return holding_;
  }
  void Release() {
    const MutexLock lock(mutex_);
    failing_ = false;
    holding_ = false;
    released_.SignalAll();
  }

  uint64_t BackgroundErrors() {
    uint64_t errors = 0;
    core().storage->db().GetIntProperty("rocksdb.background-errors", &errors);
    return errors;
  }

  // A buffer that cannot be written out has RocksDB refuse every write until it can be.
  void AtLook() {
    if (looks_left_ == 0 || commit_thread_ != std::this_thread::get_id() || --looks_left_ > 0) {
      return;
    }
    {
      const MutexLock lock(mutex_);
      failing_ = true;
    }
    // After an earlier recovery RocksDB answers at once that this went well. It counts the error
    // when it has begun to refuse writes.
    const uint64_t before = BackgroundErrors();
    core().storage->db().Flush({}, core().storage->data()).PermitUncheckedError();
    EXPECT_TRUE(Eventually([&] { return BackgroundErrors() > before; }));
    EXPECT_TRUE(core().storage->waits_for_space());
  }

  // The first write to a sorted file fails; those that RocksDB tries then wait until there is room.
  rocksdb::IOStatus Decide(FileKind kind, FileOperation operation,
                           const std::string& name) override {
    if (kind == FileKind::kTable && operation == FileOperation::kAppend &&
        !name.starts_with(BackupFolder() + "/")) {
      const MutexLock lock(mutex_);
      if (failing_) {
        failing_ = false;
        holding_ = true;
        return rocksdb::IOStatus::NoSpace(name, "No space left on device");
      }
      while (holding_) {
        released_.Wait(mutex_);
      }
    }
    return FaultyRecoveryTest::Decide(kind, operation, name);
  }

  WatchedClock watched_clock_{clock_, [this] { AtLook(); }};
  int64_t drops_ = 0;
  std::thread::id commit_thread_;  // Before looks_left_.
  std::atomic<int> looks_left_ = 0;
  Mutex mutex_;
  CondVar released_;
  bool failing_ GUARDED_BY(mutex_) = false;
  bool holding_ GUARDED_BY(mutex_) = false;
};

// Housekeeping: items that are due go, with one record each.
TEST_F(DroppedWorkTest, ExpiredItemsGo) {
  CreateTableRequest request = IndexedTable("t");
  request.definition.stream = StreamView::kOldImage;
  Create(request);
  ASSERT_TRUE(Call(&Database::UpdateTimeToLive, UpdateTimeToLiveRequest{"t", true, "ttl"}).ok());
  Put("t", Item::Of({{"pk", Value::String("a")},
                     {"n", Value::Integer(1)},
                     {"ttl", Value::Integer(clock_.NowMs() / kSecondMs + 10)}}));
  Put("t", With("b", "n", 2));
  DropGroup(1);
  clock_.AdvanceMs(20 * kSecondMs);
  Recover();
  EXPECT_TRUE(Eventually([&] { return !Get("t", "a"); }));
  EXPECT_EQ(Items("t", "by_n"), std::vector{With("b", "n", 2)});
  EXPECT_EQ(Description("t").item_count, 1);
  EXPECT_EQ(RecordsOf("t"), 3);
}

// Housekeeping: records that are too old go.
TEST_F(DroppedWorkTest, OldRecordsGo) {
  CreateTableRequest request = Table("t");
  request.definition.stream = StreamView::kKeysOnly;
  Create(request);
  Put("t", Key("a"));
  DropGroup(1);
  clock_.AdvanceMs(2 * kDayMs);
  Recover();
  EXPECT_TRUE(Eventually([&] { return RecordsOf("t") == 0; }));
}

// Housekeeping: a backup that is too old goes with its files. The log is trimmed before that.
TEST_F(DroppedWorkTest, OldBackupsGo) {
  Create(Table("t"));
  const BackupDetails backup = Backup("t", "b");
  ASSERT_TRUE(BecomesAvailable(backup.arn));
  DropGroup(2);
  clock_.AdvanceMs(366 * kDayMs);
  Recover();
  EXPECT_TRUE(Eventually([&] { return !StatusOf(backup.arn); }));
  EXPECT_TRUE(BackupFilesGo());
}

// Long work: a backup that has been made becomes available, one that could not be made goes. The
// request for it is a group of its own.
TEST_F(DroppedWorkTest, BackupsAreFinished) {
  Create(Table("t"));
  Put("t", Key("a"));
  DropGroup(2);
  const BackupDetails made = Backup("t", "made");
  Recover();
  EXPECT_TRUE(BecomesAvailable(made.arn));
  failing_on_backups_ = FileOperation::kAppend;
  DropGroup(2);
  const BackupDetails failed = Backup("t", "failed");
  Recover();
  EXPECT_TRUE(Eventually([&] { return !StatusOf(failed.arn); }));
  Open();
  EXPECT_EQ(Listed(ListBackupsRequest::Types::kAll).size(), 1U);
}

// Long work: whichever write of a restore it was, the table comes out whole. The first is the
// request's, the second removes what an earlier attempt left, three copy the table, an empty one
// follows, one undoes the changes since, the last declares the table whole.
TEST_F(DroppedWorkTest, RestoresGoOn) {
  CreateAndFill(IndexedTable("t"));
  SetRecovery("t", true);
  const int64_t moment = Moment();
  Put("t", With("k7", "n", -7));
  Delete("t", "k8");
  Put("t", Key("later"));
  for (const int write : {2, 4, 7, 8}) {
    SCOPED_TRACE(write);
    DropGroup(write);
    ASSERT_TRUE(Restore("t", "r", moment).ok());
    Recover();
    ASSERT_TRUE(BecomesActive("r"));
    ExpectFilled("r");
    ASSERT_TRUE(DeleteTable("r").ok());
  }
}

// A new index is filled, with every item once.
TEST_F(DroppedWorkTest, IndexesAreFilled) {
  CreateAndFill(Table("t"));
  for (const int write : {4, 9}) {  // A chunk between, and the last.
    SCOPED_TRACE(write);
    UpdateTableRequest request;
    request.table = "t";
    request.attributes = {{"n", Type::kNumber}};
    request.index_changes.emplace_back(Index("by_n"));
    DropGroup(write);
    ASSERT_TRUE(Call(&Database::UpdateTable, request).ok());
    Recover();
    ASSERT_TRUE(BecomesActive("t"));
    ExpectFilled("t");
    EXPECT_EQ(Description("t").global_indexes.at(0).item_count, kItems);
    request.attributes.clear();
    request.index_changes = {UpdateTableRequest::DeleteIndex{"by_n"}};
    ASSERT_TRUE(Call(&Database::UpdateTable, request).ok());
  }
}

}  // namespace
}  // namespace tintype::tables::engine
