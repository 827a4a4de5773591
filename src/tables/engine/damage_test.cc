// One flipped bit anywhere in a data directory: opening or reading is refused and the file named,
// or all data is what it was. Nothing is dropped silently. The directory is encrypted, as it is by
// default; a flipped bit then flips the same bit of what is read.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "crypto/secret_key.h"
#include "tables/engine/encryption/encrypted_file_system.h"
#include "tables/engine/encryption/file_cipher.h"
#include "tables/engine/encryption/keyring_file.h"
#include "tables/engine/rocks_database.h"
#include "tables/engine/storage/log_check.h"
#include "tables/language/blocking_database.h"

namespace tintype::tables::engine {
namespace {

using Path = std::filesystem::path;

constexpr int kItems = 600;
const crypto::SecretKey kMaster =
    *crypto::SecretKey::FromBytes(std::string(crypto::SecretKey::kBytes, 'm'));

// What a child found.
enum Outcome : int {
  kIntact = 0,
  kRefused = 10,
  kRefusedWithoutName = 11,
  kDataLost = 12,
  kFailed = 13
};

class DamageTest : public testing::Test {
 protected:
  // In a child, because RocksDB is built with assertions and may end the process; and this process
  // never starts RocksDB's threads, which a child would not have.
  static int InChild(const std::function<int()>& body) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      std::_Exit(body());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  static Result<std::unique_ptr<RocksDatabase>> Open(const std::string& directory) {
    EngineConfig config;
    config.directory = directory;
    config.master_key = kMaster;
    config.write_buffer_bytes = size_t{64} << 10;
    config.relaxed_durability = true;
    config.flush_at_close = false;
    config.min_free_bytes = 0;
    config.ballast_bytes = 0;
    return RocksDatabase::Open(config, SystemClock());
  }

  static Item ItemOf(int number) {
    return Item::Of({{"pk", Value::Integer(number)},
                     {"text", Value::String(StrCat("item ", number, std::string(200, 'x')))}});
  }

  // Leaves sorted files, and a log with more than one block.
  void SetUp() override {
    const int outcome = InChild([&] {
      auto database = Open(directory_.path());
      if (!database.ok()) {
        return kFailed;
      }
      BlockingDatabase tables(**database);
      CreateTableRequest request;
      request.definition.name = "t";
      request.definition.billing_mode = BillingMode::kPayPerRequest;
      request.definition.attributes = {{"pk", Type::kNumber}};
      request.definition.keys = {{"pk"}, {}};
      bool good = tables.CreateTable(request).ok();
      for (int i = 0; i < kItems; ++i) {
        PutItemRequest put;
        put.table = "t";
        put.item = ItemOf(i);
        good = good && tables.PutItem(put).ok();
      }
      database->reset();
      return good ? kIntact : kFailed;
    });
    ASSERT_EQ(outcome, kIntact);
  }

  static int Refused(bool named, const std::string& message) {
    if (!named) {
      std::printf("the damaged file is not named: %s\n", message.c_str());
      std::fflush(stdout);
    }
    return named ? kRefused : kRefusedWithoutName;
  }

  // Opens and reads everything. `damaged` is the name of the damaged file.
  static int Examine(const std::string& directory, const std::string& damaged) {
    auto database = Open(directory);
    if (!database.ok()) {
      const std::string& message = database.error().message();
      // CURRENT holds the name of the MANIFEST; when that is another one, that is what is missing.
      const bool named = message.find(damaged) != std::string::npos ||
                         (damaged == "CURRENT" && message.find("MANIFEST-") != std::string::npos);
      return Refused(named, message);
    }
    BlockingDatabase tables(**database);
    if (!tables.DescribeTable({"t"}).ok()) {
      return kDataLost;
    }
    for (int i = 0; i < kItems; ++i) {
      GetItemRequest get;
      get.table = "t";
      get.key = Item::Of({{"pk", Value::Integer(i)}});
      const auto answer = tables.GetItem(get);
      if (!answer.ok()) {
        const std::string& note = answer.error().note();
        return Refused(note.find(damaged) != std::string::npos, note);
      }
      if (answer->item != ItemOf(i)) {
        return kDataLost;
      }
    }
    return kIntact;
  }

  int WithBitFlipped(const Path& file, uint64_t at, int bit) {
    TemporaryDirectory copy;
    std::filesystem::copy(directory_.path(), copy.path(), std::filesystem::copy_options::recursive);
    const Path target = copy.path() / file.filename();
    {
      std::fstream stream(target, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekg(static_cast<std::streamoff>(at));
      const int byte = stream.get();
      stream.seekp(static_cast<std::streamoff>(at));
      stream.put(static_cast<char>(byte ^ (1 << bit)));
    }
    return InChild([&] { return Examine(copy.path(), target.filename().string()); });
  }

  std::vector<Path> Files() const {
    std::vector<Path> files;
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
      if (entry.file_size() > 0) {
        files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    return files;
  }

  TemporaryDirectory directory_;
};

// The content of an encrypted file.
std::string Decrypted(const Path& file) {
  const auto lock = DirectoryLock::Take(nullptr, file.parent_path().string());
  auto keyring = OpenKeyring(**lock, kMaster, 0);
  const auto files = MakeEncryptedFileSystem(rocksdb::FileSystem::Default(),
                                             std::make_shared<const Keyring>(*std::move(keyring)));
  std::string text;
  EXPECT_TRUE(rocksdb::ReadFileToString(files.get(), file.string(), &text).ok());
  return text;
}

// Where each record of a log-format file starts in its content.
std::vector<uint64_t> RecordStarts(const Path& file) {
  const std::string text = Decrypted(file);
  std::vector<uint64_t> starts;
  for (uint64_t at = 0; at + 7 <= text.size();) {
    const uint64_t left = LogCheck::kBlockBytes - at % LogCheck::kBlockBytes;
    if (left < 7) {
      at += left;
      continue;
    }
    starts.push_back(at);
    at += 7 + static_cast<uint8_t>(text[at + 4]) +
          (uint64_t{static_cast<uint8_t>(text[at + 5])} << 8);
  }
  return starts;
}

// The headers of log records are where RocksDB would drop data silently: every bit of the length
// and the type, in the first, a middle and the last record of each log and of the MANIFEST. The
// quick suite takes the highest bits of the length and the lowest ones of the type.
TEST_F(DamageTest, HeadersOfLogRecordsAreProtected) {
  int files = 0;
  for (const Path& file : Files()) {
    const std::string name = file.filename().string();
    if (!name.ends_with(".log") && !name.starts_with("MANIFEST-")) {
      continue;
    }
    ++files;
    const std::vector<uint64_t> starts = RecordStarts(file);
    ASSERT_GT(starts.size(), 2U) << name;
    const bool thorough = std::getenv("TINTYPE_DAMAGE_FLIPS") != nullptr;
    for (const uint64_t start : {starts[0], starts[starts.size() / 2], starts.back()}) {
      for (int bit = thorough ? 0 : 14; bit < (thorough ? 24 : 19); ++bit) {
        const int outcome = WithBitFlipped(
            file, FileCipher::kPrefixBytes + start + 4 + static_cast<uint64_t>(bit / 8), bit % 8);
        EXPECT_EQ(outcome, kRefused) << name << ", record at " << start << ", header bit " << bit;
      }
    }
  }
  EXPECT_GE(files, 2);
}

// Random bits of every file. TINTYPE_DAMAGE_FLIPS chooses how many of each; the slow suite asks for
// more.
TEST_F(DamageTest, ARandomBitIsNoticedOrHarmless) {
  const char* asked = std::getenv("TINTYPE_DAMAGE_FLIPS");
  const int flips = asked == nullptr ? 5 : std::atoi(asked);
  const uint32_t seed = std::random_device()();
  std::mt19937 random(seed);
  std::map<std::string, std::map<int, int>> outcomes;
  for (const Path& file : Files()) {
    const uint64_t size = std::filesystem::file_size(file);
    for (int i = 0; i < flips; ++i) {
      const uint64_t at = std::uniform_int_distribution<uint64_t>(0, size - 1)(random);
      const int bit = static_cast<int>(random() % 8);
      const int outcome = WithBitFlipped(file, at, bit);
      EXPECT_TRUE(outcome == kIntact || outcome == kRefused)
          << file.filename() << " of " << size << " bytes, byte " << at << ", bit " << bit
          << ": outcome " << outcome << " (seed " << seed << ")";
      ++outcomes[file.extension().string().empty() ? file.filename().string().substr(0, 8)
                                                   : file.extension().string()][outcome];
    }
  }
  for (const auto& [kind, counts] : outcomes) {
    std::printf("%s:", kind.c_str());
    for (const auto& [outcome, count] : counts) {
      std::printf(" %d %s", count,
                  outcome == kIntact    ? "harmless"
                  : outcome == kRefused ? "refused"
                                        : "?");
    }
    std::printf("\n");
  }
}

// A tail that was cut off at any byte is what a crash leaves: it opens, with everything before the
// cut.
TEST_F(DamageTest, ACutLogOpensAtEveryByte) {
  const Path log = [&] {
    for (const Path& file : Files()) {
      if (file.extension() == ".log") {
        return file;
      }
    }
    return Path();
  }();
  ASSERT_FALSE(log.empty());
  const std::string text = Decrypted(log);
  for (size_t size = 0; size < text.size(); ++size) {
    LogCheck check;
    for (size_t at = 0; at < size; at += LogCheck::kBlockBytes) {
      const std::string_view block =
          std::string_view(text).substr(at, std::min(size - at, LogCheck::kBlockBytes));
      ASSERT_EQ(check.Add(block), "") << "cut at " << size;
    }
  }
}

}  // namespace
}  // namespace tintype::tables::engine
