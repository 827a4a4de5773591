// The engine on a disk that is full or fails: what is refused, what goes on, and what comes back by
// itself.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <thread>
#include <tuple>
#include <utility>

#include "base/strings.h"
#include "base/testing/eventually.h"
#include "base/testing/temporary_directory.h"
#include "crypto/secret_key.h"
#include "tables/engine/commit/core.h"
#include "tables/engine/commit/task.h"
#include "tables/engine/items/operations.h"
#include "tables/engine/open.h"
#include "tables/engine/rocks_database.h"
#include "tables/engine/schema/operations.h"
#include "tables/engine/storage/log_guard.h"
#include "tables/engine/testing/fault_file_system.h"
#include "tables/language/blocking_database.h"

namespace tintype::tables::engine {
namespace {

using rocksdb::IOStatus;

constexpr uint64_t kMb = uint64_t{1} << 20;

class FaultTest : public testing::Test {
 protected:
  FaultTest() {
    disk_->Intercept([this](FileKind kind, FileOperation operation, const std::string& name) {
      if (kind == FileKind::kLog && operation == FileOperation::kSync && at_next_log_sync_) {
        std::exchange(at_next_log_sync_, nullptr)();
      }
      if (!failing_ || kind != failing_kind_ || operation != failing_operation_) {
        return IOStatus::OK();
      }
      ++failures_;
      const std::string what = StrCat("While writing: ", name);
      return no_space_ ? IOStatus::NoSpace(what, "No space left on device")
                       : IOStatus::IOError(what, "Input/output error");
      // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): a status owns its text.
    });
  }
  void SetUp() override {
    Open();
    CreateTableRequest request;
    request.definition.name = "t";
    request.definition.billing_mode = BillingMode::kPayPerRequest;
    request.definition.attributes = {{"pk", Type::kNumber}};
    request.definition.keys = {{"pk"}, {}};
    ASSERT_TRUE(BlockingDatabase(*database_).CreateTable(request).ok());
    ASSERT_EQ(Put(1), "");
  }

  EngineConfig Config() {
    EngineConfig config;
    config.directory = directory_.path() + "/tables";
    config.file_system = disk_;
    config.master_key = crypto::SecretKey::FromBytes(std::string(crypto::SecretKey::kBytes, 'k'));
    config.write_buffer_bytes = size_t{64} << 10;
    config.min_free_bytes = 80 * kMb;
    config.ballast_bytes = kMb;
    config.on_failure = [this](const Error& error) {
      failure_ = error.note();
      failed_ = true;
    };
    return config;
  }
  void Open() {
    auto database = RocksDatabase::Open(Config(), SystemClock());
    ASSERT_TRUE(database.ok()) << database.error().message();
    database_ = std::move(*database);
  }

  // Each answers "" or the code of the error, by its name in HTTP terms: what a client may do about
  // it.
  static std::string Outcome(const auto& result) {
    if (result.ok()) {
      return "";
    }
    switch (result.error().kind()) {
      case ErrorKind::kUnavailable:
        return "unavailable";
      case ErrorKind::kIo:
        return "io";
      default:
        return result.error().message();
    }
  }
  std::string Put(int number, size_t bytes = 100) {
    PutItemRequest request;
    request.table = "t";
    request.item = Item::Of(
        {{"pk", Value::Integer(number)}, {"text", Value::String(std::string(bytes, 'x'))}});
    return Outcome(BlockingDatabase(*database_).PutItem(request));
  }
  std::string Delete(int number) {
    DeleteItemRequest request;
    request.table = "t";
    request.key = Item::Of({{"pk", Value::Integer(number)}});
    return Outcome(BlockingDatabase(*database_).DeleteItem(request));
  }
  bool Has(int number) {
    GetItemRequest request;
    request.table = "t";
    request.key = Item::Of({{"pk", Value::Integer(number)}});
    const auto answer = BlockingDatabase(*database_).GetItem(request);
    return answer.ok() && answer->item;
  }

  void Fail(FileKind kind, FileOperation operation, bool no_space) {
    failing_kind_ = kind;
    failing_operation_ = operation;
    no_space_ = no_space;
    failing_ = true;
  }

  TemporaryDirectory directory_;
  std::shared_ptr<FaultFileSystem> disk_ =
      std::make_shared<FaultFileSystem>(directory_.path() + "/tables", 1);
  std::function<void()> at_next_log_sync_;  // Set while nothing is being written.
  std::atomic<bool> failing_ = false;
  std::atomic<FileKind> failing_kind_ = FileKind::kOther;
  std::atomic<FileOperation> failing_operation_ = FileOperation::kCreate;
  std::atomic<bool> no_space_ = false;
  std::atomic<int> failures_ = 0;
  std::string failure_;  // Written before failed_ is set.
  std::atomic<bool> failed_ = false;
  std::unique_ptr<RocksDatabase> database_;
};

// On a nearly full disk reads and deletions go on, everything else is refused as something that
// passes; with room again it is accepted, without a restart.
TEST_F(FaultTest, ANearlyFullDiskTakesOnlyDeletions) {
  disk_->SetFreeBytes(50 * kMb);
  ASSERT_TRUE(Eventually([&] { return Put(2) == "unavailable"; }));
  EXPECT_TRUE(Has(1));
  EXPECT_EQ(Delete(1), "");
  EXPECT_FALSE(Has(1));

  BatchWriteItemRequest batch;
  batch.tables.push_back({"t", {}});
  batch.tables[0].actions.push_back(
      BatchWriteItemRequest::Delete{Item::Of({{"pk", Value::Integer(1)}})});
  EXPECT_EQ(Outcome(BlockingDatabase(*database_).BatchWriteItem(batch)), "");
  batch.tables[0].actions.push_back(
      BatchWriteItemRequest::Put{Item::Of({{"pk", Value::Integer(2)}})});
  EXPECT_EQ(Outcome(BlockingDatabase(*database_).BatchWriteItem(batch)), "unavailable");
  EXPECT_EQ(database_->disk_status().writes_refused, true);
  EXPECT_EQ(database_->disk_status().free_bytes, 50 * kMb);

  disk_->SetFreeBytes(std::nullopt);
  EXPECT_TRUE(Eventually([&] { return Put(2).empty(); }));
  EXPECT_TRUE(Has(2));
  EXPECT_EQ(database_->disk_status().writes_refused, false);
}

// On a nearly full disk this server's own writes go on, so that people can log in and delete what
// they have; on a full one they are refused as well.
TEST_F(FaultTest, ANearlyFullDiskTakesTheServersOwnWrites) {
  BlockingDatabase server(database_->AsServer());
  PutItemRequest put;
  put.table = "t";
  put.item = Item::Of({{"pk", Value::Integer(2)}});
  TransactWriteItemsRequest transaction;
  TransactWriteItemsRequest::Action action;
  action.table = "t";
  action.what = TransactWriteItemsRequest::Put{Item::Of({{"pk", Value::Integer(3)}})};
  transaction.actions.push_back(std::move(action));

  disk_->SetFreeBytes(50 * kMb);
  ASSERT_TRUE(Eventually([&] { return Put(4) == "unavailable"; }));
  EXPECT_EQ(Outcome(server.PutItem(put)), "");
  EXPECT_EQ(Outcome(server.TransactWriteItems(transaction)), "");
  EXPECT_TRUE(Has(2));
  EXPECT_TRUE(Has(3));
  EXPECT_EQ(Put(4), "unavailable");
  EXPECT_FALSE(database_->disk_status().full);

  disk_->SetFreeBytes(5 * kMb);
  ASSERT_TRUE(Eventually([&] { return Outcome(server.PutItem(put)) == "unavailable"; }));
  EXPECT_EQ(Outcome(server.TransactWriteItems(transaction)), "unavailable");
  EXPECT_TRUE(database_->disk_status().full);
}

// A full disk takes nothing, not even deletions: the log could not be written.
TEST_F(FaultTest, AFullDiskTakesNothing) {
  disk_->SetFreeBytes(5 * kMb);
  ASSERT_TRUE(Eventually([&] { return Put(2) == "unavailable"; }));
  EXPECT_EQ(Delete(1), "unavailable");
  EXPECT_EQ(Outcome(BlockingDatabase(*database_).DeleteTable({"t"})), "unavailable");
  EXPECT_TRUE(Has(1));
  disk_->SetFreeBytes(50 * kMb);
  EXPECT_TRUE(Eventually([&] { return Delete(1).empty(); }));
  EXPECT_EQ(Outcome(BlockingDatabase(*database_).DeleteTable({"t"})), "");
}

// An index that is being filled when the disk gets full is filled once there is room.
TEST_F(FaultTest, ABackfillWaitsForRoom) {
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(Put(i), "");
  }
  database_.reset();
  Core core(Config(), SystemClock());
  ASSERT_TRUE(OpenCore(core).ok());
  UpdateTableRequest request;
  request.table = "t";
  request.attributes = {{"text", Type::kString}};
  IndexDefinition index;
  index.name = "by-text";
  index.keys = {{"text"}, {}};
  request.index_changes.emplace_back(index);
  // Full between the write of the new index and the first items that are read for it.
  at_next_log_sync_ = [&] {
    disk_->SetFreeBytes(5 * kMb);
    core.disk_space.Check();
  };
  std::promise<bool> updated;
  UpdateTable(core, request, [&](const auto& result) { updated.set_value(result.ok()); });
  ASSERT_TRUE(updated.get_future().get());
  const auto filled = [&] {
    const auto table = DescribeTable(core, {"t"});
    const IndexDescription& described = table->table.global_indexes.at(0);
    return described.status == IndexStatus::kActive ? described.item_count : -1;
  };
  // Everything queued before this has had its turn.
  std::promise<bool> refused;
  DeleteTable(core, {"other"}, [&](const auto& result) { refused.set_value(!result.ok()); });
  ASSERT_TRUE(refused.get_future().get());
  EXPECT_EQ(filled(), -1);
  disk_->SetFreeBytes(std::nullopt);
  EXPECT_TRUE(Eventually([&] { return filled() == 500; }));
}

// A table that is removed from a nearly full disk takes its files with it: waiting for them to be
// merged could take forever.
TEST_F(FaultTest, ARemovedTableFreesItsFilesWhenThereIsLittleRoom) {
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(Put(i, 1000), "");
  }
  database_.reset();
  Core core(Config(), SystemClock());
  ASSERT_TRUE(OpenCore(core).ok());
  ASSERT_TRUE(
      core.storage->db()
          .CompactRange(rocksdb::CompactRangeOptions(), core.storage->data(), nullptr, nullptr)
          .ok());
  const auto file_bytes = [&] {
    uint64_t bytes = 0;
    core.storage->db().GetIntProperty(core.storage->data(), "rocksdb.live-sst-files-size", &bytes);
    return bytes;
  };
  ASSERT_GT(file_bytes(), 0);
  disk_->SetFreeBytes(50 * kMb);
  core.disk_space.Check();
  std::promise<bool> removed;
  DeleteTable(core, {"t"}, [&](const auto& result) { removed.set_value(result.ok()); });
  ASSERT_TRUE(removed.get_future().get());
  EXPECT_TRUE(Eventually([&] { return file_bytes() == 0; }));
}

// A buffer that does not fit on the disk stops writes, not the process, and no longer than that
// lasts.
TEST_F(FaultTest, AFlushWithoutSpaceIsRecoveredFrom) {
  Fail(FileKind::kTable, FileOperation::kAppend, /*no_space=*/true);
  int number = 2;
  std::string outcome;
  ASSERT_TRUE(Eventually([&] {
    outcome = Put(number, 4000);
    number += outcome.empty() ? 1 : 0;
    return !outcome.empty();
  }));
  EXPECT_EQ(outcome, "unavailable");
  EXPECT_GT(failures_, 0);
  EXPECT_TRUE(Has(number - 1));
  failing_ = false;
  EXPECT_TRUE(
      Eventually([&] { return Put(number).empty(); }));  // RocksDB looks every five seconds.
  EXPECT_FALSE(failed_);
  for (int i = 1; i <= number; ++i) {
    EXPECT_TRUE(Has(i)) << i;
  }
}

// A transaction that was decided when the disk turned out to be full did not happen, also not for
// its token: repeated when there is room, it is applied.
TEST_F(FaultTest, ADroppedTransactionCanBeRepeated) {
  database_.reset();
  Core core(Config(), SystemClock());
  ASSERT_TRUE(OpenCore(core).ok());
  const auto write = [&](int number) {
    TransactWriteItemsRequest request;
    TransactWriteItemsRequest::Action action;
    action.table = "t";
    action.what = TransactWriteItemsRequest::Put{Item::Of({{"pk", Value::Integer(number)}})};
    request.actions.push_back(std::move(action));
    request.client_token = StrCat("token ", number);
    auto outcome = std::make_shared<std::promise<std::string>>();
    TransactWriteItems(core, std::move(request), ChangeOrigin::kEndpoint,
                       [outcome](const auto& result) { outcome->set_value(Outcome(result)); });
    return outcome->get_future();
  };
  const auto has = [&](int number) {
    const auto answer =
        GetItem(core, {"t", Item::Of({{"pk", Value::Integer(number)}}), {}, true, {}});
    return answer.ok() && answer->item;
  };
  ASSERT_EQ(write(2).get(), "");
  // The first task, in a group of its own, holds the others back until both are waiting and so
  // become one group. In it, the transaction is decided before the flush finds the disk full.
  std::promise<void> begun;
  std::promise<void> release;
  SubmitWrite<bool>(
      core, Space::kTakes,
      [&](CommitGroup&) -> Result<bool> {
        begun.set_value();
        release.get_future().wait();
        return true;
      },
      [](const auto&) {});
  begun.get_future().wait();
  std::future<std::string> transaction = write(3);
  std::promise<std::string> flush;
  SubmitWrite<bool>(
      core, Space::kTakes,
      [&](CommitGroup&) -> Result<bool> {
        Fail(FileKind::kTable, FileOperation::kAppend, /*no_space=*/true);
        return core.storage->db().Flush({}, core.storage->data()).IsNoSpace();
      },
      [&](const auto& result) { flush.set_value(Outcome(result)); });
  release.set_value();
  EXPECT_EQ(transaction.get(), "unavailable");
  EXPECT_EQ(flush.get_future().get(), "unavailable");
  EXPECT_FALSE(has(3));
  failing_ = false;
  EXPECT_TRUE(Eventually([&] { return write(3).get().empty(); }));
  EXPECT_TRUE(has(3));
}

// A log that cannot be written or synced is the end, whatever the reason: the write is refused, so
// is every later one although the disk would take it again, and the owner is told which file it
// was.
TEST_F(FaultTest, AFailingLogIsTheEnd) {
  struct Case {
    FileOperation operation;
    bool no_space;
  };
  const Case cases[] = {{FileOperation::kAppend, false},
                        {FileOperation::kSync, false},
                        {FileOperation::kAppend, true},
                        {FileOperation::kSync, true}};
  int number = 2;
  for (const Case& each : cases) {
    SCOPED_TRACE(
        StrCat("operation ", static_cast<int>(each.operation), ", no space ", each.no_space));
    ASSERT_EQ(Put(number), "");
    Fail(FileKind::kLog, each.operation, each.no_space);
    EXPECT_EQ(Put(number + 1), "io");
    failing_ = false;
    EXPECT_EQ(Put(number + 2), "io");
    EXPECT_EQ(Delete(1), "io");
    EXPECT_TRUE(Has(number));
    EXPECT_FALSE(Has(number + 1));
    ASSERT_TRUE(Eventually([&] { return failed_.load(); }));
    EXPECT_NE(failure_.find("While writing: " + directory_.path() + "/tables/"), std::string::npos)
        << failure_;
    EXPECT_NE(failure_.find(".log"), std::string::npos) << failure_;
    // A fresh start is what helps.
    failed_ = false;
    database_.reset();
    Open();
    EXPECT_TRUE(Has(1));
    EXPECT_TRUE(Has(number));
    EXPECT_FALSE(Has(number + 2));
    number += 3;
  }
}

// RocksDB goes on by itself when there is no space, which it must not with a log.
TEST_F(FaultTest, NoSpaceOnALogIsAnOrdinaryError) {
  const auto syncs = std::make_shared<metrics::Histogram>(metrics::kDurationBounds);
  const std::shared_ptr<rocksdb::FileSystem> guarded = GuardLogs(disk_, syncs);
  for (const auto& [name, kind, no_space] :
       {std::tuple("900.log", FileKind::kLog, false), {"900.sst", FileKind::kTable, true}}) {
    for (const FileOperation operation : {FileOperation::kAppend, FileOperation::kSync}) {
      Fail(kind, operation, /*no_space=*/true);
      const std::string path = directory_.path() + "/tables/" + name;
      std::unique_ptr<rocksdb::FSWritableFile> file;
      ASSERT_TRUE(guarded->NewWritableFile(path, {}, &file, nullptr).ok());
      const IOStatus status = operation == FileOperation::kAppend ? file->Append("x", {}, nullptr)
                                                                  : file->Sync({}, nullptr);
      EXPECT_TRUE(status.IsIOError());
      EXPECT_EQ(status.IsNoSpace(), no_space) << name;
      EXPECT_NE(status.ToString().find(path), std::string::npos) << status.ToString();
      failing_ = false;
    }
  }
}

// Any other failure to write out a buffer ends in the same way with the next write.
TEST_F(FaultTest, AFailingFlushIsTheEnd) {
  Fail(FileKind::kTable, FileOperation::kSync, /*no_space=*/false);
  int number = 2;
  std::string outcome;
  ASSERT_TRUE(Eventually([&] {
    outcome = Put(number, 4000);
    number += outcome.empty() ? 1 : 0;
    return !outcome.empty();
  }));
  EXPECT_EQ(outcome, "io");
  EXPECT_TRUE(Eventually([&] { return failed_.load(); }));
  EXPECT_NE(failure_.find(".sst"), std::string::npos) << failure_;
  failing_ = false;
  database_.reset();
  Open();
  for (int i = 1; i < number; ++i) {
    EXPECT_TRUE(Has(i)) << i;
  }
}

}  // namespace
}  // namespace tintype::tables::engine
