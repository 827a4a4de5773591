// M2C-11: the data keys survive crashes, damage is told from a wrong master key, and rotating the
// master key never loses either.

#include "tables/engine/encryption/keyring.h"
#include "crypto/secret_key.h"
#include "tables/engine/encryption/fingerprint.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "tables/engine/encryption/keyring_file.h"
#include "tables/engine/testing/fault_file_system.h"
#include "tables/language/errors.h"

namespace tintype::tables::engine {
namespace {

const crypto::SecretKey kMaster =
    *crypto::SecretKey::FromBytes(std::string(crypto::SecretKey::kBytes, 'a'));
const crypto::SecretKey kOther =
    *crypto::SecretKey::FromBytes(std::string(crypto::SecretKey::kBytes, 'b'));

// The ids and keys of a ring, to compare.
std::vector<std::pair<uint64_t, crypto::SecretKey>> KeysOf(const Keyring& keyring) {
  std::vector<std::pair<uint64_t, crypto::SecretKey>> keys;
  for (const DataKey& key : keyring.keys()) {
    keys.emplace_back(key.id, key.key);
  }
  return keys;
}

bool IsCorruption(const auto& result, std::string_view path) {
  return !result.ok() && result.error().kind() == ErrorKind::kCorruption &&
         result.error().message().find(path) != std::string::npos;
}

TEST(KeyringTest, OpensWithTheKeyThatSealedIt) {
  Keyring keyring = Keyring::Create(1000);
  keyring.Add(2000);
  const std::string sealed = keyring.Seal(kMaster);
  const auto opened = Keyring::Open(sealed, kMaster, "d/KEYS");
  ASSERT_TRUE(opened.ok()) << opened.error().message();
  EXPECT_EQ(KeysOf(*opened), KeysOf(keyring));
  EXPECT_EQ(opened->newest().created_ms, 2000);
  EXPECT_EQ(opened->Find(keyring.keys()[0].id)->created_ms, 1000);
  EXPECT_EQ(opened->Find(12345), nullptr);
  EXPECT_NE(keyring.keys()[0].key, keyring.keys()[1].key);
  // Nothing of the keys is legible.
  for (const DataKey& key : keyring.keys()) {
    EXPECT_EQ(sealed.find(key.key.bytes().substr(0, 8)), std::string::npos);
  }
}

// A wrong master key is no damage; the message tells which key is wanted and which was given.
TEST(KeyringTest, AWrongMasterKeyIsNamed) {
  const std::string sealed = Keyring::Create(1000).Seal(kMaster);
  const auto opened = Keyring::Open(sealed, kOther, "d/KEYS");
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().kind(), ErrorKind::kValidation);
  for (const std::string& words :
       {Fingerprint(kMaster), Fingerprint(kOther), std::string("d/KEYS")}) {
    EXPECT_NE(opened.error().message().find(words), std::string::npos) << opened.error().message();
  }
  EXPECT_EQ(*Keyring::SealedBy(sealed, "d/KEYS"), Fingerprint(kMaster));
}

// Every byte, in every way that one bit can be wrong, and every length.
TEST(KeyringTest, DamageAnywhereIsCorruption) {
  Keyring keyring = Keyring::Create(1000);
  keyring.Add(2000);
  const std::string sealed = keyring.Seal(kMaster);
  for (size_t i = 0; i < sealed.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = sealed;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      EXPECT_TRUE(IsCorruption(Keyring::Open(damaged, kMaster, "d/KEYS"), "d/KEYS")) << i;
      EXPECT_TRUE(IsCorruption(Keyring::SealedBy(damaged, "d/KEYS"), "d/KEYS")) << i;
    }
    EXPECT_TRUE(IsCorruption(Keyring::Open(sealed.substr(0, i), kMaster, "d/KEYS"), "d/KEYS"));
  }
  EXPECT_TRUE(IsCorruption(Keyring::Open(sealed + "x", kMaster, "d/KEYS"), "d/KEYS"));
  EXPECT_TRUE(IsCorruption(Keyring::Open(sealed + sealed, kMaster, "d/KEYS"), "d/KEYS"));
}

class KeyringFileTest : public testing::Test {
 protected:
  std::unique_ptr<DirectoryLock> Lock(std::shared_ptr<rocksdb::FileSystem> files = nullptr) {
    auto lock = DirectoryLock::Take(std::move(files), directory_.path());
    return lock.ok() ? *std::move(lock) : nullptr;
  }

  TemporaryDirectory directory_;
};

TEST_F(KeyringFileTest, ANewDirectoryGetsAKeyringThatStays) {
  const auto lock = Lock();
  ASSERT_NE(lock, nullptr);
  EXPECT_EQ(InspectDirectoryKeys(*lock)->master, std::nullopt);
  const auto created = OpenKeyring(*lock, kMaster, 1000);
  ASSERT_TRUE(created.ok()) << created.error().message();
  struct stat file {};
  ASSERT_EQ(::stat(KeyringPath(directory_.path()).c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0600U);
  EXPECT_EQ(InspectDirectoryKeys(*lock)->master, Fingerprint(kMaster));
  const auto opened = OpenKeyring(*lock, kMaster, 2000);
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(KeysOf(*opened), KeysOf(*created));
}

// A new keyring for tables that are there would make them unreadable for good.
TEST_F(KeyringFileTest, TablesWithoutAKeyringGetNone) {
  for (const char* name : {"CURRENT", "MANIFEST-000001", "000004.log", "000007.sst"}) {
    const std::string path = StrCat(directory_.path(), "/", name);
    std::ofstream(path) << "x";
    const auto lock = Lock();
    EXPECT_TRUE(InspectDirectoryKeys(*lock)->has_tables);
    EXPECT_TRUE(IsCorruption(OpenKeyring(*lock, kMaster, 1000), "/KEYS")) << name;
    EXPECT_FALSE(std::filesystem::exists(KeyringPath(directory_.path())));
    std::filesystem::remove(path);
  }
}

TEST_F(KeyringFileTest, AnOldDataKeyIsFollowedByANewOne) {
  const auto lock = Lock();
  const auto created = OpenKeyring(*lock, kMaster, 1000);
  const auto soon = OpenKeyring(*lock, kMaster, 1000 + kDataKeyAgeMaxMs);
  EXPECT_EQ(KeysOf(*soon), KeysOf(*created));
  const auto later = OpenKeyring(*lock, kMaster, 1001 + kDataKeyAgeMaxMs);
  ASSERT_EQ(later->keys().size(), 2U);
  EXPECT_EQ(later->keys()[0].key, created->newest().key);
  EXPECT_EQ(later->newest().created_ms, 1001 + kDataKeyAgeMaxMs);
  EXPECT_EQ(KeysOf(*OpenKeyring(*lock, kMaster, 1002 + kDataKeyAgeMaxMs)), KeysOf(*later));
}

TEST_F(KeyringFileTest, TheDirectoryIsHeldByOne) {
  const auto lock = Lock();
  const auto second = DirectoryLock::Take(nullptr, directory_.path());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().reason(), tables::reasons::kAlreadyOpen);
  const auto nowhere = DirectoryLock::Take(nullptr, directory_.path() + "/no/such/folder");
  ASSERT_FALSE(nowhere.ok());
  EXPECT_EQ(nowhere.error().kind(), ErrorKind::kIo);
}

TEST_F(KeyringFileTest, RotationChangesTheMasterKeyAndAddsADataKey) {
  const auto lock = Lock();
  EXPECT_EQ(RotateKeyring(*lock, {kMaster, kOther}, 2000).error().kind(), ErrorKind::kNotFound);
  const auto before = OpenKeyring(*lock, kMaster, 1000);
  // With the wrong key nothing happens.
  EXPECT_EQ(RotateKeyring(*lock, {kOther, kMaster}, 2000).error().kind(), ErrorKind::kValidation);
  ASSERT_TRUE(RotateKeyring(*lock, {kMaster, kOther}, 2000).ok());
  EXPECT_FALSE(OpenKeyring(*lock, kMaster, 2000).ok());
  const auto after = OpenKeyring(*lock, kOther, 2000);
  ASSERT_TRUE(after.ok());
  ASSERT_EQ(after->keys().size(), 2U);
  EXPECT_EQ(after->keys()[0].key, before->newest().key);
  EXPECT_EQ(after->newest().created_ms, 2000);
}

// The power goes before each operation of a rotation on a file in turn, and leaves what was not
// synced in some part: the old keyring or the new one is there, whole.
TEST_F(KeyringFileTest, APowerCutDuringRotationLeavesOneOfTheTwo) {
  const std::string path = directory_.path();
  int old_ones = 0;
  int new_ones = 0;
  for (int cut_at = 1; cut_at <= 7; ++cut_at) {
    for (uint32_t seed = 0; seed < 8; ++seed) {
      std::filesystem::remove_all(path);
      std::filesystem::create_directories(path);
      const auto created = OpenKeyring(*Lock(), kMaster, 1000);
      ASSERT_TRUE(created.ok());
      const auto disk = std::make_shared<FaultFileSystem>(path, seed);
      int left = cut_at;
      disk->Intercept([&](FileKind, FileOperation, const std::string&) {
        if (--left != 0) {
          return rocksdb::IOStatus::OK();
        }
        disk->PowerCut();
        return rocksdb::IOStatus::IOError("the power is cut");
      });
      {
        const auto lock = Lock(disk);
        const bool rotated = RotateKeyring(*lock, {kMaster, kOther}, 2000).ok();
        EXPECT_EQ(rotated, left > 0);
        if (rotated) {
          disk->PowerCut();
        }
      }
      const auto lock = Lock();
      const auto with_old = OpenKeyring(*lock, kMaster, 2000);
      const auto with_new = OpenKeyring(*lock, kOther, 2000);
      ASSERT_NE(with_old.ok(), with_new.ok()) << "cut at " << cut_at << ", seed " << seed;
      (with_old.ok() ? old_ones : new_ones) += 1;
      EXPECT_TRUE(left <= 0 || with_new.ok());
      const Keyring& keyring = with_old.ok() ? *with_old : *with_new;
      EXPECT_EQ(keyring.keys()[0].key, created->newest().key);
      std::filesystem::remove_all(path + ".removed");
    }
  }
  // Both happened, or nothing was tested.
  EXPECT_GT(old_ones, 0);
  EXPECT_GT(new_ones, 0);
}

}  // namespace
}  // namespace tintype::tables::engine
