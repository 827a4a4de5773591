// M2C-11: the power goes while an encrypted directory is created and first written to. The
// directory opens with everything that was answered, whatever file was just created, or has only a
// part of its prefix.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>

#include "base/check.h"
#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "crypto/secret_key.h"
#include "tables/engine/rocks_database.h"
#include "tables/engine/testing/fault_file_system.h"
#include "tables/language/blocking_database.h"

namespace tintype::tables::engine {
namespace {

constexpr int kItems = 40;
constexpr int kExitCut = 88;

// In a child, because a power cut ends the process, and because this one never starts RocksDB's
// threads, which a child would not have.
int InChild(const std::function<int()>& body) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    std::_Exit(body());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

class PowerCutTest : public testing::Test {
 protected:
  PowerCutTest() {
    void* shared =
        ::mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED);
    answered_ = static_cast<volatile int*>(shared);
  }
  ~PowerCutTest() override { ::munmap(const_cast<int*>(answered_), sizeof(int)); }

  static Result<std::unique_ptr<RocksDatabase>> Open(const std::string& directory,
                                                     std::shared_ptr<FaultFileSystem> disk) {
    EngineConfig config;
    config.directory = directory;
    config.master_key = crypto::SecretKey::FromBytes(std::string(crypto::SecretKey::kBytes, 'm'));
    config.file_system = std::move(disk);
    config.write_buffer_bytes = size_t{64} << 10;  // Small, so that sorted files and logs come.
    config.min_free_bytes = 0;
    config.ballast_bytes = 0;
    return RocksDatabase::Open(config, SystemClock());
  }

  // Creates a directory, a table and items until the power is cut.
  int Write(const std::string& directory, int cut_at, uint32_t seed) const {
    const auto disk = std::make_shared<FaultFileSystem>(directory, seed);
    disk->Intercept([&disk, left = cut_at](FileKind, FileOperation, const std::string&) mutable {
      if (--left == 0) {
        disk->PowerCut();
        std::_Exit(kExitCut);
      }
      return rocksdb::IOStatus::OK();
    });
    const auto database = Open(directory, disk);
    CHECK(database.ok());
    BlockingDatabase tables(**database);
    CreateTableRequest request;
    request.definition.name = "t";
    request.definition.billing_mode = BillingMode::kPayPerRequest;
    request.definition.attributes = {{"pk", Type::kNumber}};
    request.definition.keys = {{"pk"}, {}};
    CHECK(tables.CreateTable(request).ok());
    for (int i = 0; i < kItems; ++i) {
      PutItemRequest put;
      put.table = "t";
      put.item =
          Item::Of({{"pk", Value::Integer(i)}, {"text", Value::String(std::string(8000, 'x'))}});
      CHECK(tables.PutItem(put).ok());
      *answered_ = i + 1;
    }
    disk->PowerCut();
    std::_Exit(0);
  }

  // 0 if the directory opens and has what was answered.
  int Examine(const std::string& directory) const {
    // On the same kind of disk, which syncs nothing: that would take most of the time.
    const auto database = Open(directory, std::make_shared<FaultFileSystem>(directory, 0));
    if (!database.ok()) {
      std::printf("not opened: %s\n", database.error().message().c_str());
      std::fflush(stdout);
      return 1;
    }
    for (int i = 0; i < *answered_; ++i) {
      GetItemRequest get;
      get.table = "t";
      get.key = Item::Of({{"pk", Value::Integer(i)}});
      const auto answer = BlockingDatabase(**database).GetItem(get);
      if (!answer.ok() || !answer->item) {
        return 2;
      }
    }
    return 0;
  }

  volatile int* answered_ = nullptr;  // Shared with the children.
};

// Before each of the first operations on files, which create everything, then at intervals; before
// each of all in the slow suite.
TEST_F(PowerCutTest, ADirectoryOpensWithWhatWasAnswered) {
  const bool thorough = std::getenv("TINTYPE_POWER_CUTS") != nullptr;
  int cuts = 0;
  for (int cut_at = 1;; cut_at += thorough || cut_at < 50 ? 1 : 9) {
    TemporaryDirectory folder;
    const std::string directory = folder.path() + "/tables";
    const auto seed = static_cast<uint32_t>(cut_at);
    *answered_ = 0;
    const int outcome = InChild([&] { return Write(directory, cut_at, seed); });
    ASSERT_TRUE(outcome == 0 || outcome == kExitCut) << outcome << ", cut at " << cut_at;
    EXPECT_EQ(InChild([&] { return Examine(directory); }), 0)
        << "cut at " << cut_at << ", answered " << *answered_;
    // The files that recovery left behind open as well.
    if (thorough || cut_at % 4 == 0) {
      EXPECT_EQ(InChild([&] { return Examine(directory); }), 0) << "cut at " << cut_at;
    }
    if (outcome == 0) {
      break;
    }
    ++cuts;
  }
  EXPECT_GT(cuts, 50);
}

}  // namespace
}  // namespace tintype::tables::engine
