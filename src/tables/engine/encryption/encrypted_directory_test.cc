// M2C-11: a whole engine on an encrypted directory. It opens with its master key alone, tells
// nothing without it, and survives what a crash leaves of its files.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "crypto/secret_key.h"
#include "tables/engine/encryption/file_cipher.h"
#include "tables/engine/encryption/fingerprint.h"
#include "tables/engine/encryption/keyring_file.h"
#include "tables/engine/rocks_database.h"
#include "tables/language/blocking_database.h"

namespace tintype::tables::engine {
namespace {

namespace fs = std::filesystem;

const crypto::SecretKey kMaster =
    *crypto::SecretKey::FromBytes(std::string(crypto::SecretKey::kBytes, 'm'));
const crypto::SecretKey kOther =
    *crypto::SecretKey::FromBytes(std::string(crypto::SecretKey::kBytes, 'o'));
constexpr int64_t kNowMs = 1'700'000'000'000;

// Stands in the table's name, in attribute names and in values; long, so that no chance repeats it.
constexpr std::string_view kMarker = "LegibleMarker";

std::string Bytes(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class EncryptedDirectoryTest : public testing::Test {
 protected:
  Result<std::unique_ptr<RocksDatabase>> Open(const std::optional<crypto::SecretKey>& key,
                                              const std::string& directory) {
    EngineConfig config;
    config.directory = directory;
    config.master_key = key;
    config.relaxed_durability = true;  // Syncing takes time, and changes nothing in the files.
    config.write_buffer_bytes = size_t{64} << 10;  // Small, so that items reach sorted files.
    config.flush_at_close = false;                 // Leaves a log as a crash does.
    config.min_free_bytes = 0;
    config.ballast_bytes = 0;
    return RocksDatabase::Open(config, clock_);
  }
  Result<std::unique_ptr<RocksDatabase>> Open(
      const std::optional<crypto::SecretKey>& key = kMaster) {
    return Open(key, directory_.path());
  }

  static void CreateTable(RocksDatabase& database) {
    CreateTableRequest request;
    request.definition.name = kMarker;
    request.definition.billing_mode = BillingMode::kPayPerRequest;
    request.definition.attributes = {{"pk", Type::kNumber}};
    request.definition.keys = {{"pk"}, {}};
    ASSERT_TRUE(BlockingDatabase(database).CreateTable(request).ok());
  }
  static void Put(RocksDatabase& database, int from, int to) {
    for (int i = from; i < to; ++i) {
      PutItemRequest request;
      request.table = kMarker;
      request.item = Item::Of({{"pk", Value::Integer(i)},
                               {std::string(kMarker), Value::String(StrCat(kMarker, i))},
                               {"text", Value::String(std::string(200, 'x'))}});
      ASSERT_TRUE(BlockingDatabase(database).PutItem(request).ok());
    }
  }
  // How many of the first items are there.
  static int Count(RocksDatabase& database) {
    int number = 0;
    for (;; ++number) {
      GetItemRequest request;
      request.table = kMarker;
      request.key = Item::Of({{"pk", Value::Integer(number)}});
      const auto answer = BlockingDatabase(database).GetItem(request);
      if (!answer.ok() || !answer->item) {
        return number;
      }
    }
  }
  void Fill(int items) {
    auto database = Open();
    ASSERT_TRUE(database.ok()) << database.error().message();
    CreateTable(**database);
    Put(**database, 0, items);
  }
  std::vector<fs::path> Files(const std::string& directory) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(directory)) {
      files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
  }
  // The data keys that the prefixes of sorted files and logs name.
  std::set<std::string> DataKeyIds() {
    std::set<std::string> ids;
    for (const fs::path& file : Files(directory_.path())) {
      const std::string bytes = Bytes(file);
      if ((file.extension() == ".sst" || file.extension() == ".log") &&
          bytes.size() >= FileCipher::kPrefixBytes) {
        ids.insert(bytes.substr(8, 8));
      }
    }
    return ids;
  }
  bool AnyOtherThan(const std::set<std::string>& ids) {
    const std::set<std::string> now = DataKeyIds();
    return std::any_of(now.begin(), now.end(),
                       [&](const std::string& id) { return ids.count(id) == 0; });
  }
  // The message with which opening is refused; empty if it is not.
  std::string Refusal(const std::optional<crypto::SecretKey>& key, ErrorKind kind) {
    const auto database = Open(key);
    if (database.ok()) {
      return {};
    }
    EXPECT_EQ(database.error().kind(), kind) << database.error().message();
    return database.error().message();
  }

  FakeClock clock_{kNowMs};
  TemporaryDirectory directory_;
};

// Every byte of every file, first as they are while it runs, which is how a killed process leaves
// them, and then after a clean end.
TEST_F(EncryptedDirectoryTest, NoFileHoldsPlainText) {
  const auto check = [&] {
    std::set<std::string> kinds;
    for (const fs::path& file : Files(directory_.path())) {
      const std::string bytes = Bytes(file);
      for (const std::string_view words :
           {kMarker, std::string_view("xxxxxxxx"), std::string_view("rocksdb"),
            std::string_view("MANIFEST"), std::string_view("leveldb")}) {
        EXPECT_EQ(bytes.find(words), std::string::npos) << file << " holds " << words;
      }
      kinds.insert(file.has_extension() ? file.extension().string()
                                        : file.filename().string().substr(0, 4));
    }
    for (const char* kind : {".sst", ".log", "MANI", "OPTI", "CURR", "IDEN", "KEYS"}) {
      EXPECT_EQ(kinds.count(kind), 1U) << kind;
    }
  };
  {
    auto database = Open();
    ASSERT_TRUE(database.ok()) << database.error().message();
    CreateTable(**database);
    Put(**database, 0, 1000);
    check();
  }
  check();
  // The same search finds something without encryption.
  TemporaryDirectory plain;
  auto database = Open(std::nullopt, plain.path());
  ASSERT_TRUE(database.ok());
  CreateTable(**database);
  database->reset();
  bool found = false;
  for (const fs::path& file : Files(plain.path())) {
    found = found || Bytes(file).find(kMarker) != std::string::npos;
  }
  EXPECT_TRUE(found);
}

TEST_F(EncryptedDirectoryTest, OpensWithItsMasterKeyAlone) {
  Fill(300);
  {
    auto database = Open();
    ASSERT_TRUE(database.ok());
    EXPECT_EQ(Count(**database), 300);
  }
  const std::string wrong = Refusal(kOther, ErrorKind::kValidation);
  EXPECT_NE(wrong.find(Fingerprint(kMaster)), std::string::npos) << wrong;
  EXPECT_NE(wrong.find(Fingerprint(kOther)), std::string::npos) << wrong;
  const std::string none = Refusal(std::nullopt, ErrorKind::kValidation);
  EXPECT_NE(none.find(Fingerprint(kMaster)), std::string::npos) << none;
  auto database = Open();
  ASSERT_TRUE(database.ok());
  EXPECT_EQ(Count(**database), 300);
}

TEST_F(EncryptedDirectoryTest, WithoutItsKeyringItIsRefused) {
  Fill(10);
  fs::rename(KeyringPath(directory_.path()), directory_.path() + "/elsewhere");
  const std::string missing = Refusal(kMaster, ErrorKind::kCorruption);
  EXPECT_NE(missing.find(KeyringPath(directory_.path())), std::string::npos) << missing;
  fs::rename(directory_.path() + "/elsewhere", KeyringPath(directory_.path()));
  EXPECT_TRUE(Open().ok());
}

TEST_F(EncryptedDirectoryTest, APlainDirectoryStaysPlain) {
  {
    auto database = Open(std::nullopt);
    ASSERT_TRUE(database.ok());
    CreateTable(**database);
  }
  const std::string refused = Refusal(kMaster, ErrorKind::kCorruption);
  EXPECT_NE(refused.find("encryption off"), std::string::npos) << refused;
  EXPECT_TRUE(Open(std::nullopt).ok());
}

// The newest log cut at every length around its prefix, and at some within its records: it opens,
// with everything before. That is what a power cut right after the file was created leaves.
TEST_F(EncryptedDirectoryTest, ALogThatWasCutOpens) {
  {
    auto database = Open();
    ASSERT_TRUE(database.ok());
    CreateTable(**database);
    Put(**database, 0, 20);
  }
  const auto newest_log = [&](const std::string& directory) {
    fs::path newest;
    for (const fs::path& file : Files(directory)) {
      newest = file.extension() == ".log" ? file : newest;
    }
    return newest;
  };
  const uint64_t whole = fs::file_size(newest_log(directory_.path()));
  ASSERT_GT(whole, 2000U);
  int last = 0;
  for (const uint64_t size : {uint64_t{0}, uint64_t{1}, uint64_t{40}, uint64_t{79}, uint64_t{80},
                              uint64_t{81}, uint64_t{100}, whole / 2, whole - 1, whole}) {
    TemporaryDirectory copy;
    fs::copy(directory_.path(), copy.path(), fs::copy_options::recursive);
    fs::resize_file(newest_log(copy.path()), size);
    int count = 0;
    {
      const auto database = Open(kMaster, copy.path());
      ASSERT_TRUE(database.ok()) << size << ": " << database.error().message();
      count = Count(**database);
    }
    EXPECT_GE(count, last) << size;
    last = count;
    // The files that the recovery left must open, too.
    const auto again = Open(kMaster, copy.path());
    ASSERT_TRUE(again.ok()) << size << ": " << again.error().message();
    EXPECT_EQ(Count(**again), count) << size;
    if (size == whole - 1) {
      EXPECT_EQ(count, 19);
    }
  }
  EXPECT_EQ(last, 20);
}

// Files that cannot be short after a crash are refused by name.
TEST_F(EncryptedDirectoryTest, AnyOtherFileThatWasCutIsNamed) {
  Fill(600);
  for (const fs::path& file : Files(directory_.path())) {
    const std::string name = file.filename().string();
    if (!name.ends_with(".sst") && !name.starts_with("MANIFEST-") && name != "CURRENT" &&
        name != "KEYS") {
      continue;
    }
    const std::string bytes = Bytes(file);
    for (const size_t size : {size_t{0}, size_t{40}, FileCipher::kPrefixBytes}) {
      fs::resize_file(file, size);
      const std::string refused = Refusal(kMaster, ErrorKind::kCorruption);
      EXPECT_NE(refused.find(name), std::string::npos) << name << ": " << refused;
      std::ofstream(file, std::ios::binary) << bytes;
    }
  }
  EXPECT_TRUE(Open().ok());
}

// A rotation touches KEYS alone; what is written afterwards uses a new data key.
TEST_F(EncryptedDirectoryTest, RotationKeepsTheData) {
  Fill(600);
  const std::set<std::string> old_ids = DataKeyIds();
  std::vector<std::pair<fs::path, std::string>> before;
  for (const fs::path& file : Files(directory_.path())) {
    if (file.filename() != "KEYS") {
      before.emplace_back(file, Bytes(file));
    }
  }
  {
    const auto lock = DirectoryLock::Take(nullptr, directory_.path());
    ASSERT_TRUE(lock.ok());
    ASSERT_TRUE(RotateKeyring(**lock, {kMaster, kOther}, kNowMs).ok());
  }
  for (const auto& [file, bytes] : before) {
    EXPECT_TRUE(Bytes(file) == bytes) << file;
  }
  EXPECT_NE(Refusal(kMaster, ErrorKind::kValidation), "");
  {
    auto database = Open(kOther);
    ASSERT_TRUE(database.ok()) << database.error().message();
    EXPECT_EQ(Count(**database), 600);
    Put(**database, 600, 1200);
  }
  EXPECT_TRUE(AnyOtherThan(old_ids));
  auto database = Open(kOther);
  ASSERT_TRUE(database.ok());
  EXPECT_EQ(Count(**database), 1200);
}

// After 90 days a new data key comes by itself.
TEST_F(EncryptedDirectoryTest, ADataKeyIsUsedForNinetyDays) {
  Fill(600);
  clock_.AdvanceMs(kDataKeyAgeMaxMs);
  {
    auto database = Open();
    ASSERT_TRUE(database.ok());
    Put(**database, 600, 900);
  }
  const std::set<std::string> old_ids = DataKeyIds();
  EXPECT_EQ(old_ids.size(), 1U);
  clock_.AdvanceMs(1);
  {
    auto database = Open();
    ASSERT_TRUE(database.ok());
    Put(**database, 900, 1200);
  }
  EXPECT_TRUE(AnyOtherThan(old_ids));
  auto database = Open();
  ASSERT_TRUE(database.ok());
  EXPECT_EQ(Count(**database), 1200);
}

}  // namespace
}  // namespace tintype::tables::engine
