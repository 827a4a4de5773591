// Verifying a backup names every damage.

#include "cli/backup/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/files.h"
#include "cli/backup/checksum.h"
#include "cli/backup/testing/backup_test.h"
#include "crypto/secret_key.h"

namespace tintype::cli {
namespace {

using crypto::SecretKey;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

using VerifyBackupTest = BackupTest;

// Proves that a backup which nobody could decrypt is not made, so that `keep` does not remove the
// last good one for it, and that verifying names it without a key.
TEST_F(VerifyBackupTest, EncryptedTablesNeedTheirKeys) {
  Put(0, 10);
  ASSERT_TRUE(Create().ok());
  const std::string keys = data_ + "/tables/KEYS";
  const std::string content = *ReadFile(keys);
  std::string changed = content;
  changed[content.size() / 2] ^= 1;
  for (const std::string& damaged : {std::string(), content.substr(1), changed}) {
    Write("tables/KEYS", damaged);
    const auto refused = Create(1);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind(), ErrorKind::kCorruption);
    EXPECT_THAT(refused.error().message(), HasSubstr(keys));
    EXPECT_THAT(Ids(), ElementsAre(1));
  }
  fs::remove(keys);
  EXPECT_THAT(Create(1).error().message(), HasSubstr(keys));
  EXPECT_THAT(Ids(), ElementsAre(1));
  Write("tables/KEYS", content);
  ASSERT_TRUE(Create(1).ok());

  // As an earlier version made them: without the file, and with a damaged one.
  const uint32_t id = Ids().front();
  const std::string path = StrCat(to_, "/manifests/", id);
  const BackupManifest whole = *FindBackup({to_}, id);
  BackupManifest without = whole;
  std::erase_if(without.files, [](const auto& file) { return file.target == "tables/KEYS"; });
  ASSERT_EQ(without.files.size() + 1, whole.files.size());
  ASSERT_TRUE(WriteFileAtomically(path, FormatManifest(without), 0600).ok());
  EXPECT_THAT(VerifyBackup(to_, id, {}, GoOn)->damages, ElementsAre(HasSubstr("tables/KEYS")));
  EXPECT_THAT(Verify(id)->damages, ElementsAre(HasSubstr("tables/KEYS")));
  BackupManifest other = whole;
  for (BackupFile& file : other.files) {
    if (file.target == "tables/KEYS") {
      Flip(StrCat(to_, "/", file.stored));
      file.sum = *ChecksumOfFile(StrCat(to_, "/", file.stored), [](uint64_t) { return true; });
    }
  }
  ASSERT_TRUE(WriteFileAtomically(path, FormatManifest(other), 0600).ok());
  EXPECT_THAT(VerifyBackup(to_, id, {}, GoOn)->damages, ElementsAre(HasSubstr("key file")));
}

// Proves that verifying decrypts the tables when it has the key, tells when it had none, and
// refuses a wrong one that it was told to use.
TEST_F(VerifyBackupTest, VerifiesWithAndWithoutTheKey) {
  Put(0, 100);
  ASSERT_TRUE(Create().ok());
  const SecretKey other = *SecretKey::FromBytes(std::string(32, 'o'));
  EXPECT_TRUE(Verify(0)->tables_read);
  EXPECT_FALSE(VerifyBackup(to_, 0, {}, GoOn)->tables_read);
  EXPECT_FALSE(VerifyBackup(to_, 0, {other, false}, GoOn)->tables_read);
  EXPECT_EQ(VerifyBackup(to_, 0, {other, true}, GoOn).error().kind(), ErrorKind::kValidation);
}

// Proves that a manifest and files that fit each other, but not what RocksDB copied, are found out.
TEST_F(VerifyBackupTest, ChecksumsOfTheTablesThemselvesAreCompared) {
  Put(0, 100);
  ASSERT_TRUE(Create().ok());
  BackupManifest manifest = *FindBackup({to_}, 1);
  for (BackupFile& file : manifest.files) {
    if (file.target.ends_with(".log")) {
      Flip(StrCat(to_, "/", file.stored));
      file.sum = *ChecksumOfFile(StrCat(to_, "/", file.stored), [](uint64_t) { return true; });
    }
  }
  ASSERT_TRUE(WriteFileAtomically(to_ + "/manifests/1", FormatManifest(manifest), 0600).ok());
  EXPECT_THAT(Verify(1)->damages, ElementsAre(HasSubstr(".log")));
}

// Proves that damage of every kind of file is named by verifying, and that restoring refuses it and
// leaves nothing.
TEST_F(VerifyBackupTest, DamageIsNamed) {
  Put(0, 200);
  ASSERT_TRUE(Create().ok());
  const BackupManifest manifest = *FindBackup({to_}, 1);
  for (const BackupFile& file : manifest.files) {
    const std::string path = StrCat(to_, "/", file.stored);
    const std::string content = *ReadFile(path);
    for (const std::string& damaged :
         {content.substr(0, content.size() / 2), content + "x", std::string()}) {
      std::ofstream(path, std::ios::binary) << damaged;
      const auto verified = Verify(1);
      ASSERT_TRUE(verified.ok());
      if (damaged != content) {
        EXPECT_THAT(verified->damages, ElementsAre(HasSubstr(path)));
      }
    }
    std::ofstream(path, std::ios::binary) << content;
    Flip(path);
    EXPECT_THAT(Verify(1)->damages,
                ElementsAre(StrCat("The file ", path, " is damaged: its content has changed")));
    const std::string target = temporary_.path() + "/refused";
    const auto refused = RestoreBackup({to_, 1, target}, GoOn);
    EXPECT_EQ(refused.ok(), file.target.empty());
    if (!refused.ok()) {
      EXPECT_EQ(refused.error().kind(), ErrorKind::kCorruption);
      EXPECT_THAT(refused.error().message(), HasSubstr(path));
      EXPECT_FALSE(fs::exists(target));
      EXPECT_FALSE(fs::exists(target + ".restoring"));
    }
    fs::remove_all(target);
    fs::remove(path);
    EXPECT_THAT(Verify(1)->damages, ElementsAre(StrCat("The file ", path, " is missing")));
    std::ofstream(path, std::ios::binary) << content;
  }
  EXPECT_THAT(Verify(1)->damages, IsEmpty());
}

// Proves that a damaged manifest is named by everything that reads it, and listed as what it is.
TEST_F(VerifyBackupTest, DamagedManifestIsNamed) {
  ASSERT_TRUE(Create().ok());
  ASSERT_TRUE(Create().ok());
  const std::string path = to_ + "/manifests/2";
  Flip(path);
  EXPECT_FALSE(ListBackups({to_})->at(1).manifest.ok());
  EXPECT_THAT(Verify(0).error().message(), HasSubstr(path));
  EXPECT_THAT(RestoreBackup({to_, 0, temporary_.path() + "/new"}, GoOn).error().message(),
              HasSubstr(path));
  EXPECT_THAT(Create().error().message(), HasSubstr(path));
  EXPECT_THAT(Verify(1)->damages, IsEmpty());
  // A manifest under another number is as good as a damaged one.
  fs::copy_file(to_ + "/manifests/1", path, fs::copy_options::overwrite_existing);
  EXPECT_THAT(Verify(2).error().message(), HasSubstr("it is of backup 1"));
}

}  // namespace
}  // namespace tintype::cli
