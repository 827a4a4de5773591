#include "cli/tables/sealing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "base/strings.h"
#include "base/testing/temporary_directory.h"

namespace tintype::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class SealingTest : public ::testing::Test {
 protected:
  SealingTest() { Open(crypto::SecretKey::FromBytes(std::string(32, 'm'))); }

  /// Tables under a master key, or in plain, in a folder of their own for each.
  void Open(std::optional<crypto::SecretKey> master) {
    tables::engine::EngineConfig config;
    config.directory = StrCat(directory_.path, master ? "/tables" : "/plain-tables");
    config.master_key = std::move(master);
    auto opened = OpenEngine(std::move(config));
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    tables_ = *std::move(opened);
  }
  Result<std::string> Secret() { return SecretOf(directory_, *tables_); }
  std::string OnDisk() const { return ReadFile(directory_.secret()).value(); }
  void Write(const std::string& content) {
    ASSERT_TRUE(WriteFileAtomically(directory_.secret(), content, 0600).ok());
  }

  const TemporaryDirectory folder_;
  const DataDirectory directory_ = OpenOrCreateDataDirectory(folder_.path() + "/data").value();
  std::unique_ptr<Tables> tables_;
};

// Proves that the secret is made once, and that the disk does not show it.
TEST_F(SealingTest, TheSecretIsMadeOnceAndSealed) {
  const std::string secret = Secret().value();
  EXPECT_EQ(secret.size(), 64U);
  EXPECT_EQ(Secret().value(), secret);
  EXPECT_THAT(OnDisk(), StartsWith("TINTBLOB"));
  EXPECT_THAT(OnDisk(), Not(HasSubstr(secret.substr(0, 8))));
  // Programs that would take the file for the secret itself refuse the directory.
  EXPECT_EQ(ReadFile(directory_.path + "/FORMAT").value(), "tintype 2\n");
  EXPECT_TRUE(OpenDataDirectory(directory_.path)->sealed_files);
}

// Proves that a secret from before stays what it is, and is sealed from the next start on.
TEST_F(SealingTest, ASecretFromBeforeIsSealed) {
  const std::string before(64, 's');
  Write(before);
  EXPECT_EQ(Secret().value(), before);
  EXPECT_THAT(OnDisk(), StartsWith("TINTBLOB"));
  EXPECT_EQ(Secret().value(), before);
}

// Proves that damage is told, with what to do, instead of another secret that nothing was made
// with.
TEST_F(SealingTest, DamageIsTold) {
  ASSERT_TRUE(Secret().ok());
  const std::string sealed = OnDisk();
  for (const size_t at : {size_t{20}, size_t{60}, sealed.size() - 1}) {
    std::string damaged = sealed;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    Write(damaged);
    const auto refused = Secret();
    ASSERT_FALSE(refused.ok()) << at;
    EXPECT_EQ(refused.error().kind(), ErrorKind::kCorruption);
    EXPECT_THAT(refused.error().message(), HasSubstr(directory_.secret()));
    EXPECT_THAT(refused.error().message(), HasSubstr("from a backup"));
  }
  Write("too short");
  EXPECT_EQ(Secret().error().kind(), ErrorKind::kCorruption);
}

// Proves that without encrypted tables the secret is a plain file as before, and that a sealed one
// is not taken for it.
TEST_F(SealingTest, WithoutEncryptionItIsPlain) {
  ASSERT_TRUE(Secret().ok());
  Open(std::nullopt);
  EXPECT_EQ(Secret().error().kind(), ErrorKind::kCorruption);
  ASSERT_TRUE(std::filesystem::remove(directory_.secret()));
  const std::string secret = Secret().value();
  EXPECT_EQ(secret, OnDisk());
  EXPECT_EQ(SealingKeysOf(tables_->embedded(), "anything"), nullptr);
}

}  // namespace
}  // namespace tintype::cli
