// M2C-11: rotating the master key, killed at any moment, leaves a key in its place that opens the
// tables.

#include "cli/master_key/rotate.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <vector>

#include "base/files.h"
#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "cli/master_key/master_key.h"
#include "cli/settings/data_directory.h"
#include "crypto/secret_key.h"
#include "tables/engine/encryption/fingerprint.h"
#include "tables/language/errors.h"

namespace {

// How many of the calls below a process may still make before it ends; negative: any number.
int calls_left = -1;

constexpr int kExitKilled = 99;

// What the calls below were to do, in order: "sync" and a path, or "rename" and the new path.
std::vector<std::string> done;

bool DoneBefore(const std::string& first, const std::string& second) {
  const auto it = std::find(done.begin(), done.end(), first);
  return std::find(it, done.end(), second) != done.end();
}

void CountCall() {
  if (calls_left == 0) {
    ::_exit(kExitKilled);
  }
  calls_left -= calls_left > 0 ? 1 : 0;
}

}  // namespace

// These take the place of the C library's: a directory's content changes by nothing else, so a
// process that ends before each of them in turn leaves every state that a killed one can leave.
extern "C" int rename(const char* from, const char* to) noexcept {
  CountCall();
  done.push_back(std::string("rename ") + to);
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
extern "C" int unlink(const char* path) noexcept {
  CountCall();
  return static_cast<int>(::syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}
extern "C" int fsync(int file) {
  std::error_code ignored;
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  done.push_back("sync " + std::filesystem::read_symlink(link, ignored).string());
  return static_cast<int>(::syscall(SYS_fsync, file));
}

namespace tintype::cli {
namespace {

using crypto::SecretKey;
using tables::engine::DirectoryLock;
using tables::engine::Fingerprint;
using tables::engine::OpenKeyring;

namespace fs = std::filesystem;

int InChild(const std::function<int()>& body) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(body());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class RotateMasterTest : public testing::Test {
 protected:
  // A directory with a keyring under its own master key.
  void SetUp() override {
    ASSERT_TRUE(OpenOrCreateDataDirectory(directory_.path).ok());
    const auto key = LoadMasterKey(directory_, {});
    ASSERT_TRUE(key.ok());
    ASSERT_TRUE(Opens(*key));
    first_ = *key;
  }

  bool Opens(const SecretKey& key) {
    const auto lock = DirectoryLock::Take(nullptr, directory_.tables());
    return lock.ok() && OpenKeyring(**lock, key, 1'700'000'000'000).ok();
  }
  RotateMasterConfig Config(std::string new_key_file = {}) {
    return {directory_.path, {}, std::move(new_key_file)};
  }

  TemporaryDirectory folder_;
  DataDirectory directory_{folder_.path() + "/data"};
  std::optional<SecretKey> first_;
};

TEST_F(RotateMasterTest, ReplacesTheDirectorysOwnKeyAndKeepsTheOld) {
  ASSERT_TRUE(RotateMaster(Config()).ok());
  const auto key = LoadMasterKey(directory_, {});
  ASSERT_TRUE(key.ok());
  EXPECT_NE(*key, *first_);
  EXPECT_TRUE(Opens(*key));
  EXPECT_FALSE(Opens(*first_));
  EXPECT_FALSE(fs::exists(directory_.next_master_key()));
  EXPECT_EQ(*ReadMasterKeyFile(directory_.kept_master_key(Fingerprint(*first_)), true), *first_);
}

TEST_F(RotateMasterTest, MovesTheKeyOut) {
  const std::string file = folder_.path() + "/moved.key";
  ASSERT_TRUE(RotateMaster(Config(file)).ok());
  EXPECT_FALSE(fs::exists(directory_.master_key()));
  const auto without = LoadMasterKey(directory_, {});
  ASSERT_FALSE(without.ok());
  EXPECT_EQ(without.error().kind(), ErrorKind::kNotFound);
  MasterKeySource source;
  source.file = file;
  EXPECT_TRUE(Opens(*LoadMasterKey(directory_, source)));

  // From one file to another.
  RotateMasterConfig next = Config();
  next.source = source;
  const Status nowhere = RotateMaster(next);
  ASSERT_FALSE(nowhere.ok());
  EXPECT_NE(nowhere.error().message().find("--new-master-key-file"), std::string::npos);
  next.new_key_file = file;
  EXPECT_FALSE(RotateMaster(next).ok());  // The same key.
  next.new_key_file = folder_.path() + "/other.key";
  ASSERT_TRUE(RotateMaster(next).ok());
  EXPECT_FALSE(Opens(*LoadMasterKey(directory_, source)));
  source.file = next.new_key_file;
  EXPECT_TRUE(Opens(*LoadMasterKey(directory_, source)));
}

// Proves that the keyring never depends on a key file that a power cut could still empty: one that
// the operator wrote is synced, with its folder, before the keyring is sealed by it.
TEST_F(RotateMasterTest, AKeyFileThatExistsIsOnDiskBeforeItIsUsed) {
  const std::string place = fs::canonical(folder_.path()).string();
  const std::string file = place + "/written.key";
  ASSERT_TRUE(WriteMasterKeyFile(file, SecretKey::Random()).ok());
  fs::create_symlink(file, folder_.path() + "/link.key");
  done.clear();
  ASSERT_TRUE(RotateMaster(Config(folder_.path() + "/link.key")).ok());
  const std::string sealed = "rename " + tables::engine::KeyringPath(directory_.tables());
  EXPECT_TRUE(DoneBefore("sync " + file, sealed));
  EXPECT_TRUE(DoneBefore("sync " + place, sealed));

  // The same at a first start, and not at later ones.
  for (const bool is_default : {false, true}) {
    const DataDirectory fresh{StrCat(place, "/fresh", is_default ? "1" : "2")};
    ASSERT_TRUE(OpenOrCreateDataDirectory(fresh.path).ok());
    MasterKeySource source;
    source.file = is_default ? "" : file;
    const std::string used = is_default ? fresh.master_key() : file;
    ASSERT_TRUE(WriteMasterKeyFile(used, SecretKey::Random()).ok());
    for (const bool first : {true, false}) {
      done.clear();
      const auto key = LoadMasterKey(fresh, source);
      EXPECT_EQ(DoneBefore("sync " + used, "sync " + ParentFolder(used)), first);
      const auto lock = DirectoryLock::Take(nullptr, fresh.tables());
      ASSERT_TRUE(OpenKeyring(**lock, *key, 1'700'000'000'000).ok());
    }
  }
}

TEST_F(RotateMasterTest, RefusesWhatItCannotDo) {
  // The directory's own key is no place outside.
  EXPECT_EQ(RotateMaster(Config(directory_.path + "/./master.key")).error().kind(),
            ErrorKind::kValidation);
  {
    const auto lock = DirectoryLock::Take(nullptr, directory_.tables());
    const Status held = RotateMaster(Config());
    EXPECT_EQ(held.error().reason(), tables::reasons::kAlreadyOpen);
    EXPECT_NE(held.error().message().find("Stop the server"), std::string::npos);
  }
  // A wrong key changes nothing and leaves nothing.
  RotateMasterConfig wrong = Config(folder_.path() + "/new.key");
  wrong.source.value = std::string(64, 'a');
  EXPECT_EQ(RotateMaster(wrong).error().kind(), ErrorKind::kValidation);
  EXPECT_FALSE(fs::exists(wrong.new_key_file));
  EXPECT_TRUE(Opens(*first_));
  EXPECT_EQ(*LoadMasterKey(directory_, {}), *first_);
}

// Ended before each change of a name in turn; then the next start, and the next rotation, itself
// ended everywhere, find a key that opens the tables.
TEST_F(RotateMasterTest, EndedAnywhereItLeavesAKeyThatOpens) {
  for (const bool moves_out : {false, true}) {
    int killed = 0;
    for (int calls = 0;; ++calls) {
      SCOPED_TRACE(StrCat("killed before call ", calls, moves_out ? ", moving out" : ""));
      TemporaryDirectory place;
      const DataDirectory copy{place.path() + "/data"};
      fs::copy(directory_.path, copy.path, fs::copy_options::recursive);
      const std::string file = moves_out ? place.path() + "/new.key" : "";
      const auto rotate = [&](int calls_max) {
        return InChild([&] {
          calls_left = calls_max;
          return RotateMaster({copy.path, {}, file}).ok() ? 0 : 1;
        });
      };
      const auto opens = [&](const MasterKeySource& source) {
        const auto key = LoadMasterKey(copy, source);
        const auto lock = DirectoryLock::Take(nullptr, copy.tables());
        return key.ok() && lock.ok() && OpenKeyring(**lock, *key, 1'700'000'000'000).ok();
      };
      const int outcome = rotate(calls);
      ASSERT_TRUE(outcome == 0 || outcome == kExitKilled) << outcome;
      MasterKeySource moved;
      moved.file = file;
      // A moved key is where the operator said, from the decisive step on.
      EXPECT_NE(opens({}), moves_out && opens(moved));
      if (outcome == kExitKilled && !moves_out) {
        ++killed;
        for (int again = 0; rotate(again) == kExitKilled; ++again) {
        }
        EXPECT_TRUE(opens({}));
      }
      killed += moves_out && outcome == kExitKilled ? 1 : 0;
      if (outcome == 0) {
        break;
      }
    }
    EXPECT_GE(killed, 4);
  }
}

}  // namespace
}  // namespace tintype::cli
