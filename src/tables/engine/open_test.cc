// Opening: what was answered is there, damage is refused by name, one process at a time.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "tables/engine/rocks_database.h"
#include "tables/language/blocking_database.h"
#include "tables/language/errors.h"

namespace tintype::tables::engine {
namespace {

using Path = std::filesystem::path;

class OpenTest : public testing::Test {
 protected:
  Result<std::unique_ptr<RocksDatabase>> Open() {
    EngineConfig config;
    config.directory = directory_.path();
    config.write_buffer_bytes = size_t{64} << 10;  // Small, so that items reach sorted files.
    config.flush_at_close = false;                 // Leaves a log as a crash does.
    return RocksDatabase::Open(config, SystemClock());
  }

  static void CreateTable(RocksDatabase& database) {
    CreateTableRequest request;
    request.definition.name = "t";
    request.definition.billing_mode = BillingMode::kPayPerRequest;
    request.definition.attributes = {{"pk", Type::kNumber}};
    request.definition.keys = {{"pk"}, {}};
    ASSERT_TRUE(BlockingDatabase(database).CreateTable(request).ok());
  }

  static void Put(RocksDatabase& database, int from, int to) {
    for (int i = from; i < to; ++i) {
      PutItemRequest request;
      request.table = "t";
      request.item =
          Item::Of({{"pk", Value::Integer(i)}, {"text", Value::String(std::string(200, 'x'))}});
      ASSERT_TRUE(BlockingDatabase(database).PutItem(request).ok());
    }
  }

  static bool Has(RocksDatabase& database, int number) {
    GetItemRequest request;
    request.table = "t";
    request.key = Item::Of({{"pk", Value::Integer(number)}});
    const auto answer = BlockingDatabase(database).GetItem(request);
    return answer.ok() && answer->item;
  }

  std::vector<Path> Files(std::string_view extension) {
    std::vector<Path> files;
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
      if (entry.path().extension() == extension) {
        files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    return files;
  }

  static void FlipByte(const Path& path, std::streamoff at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(at);
    const char byte = static_cast<char>(file.get());
    file.seekp(at);
    file.put(static_cast<char>(byte ^ 0x40));
    ASSERT_TRUE(file.good());
  }

  TemporaryDirectory directory_;
};

// Items, and the totals that are kept with them, are there after a clean restart.
TEST_F(OpenTest, KeepsWhatWasWritten) {
  {
    auto database = Open();
    ASSERT_TRUE(database.ok());
    CreateTable(**database);
    Put(**database, 0, 500);
  }
  auto database = Open();
  ASSERT_TRUE(database.ok()) << database.error().message();
  for (int i = 0; i < 500; i += 37) {
    EXPECT_TRUE(Has(**database, i)) << i;
  }
  EXPECT_EQ(BlockingDatabase(**database).DescribeTable({"t"})->table.item_count, 500);
}

// Two processes on one directory would destroy it; the second one is told so.
TEST_F(OpenTest, RefusesADirectoryThatIsInUse) {
  auto first = Open();
  ASSERT_TRUE(first.ok());
  const auto second = Open();
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().reason(), tables::reasons::kAlreadyOpen);
  EXPECT_NE(second.error().message().find(directory_.path()), std::string::npos);
}

// A write that was cut off by a crash was never answered: it is dropped, all before it is kept.
TEST_F(OpenTest, OpensATornTail) {
  {
    auto database = Open();
    ASSERT_TRUE(database.ok());
    CreateTable(**database);
    Put(**database, 0, 50);
  }
  const std::vector<Path> logs = Files(".log");
  ASSERT_FALSE(logs.empty());
  std::filesystem::resize_file(logs.back(), std::filesystem::file_size(logs.back()) - 7);
  auto database = Open();
  ASSERT_TRUE(database.ok()) << database.error().message();
  EXPECT_TRUE(Has(**database, 48));
  EXPECT_FALSE(Has(**database, 49));
}

// Damage before the end is not a torn tail: whatever follows it was answered and would be lost.
TEST_F(OpenTest, RefusesADamagedLogByName) {
  {
    auto database = Open();
    ASSERT_TRUE(database.ok());
    CreateTable(**database);
    Put(**database, 0, 50);
  }
  const Path log = Files(".log").back();
  FlipByte(log, static_cast<std::streamoff>(std::filesystem::file_size(log) / 2));
  const auto database = Open();
  ASSERT_FALSE(database.ok());
  EXPECT_EQ(database.error().kind(), ErrorKind::kCorruption);
  EXPECT_NE(database.error().message().find(directory_.path()), std::string::npos)
      << database.error().message();
  EXPECT_NE(database.error().message().find(log.filename().string()), std::string::npos)
      << database.error().message();
}

// A file that is gone is named, by the name it had.
TEST_F(OpenTest, RefusesAMissingTableFileByName) {
  {
    auto database = Open();
    ASSERT_TRUE(database.ok());
    CreateTable(**database);
    Put(**database, 0, 600);
  }
  const std::vector<Path> tables = Files(".sst");
  ASSERT_FALSE(tables.empty());
  std::filesystem::remove(tables.front());
  const auto database = Open();
  ASSERT_FALSE(database.ok());
  EXPECT_EQ(database.error().kind(), ErrorKind::kCorruption);
  EXPECT_NE(database.error().message().find(tables.front().filename().string()), std::string::npos)
      << database.error().message();
}

// A damaged block in a sorted file is found when it is read, and answered as a fault of ours rather
// than as a missing item.
TEST_F(OpenTest, ReadsNeverSkipDamage) {
  {
    auto database = Open();
    ASSERT_TRUE(database.ok());
    CreateTable(**database);
    Put(**database, 0, 600);
  }
  for (const Path& table : Files(".sst")) {
    FlipByte(table, 100);
  }
  auto database = Open();
  if (!database.ok()) {
    EXPECT_EQ(database.error().kind(), ErrorKind::kCorruption);
    return;
  }
  ScanRequest request;
  request.table = "t";
  int64_t count = 0;
  while (true) {
    const auto page = BlockingDatabase(**database).Scan(request);
    if (!page.ok()) {
      EXPECT_EQ(page.error().kind(), ErrorKind::kCorruption);
      return;
    }
    count += page->count;
    if (!page->last_evaluated_key) {
      break;
    }
    request.options.exclusive_start_key = page->last_evaluated_key;
  }
  EXPECT_EQ(count, 600) << "items were dropped silently";
}

}  // namespace
}  // namespace tintype::tables::engine
