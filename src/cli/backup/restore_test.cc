// Restoring a backup: what was there, to a place that is free.

#include "cli/backup/restore.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/files.h"
#include "cli/backup/testing/backup_test.h"

namespace tintype::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

using RestoreBackupTest = BackupTest;

// Proves that a restored directory has the items and files of the backup's moment, and neither the
// master key nor exports nor what is unfinished.
TEST_F(RestoreBackupTest, RestoresWhatWasThere) {
  Put(0, 200);
  const auto first = Create();
  ASSERT_TRUE(first.ok()) << first.error().message();
  Put(200, 250);
  Write("secret", "other\n");
  const auto second = Create();
  ASSERT_TRUE(second.ok()) << second.error().message();
  Put(250, 260);
  EXPECT_THAT(Ids(), ElementsAre(1, 2));

  const std::string old = Restore(1);
  EXPECT_EQ(*ReadFile(old + "/secret"), "secret\n");
  EXPECT_EQ(*ReadFile(old + "/tables/KEYS"), *ReadFile(data_ + "/tables/KEYS"));
  EXPECT_EQ(ReadFile(old + "/backups/one/part")->size(), size_t{3} << 20);
  for (const char* name : {"/credentials", "/master.key", "/master.key.0123", "/my.key",
                           "/keys/old.key", "/half.tmp", "/exports", "/cache", "/NODE",
                           "/backups/two.new", "/tables/BALLAST", "/tables/LOCK", "/RESTORING"}) {
    EXPECT_FALSE(fs::exists(old + name)) << name;
  }
  EXPECT_EQ(Count(old), 200U);
  const std::string newest = Restore(0);
  EXPECT_EQ(*ReadFile(newest + "/secret"), "other\n");
  EXPECT_EQ(Count(newest), 250U);
  for (const std::string& name : FilesIn(to_)) {
    const std::string content = *ReadFile(StrCat(to_, "/", name));
    EXPECT_EQ(content.find("the master key"), std::string::npos) << name;
    EXPECT_EQ(content.find(std::string(64, 'e')), std::string::npos) << name;
    EXPECT_EQ(content.find(std::string(100, 'x')), std::string::npos) << name;
  }
}

// Proves that the marker which a killed restore leaves in a data directory is not backed up, and
// that backups which have it nevertheless can be restored.
TEST_F(RestoreBackupTest, TheMarkerOfARestoreIsLeftOut) {
  Write("RESTORING", "");
  ASSERT_TRUE(Create().ok());
  BackupManifest manifest = *FindBackup({to_}, 1);
  for (const BackupFile& file : manifest.files) {
    EXPECT_NE(file.target, "RESTORING");
  }
  manifest.files.push_back(manifest.files.back());
  manifest.files.back().target = "RESTORING";
  ASSERT_TRUE(WriteFileAtomically(to_ + "/manifests/1", FormatManifest(manifest), 0600).ok());
  EXPECT_FALSE(fs::exists(Restore(1) + "/RESTORING"));
}

// Proves that restoring takes only a free place, and cleans up what an interrupted one left there.
TEST_F(RestoreBackupTest, RestoresOnlyToAFreePlace) {
  Put(0, 100);
  ASSERT_TRUE(Create().ok());
  const std::string target = temporary_.path() + "/new";
  const auto restore = [&] { return RestoreBackup({to_, 0, target}, GoOn); };

  fs::create_directory(target);
  ASSERT_TRUE(restore().ok());
  EXPECT_THAT(restore().error().message(), HasSubstr("not an empty directory"));
  EXPECT_EQ(Count(target), 100U);
  EXPECT_EQ(fs::status(target).permissions(), fs::perms::owner_all);
  fs::remove_all(target);

  // Interrupted: the marker is there, so the rest may go.
  fs::create_directory(target + ".restoring");
  std::ofstream(target + ".restoring/RESTORING") << "";
  std::ofstream(target + ".restoring/FORMAT") << "half";
  ASSERT_TRUE(restore().ok());
  EXPECT_FALSE(fs::exists(target + ".restoring"));
  fs::remove_all(target);

  // Somebody else's.
  fs::create_directory(target + ".restoring");
  std::ofstream(target + ".restoring/diary") << "dear diary";
  EXPECT_THAT(restore().error().message(), HasSubstr("is in the way"));
  EXPECT_TRUE(fs::exists(target + ".restoring/diary"));
  fs::remove_all(target + ".restoring");

  std::ofstream(target) << "a file";
  EXPECT_THAT(restore().error().message(), HasSubstr("not an empty directory"));
  EXPECT_THAT(RestoreBackup({to_, 0, to_ + "/x"}, GoOn).error().message(),
              HasSubstr("inside the backup directory"));
  EXPECT_THAT(RestoreBackup({to_, 9, target + "2"}, GoOn).error().message(),
              HasSubstr("no complete backup 9"));
  EXPECT_EQ(RestoreBackup({to_, 0, target + "2"}, [](const auto&) { return false; }).error().kind(),
            ErrorKind::kUnavailable);
  EXPECT_FALSE(fs::exists(target + "2"));
}

}  // namespace
}  // namespace tintype::cli
