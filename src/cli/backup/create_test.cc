// Backups of a data directory, made, verified and restored in one process.

#include "cli/backup/create.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "cli/backup/checksum.h"
#include "cli/backup/directory.h"
#include "cli/backup/restore.h"
#include "cli/backup/verify.h"
#include "cli/files.h"
#include "tables/language/blocking_database.h"

namespace {

// A backup directory, and whether it was synced when it had its folder `tables` and no backup yet.
tintype::Mutex mutex;
std::string watched_directory GUARDED_BY(mutex);
bool synced_in_time GUARDED_BY(mutex) = false;

}  // namespace

// Takes the place of the C library's, to see what is on disk when.
extern "C" int fsync(int file) {
  std::error_code ignored;
  const auto path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file), ignored);
  {
    const tintype::MutexLock lock(mutex);
    if (path == watched_directory && std::filesystem::exists(path / "tables", ignored) &&
        !std::filesystem::exists(path / "manifests/1", ignored)) {
      synced_in_time = true;
    }
  }
  return static_cast<int>(::syscall(SYS_fsync, file));
}

namespace tintype::cli {
namespace {

using tables::engine::EngineConfig;
using tables::engine::RocksDatabase;
using tables::engine::SecretKey;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

bool GoOn(const ProgressStep& /*step*/) { return true; }

SecretKey MasterKey() { return *SecretKey::FromBytes(std::string(32, 'm')); }

std::unique_ptr<RocksDatabase> OpenTables(const std::string& data_dir) {
  EngineConfig config;
  config.master_key = MasterKey();
  config.relaxed_durability = true;  // Power stays on.
  config.directory = data_dir + "/tables";
  config.write_buffer_bytes = size_t{64} << 10;  // Small, so that items reach sorted files.
  config.ballast_bytes = 1 << 20;
  auto opened = RocksDatabase::Open(std::move(config), SystemClock());
  EXPECT_TRUE(opened.ok()) << opened.error().message();
  return *std::move(opened);
}

class CreateBackupTest : public ::testing::Test {
 protected:
  CreateBackupTest() {
    fs::create_directory(data_);
    Write("FORMAT", "tintype\n");
    Write("credentials", "secret\n");
    Write("backups/one/part", std::string(3 << 20, 'p'));
    Write("master.key", "the master key");
    Write("master.key.0123", "the master key before");
    Write("my.key", "the master key elsewhere");
    Write("keys/old.key", std::string(64, 'e') + "\n");  // A master key by its looks.
    Write("backups/two.new/part", "half");
    Write("half.tmp", "half");
    Write("exports/bucket/data.json", "readable");
    database_ = OpenTables(data_);
    tables::CreateTableRequest request;
    request.definition.name = "t";
    request.definition.billing_mode = tables::BillingMode::kPayPerRequest;
    request.definition.attributes = {{"pk", tables::Type::kNumber}};
    request.definition.keys = {{"pk"}, {}};
    EXPECT_TRUE(tables::BlockingDatabase(*database_).CreateTable(request).ok());
  }

  void Write(const std::string& name, const std::string& content) {
    const fs::path path = fs::path(data_) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
  }

  void Put(int from, int to) {
    for (int i = from; i < to; ++i) {
      tables::PutItemRequest request;
      request.table = "t";
      request.item = tables::Item::Of(
          {{"pk", tables::Value::Integer(i)}, {"x", tables::Value::String(std::string(900, 'x'))}});
      ASSERT_TRUE(tables::BlockingDatabase(*database_).PutItem(request).ok());
    }
  }

  static size_t Count(const std::string& data_dir) {
    const auto database = OpenTables(data_dir);
    tables::ScanRequest request;
    request.table = "t";
    return static_cast<size_t>(tables::BlockingDatabase(*database).Scan(request)->count);
  }

  Result<BackupOutcome> Create(uint32_t keep = 0, const ProgressReport& report = GoOn) {
    return CreateBackup(*database_, {data_, to_, keep, data_ + "/my.key"}, clock_, report);
  }

  Result<VerifyOutcome> Verify(uint32_t id) {
    return VerifyBackup(to_, id, {MasterKey(), true}, GoOn);
  }

  std::vector<uint32_t> Ids() {
    std::vector<uint32_t> ids;
    const auto backups = ListBackups({to_});
    for (const ListedBackup& backup : *backups) {
      ids.push_back(backup.id);
    }
    return ids;
  }

  /// Restores backup `id` to a new directory and returns its path.
  std::string Restore(uint32_t id) {
    std::string to = StrCat(temporary_.path(), "/restored", ++restored_);
    const auto outcome = RestoreBackup({to_, id, to}, GoOn);
    EXPECT_TRUE(outcome.ok()) << outcome.error().message();
    return to;
  }

  /// Files below a folder, relative to it.
  static std::vector<std::string> FilesIn(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) {
        names.push_back(fs::relative(entry.path(), folder).string());
      }
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  /// Expects that the backup directory has no file which no manifest names.
  void ExpectNothingElse() {
    std::set<std::string> expected{"FORMAT", "LOCK"};
    for (const uint32_t id : Ids()) {
      expected.insert(StrCat("manifests/", id));
      const BackupManifest manifest = *FindBackup({to_}, id);
      for (const BackupFile& file : manifest.files) {
        expected.insert(file.stored);
      }
    }
    EXPECT_EQ(FilesIn(to_), std::vector<std::string>(expected.begin(), expected.end()));
  }

  static void Flip(const std::string& path) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(0, std::ios::end);
    const std::streamoff at = file.tellg() / 2;
    file.seekg(at);
    const auto byte = static_cast<char>(file.get() ^ 1);
    file.seekp(at);
    file.put(byte);
    ASSERT_TRUE(file.good()) << path;
  }

  TemporaryDirectory temporary_;
  const std::string data_ = temporary_.path() + "/data";
  const std::string to_ = temporary_.path() + "/backup";
  FakeClock clock_{1'700'000'000'000};
  std::unique_ptr<RocksDatabase> database_;
  int restored_ = 0;
};

// Proves that a restored directory has the items and files of the backup's moment, and neither the
// master key nor exports nor what is unfinished.
TEST_F(CreateBackupTest, RestoresWhatWasThere) {
  Put(0, 200);
  const auto first = Create();
  ASSERT_TRUE(first.ok()) << first.error().message();
  Put(200, 250);
  Write("credentials", "other\n");
  const auto second = Create();
  ASSERT_TRUE(second.ok()) << second.error().message();
  Put(250, 260);
  EXPECT_THAT(Ids(), ElementsAre(1, 2));

  const std::string old = Restore(1);
  EXPECT_EQ(*ReadFile(old + "/credentials"), "secret\n");
  EXPECT_EQ(*ReadFile(old + "/tables/KEYS"), *ReadFile(data_ + "/tables/KEYS"));
  EXPECT_EQ(ReadFile(old + "/backups/one/part")->size(), size_t{3} << 20);
  for (const char* name :
       {"/master.key", "/master.key.0123", "/my.key", "/keys/old.key", "/half.tmp", "/exports",
        "/backups/two.new", "/tables/BALLAST", "/tables/LOCK", "/RESTORING"}) {
    EXPECT_FALSE(fs::exists(old + name)) << name;
  }
  EXPECT_EQ(Count(old), 200U);
  const std::string newest = Restore(0);
  EXPECT_EQ(*ReadFile(newest + "/credentials"), "other\n");
  EXPECT_EQ(Count(newest), 250U);
  for (const std::string& name : FilesIn(to_)) {
    const std::string content = *ReadFile(StrCat(to_, "/", name));
    EXPECT_EQ(content.find("the master key"), std::string::npos) << name;
    EXPECT_EQ(content.find(std::string(64, 'e')), std::string::npos) << name;
    EXPECT_EQ(content.find(std::string(100, 'x')), std::string::npos) << name;
  }
}

// Proves that the names of the folders are on disk before the first backup counts as complete.
TEST_F(CreateBackupTest, FoldersAreSyncedBeforeTheManifestIsWritten) {
  {
    const MutexLock lock(mutex);
    watched_directory = fs::weakly_canonical(to_).string();
    synced_in_time = false;
  }
  ASSERT_TRUE(Create().ok());
  const MutexLock lock(mutex);
  EXPECT_TRUE(synced_in_time);
}

// Proves that the marker which a killed restore leaves in a data directory is not backed up, and
// that backups which have it nevertheless can be restored.
TEST_F(CreateBackupTest, TheMarkerOfARestoreIsLeftOut) {
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

// Proves that a backup which nobody could decrypt is not made, so that `keep` does not remove the
// last good one for it, and that verifying names it without a key.
TEST_F(CreateBackupTest, EncryptedTablesNeedTheirKeys) {
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
    EXPECT_EQ(refused.error().code(), ErrorCode::kCorruption);
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

// Proves that tables which are not encrypted are backed up and verified without keys.
TEST_F(CreateBackupTest, PlainTablesNeedNoKeys) {
  const std::string data = temporary_.path() + "/plain";
  fs::create_directory(data);
  EngineConfig config;
  config.directory = data + "/tables";
  config.ballast_bytes = 1 << 20;
  const auto database = RocksDatabase::Open(std::move(config), SystemClock());
  ASSERT_TRUE(database.ok()) << database.error().message();
  const auto made = CreateBackup(**database, {data, to_, 0, ""}, clock_, GoOn);
  ASSERT_TRUE(made.ok()) << made.error().message();
  const auto verified = VerifyBackup(to_, 0, {}, GoOn);
  EXPECT_THAT(verified->damages, IsEmpty());
  EXPECT_TRUE(verified->tables_read);
}

// Proves that a file which cannot be copied fails the backup and is named, unless it is gone.
TEST_F(CreateBackupTest, NothingIsLeftOutSilently) {
  const std::string link = data_ + "/link";
  for (const char* target : {"link", "nowhere"}) {  // A link to itself, and one to nothing.
    fs::create_symlink(target, link);
    const auto refused = Create();
    ASSERT_FALSE(refused.ok()) << target;
    EXPECT_EQ(refused.error().code(), ErrorCode::kIo);
    EXPECT_THAT(refused.error().message(), HasSubstr(link));
    EXPECT_THAT(Ids(), IsEmpty());
    fs::remove(link);
  }
  // The same when it becomes such a link after it was listed.
  const std::string file = data_ + "/credentials";
  const auto create_and = [&](const auto& change) {
    return Create(0, [&](const ProgressStep& step) {
      if (step.stage == "compare files" && fs::is_regular_file(file)) {
        fs::remove(file);
        change();
      }
      return true;
    });
  };
  const auto refused = create_and([&] { fs::create_symlink("nowhere", file); });
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr(file));
  fs::remove(file);
  Write("credentials", "secret\n");
  const auto made = create_and([] {});
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_FALSE(fs::exists(Restore(0) + "/credentials"));
}

// Proves that verifying decrypts the tables when it has the key, tells when it had none, and
// refuses a wrong one that it was told to use.
TEST_F(CreateBackupTest, VerifiesWithAndWithoutTheKey) {
  Put(0, 100);
  ASSERT_TRUE(Create().ok());
  const SecretKey other = *SecretKey::FromBytes(std::string(32, 'o'));
  EXPECT_TRUE(Verify(0)->tables_read);
  EXPECT_FALSE(VerifyBackup(to_, 0, {}, GoOn)->tables_read);
  EXPECT_FALSE(VerifyBackup(to_, 0, {other, false}, GoOn)->tables_read);
  EXPECT_EQ(VerifyBackup(to_, 0, {other, true}, GoOn).error().code(), ErrorCode::kValidation);
}

// Proves that a manifest and files that fit each other, but not what RocksDB copied, are found out.
TEST_F(CreateBackupTest, ChecksumsOfTheTablesThemselvesAreCompared) {
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

// Proves that the second backup copies little, and still is whole when the first is gone.
TEST_F(CreateBackupTest, LaterBackupsAreIncremental) {
  Put(0, 1000);
  const auto first = Create();
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->new_bytes, first->bytes);
  Put(1000, 1010);
  const auto second = Create(1);
  ASSERT_TRUE(second.ok()) << second.error().message();
  EXPECT_GT(second->bytes, size_t{3} << 20);
  EXPECT_LT(second->new_bytes, second->bytes / 4);
  EXPECT_EQ(second->removed, 1U);
  EXPECT_THAT(Ids(), ElementsAre(2));
  const auto verified = Verify(0);
  ASSERT_TRUE(verified.ok());
  EXPECT_THAT(verified->damages, IsEmpty());
  EXPECT_EQ(Count(Restore(0)), 1010U);
}

// Proves that nothing is left in the backup directory that belongs to no backup: neither of one
// that was removed, nor of one that was interrupted.
TEST_F(CreateBackupTest, NothingIsLeftBehind) {
  Put(0, 200);
  ASSERT_TRUE(Create().ok());
  Write("credentials", "changed");
  Put(200, 400);
  ASSERT_TRUE(Create(1).ok());
  ExpectNothingElse();
  // As a crash leaves them.
  std::ofstream(to_ + "/manifests/3.tmp") << "half";
  std::ofstream(to_ + "/files/new.tmp") << "half";
  ASSERT_TRUE(Create().ok());
  ExpectNothingElse();
}

// Proves that wherever a backup is given up, earlier ones stay, it is not listed, and the next one
// succeeds and cleans up.
TEST_F(CreateBackupTest, CanBeCancelledAnywhere) {
  Put(0, 1000);
  ASSERT_TRUE(Create().ok());
  int steps = 0;
  for (int allowed = 0;; ++allowed) {
    Put(1000 + allowed * 10, 1010 + allowed * 10);
    Write("backups/one/part", std::string(3 << 20, static_cast<char>('a' + allowed)));
    steps = 0;
    const auto outcome = Create(0, [&](const ProgressStep& step) {
      EXPECT_LE(step.done, step.total);
      return steps++ < allowed;
    });
    if (outcome.ok()) {
      break;
    }
    EXPECT_EQ(outcome.error().code(), ErrorCode::kUnavailable);
    EXPECT_THAT(Ids(), ElementsAre(1));
    ASSERT_LT(allowed, 100);
  }
  EXPECT_GT(steps, 5);
  // A number that was given up is not used again.
  EXPECT_EQ(Ids().size(), 2U);
  ExpectNothingElse();
  for (const uint32_t id : Ids()) {
    EXPECT_THAT(Verify(id)->damages, IsEmpty());
  }
  EXPECT_EQ(Count(Restore(1)), 1000U);
}

// Proves that damage of every kind of file is named by verifying, and that restoring refuses it and
// leaves nothing.
TEST_F(CreateBackupTest, DamageIsNamed) {
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
      EXPECT_EQ(refused.error().code(), ErrorCode::kCorruption);
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
TEST_F(CreateBackupTest, DamagedManifestIsNamed) {
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

// Proves that a backup which cannot be read keeps new ones from removing its files, until its
// manifest is given up.
TEST_F(CreateBackupTest, UnreadableBackupsAreNotCollected) {
  Put(0, 200);
  ASSERT_TRUE(Create().ok());
  Flip(to_ + "/tables/meta/1");
  fs::resize_file(to_ + "/tables/meta/1", 5);
  const std::vector<std::string> before = FilesIn(to_);
  const auto refused = Create();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kCorruption);
  EXPECT_THAT(refused.error().message(), HasSubstr(to_ + "/manifests/1"));
  EXPECT_EQ(FilesIn(to_), before);
  fs::remove(to_ + "/manifests/1");
  const auto made = Create();
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_THAT(Verify(0)->damages, IsEmpty());
}

// Proves that a backup is not built upon a file of an earlier one that is evidently damaged.
TEST_F(CreateBackupTest, DamagedFilesAreNotReused) {
  Put(0, 200);
  ASSERT_TRUE(Create().ok());
  const BackupManifest manifest = *FindBackup({to_}, 1);
  for (const BackupFile& file : manifest.files) {
    if (file.stored.ends_with(".sst")) {
      fs::resize_file(StrCat(to_, "/", file.stored), file.sum.bytes - 1);
      const auto refused = Create();
      ASSERT_FALSE(refused.ok());
      EXPECT_THAT(refused.error().message(), HasSubstr(fs::path(file.stored).filename().string()));
      EXPECT_THAT(Ids(), ElementsAre(1));
      return;
    }
  }
  FAIL() << "no sorted file";
}

// Proves that directories which are something else, in use or inside one another are refused and
// left as they are.
TEST_F(CreateBackupTest, WrongDirectoriesAreRefused) {
  const auto create_to = [&](const std::string& to) {
    const auto outcome = CreateBackup(*database_, {data_, to, 0, ""}, clock_, GoOn);
    EXPECT_FALSE(outcome.ok()) << to;
    return outcome.ok() ? std::string() : outcome.error().message();
  };
  EXPECT_THAT(create_to(data_), HasSubstr("inside the data directory"));
  EXPECT_THAT(create_to(data_ + "/backups"), HasSubstr("inside the data directory"));
  EXPECT_THAT(create_to(data_ + "/new/../newer"), HasSubstr("inside the data directory"));
  EXPECT_FALSE(fs::exists(data_ + "/newer"));
  EXPECT_THAT(create_to(temporary_.path() + "/no/such"), HasSubstr("Cannot create"));
  const std::string photos = temporary_.path() + "/photos";
  fs::create_directory(photos);
  std::ofstream(photos + "/a.jpg") << "x";
  EXPECT_THAT(create_to(photos), HasSubstr("'a.jpg'"));
  EXPECT_THAT(FilesIn(photos), ElementsAre("a.jpg"));

  ASSERT_TRUE(Create().ok());
  // A link that leads from the data directory to the backups.
  fs::create_directory_symlink(to_, data_ + "/link");
  EXPECT_THAT(Create().error().message(), HasSubstr(data_ + "/link"));
  fs::remove(data_ + "/link");
  {
    const auto reader = OpenBackupsForReading(to_);
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ(Create().error().code(), ErrorCode::kInUse);
    EXPECT_TRUE(OpenBackupsForReading(to_).ok());
  }
  const auto writer = OpenBackupsForWriting(to_);
  EXPECT_EQ(Verify(0).error().code(), ErrorCode::kInUse);
  EXPECT_EQ(VerifyBackup(photos, 0, {}, GoOn).error().code(), ErrorCode::kNotFound);
}

// Proves that restoring takes only a free place, and cleans up what an interrupted one left there.
TEST_F(CreateBackupTest, RestoresOnlyToAFreePlace) {
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
  EXPECT_EQ(RestoreBackup({to_, 0, target + "2"}, [](const auto&) { return false; }).error().code(),
            ErrorCode::kUnavailable);
  EXPECT_FALSE(fs::exists(target + "2"));
}

}  // namespace
}  // namespace tintype::cli
