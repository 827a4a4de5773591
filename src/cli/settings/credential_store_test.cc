#include "cli/settings/credential_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "base/testing/temporary_directory.h"
#include "cli/settings/credentials.h"

namespace tintype::cli {
namespace {

using ::testing::HasSubstr;

class CredentialStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(CreateCredentials(path_, {"default", "AKIAROOT", "root"}, "us-east-1").ok());
    auto store = FileCredentialStore::Open(path_, clock_);
    ASSERT_TRUE(store.ok()) << store.error().message();
    store_ = *std::move(store);
  }

  bool Knows(std::string_view id) { return store_->SecretFor(id).has_value(); }

  FakeClock clock_{1'000'000};
  TemporaryDirectory folder_;
  const std::string path_ = folder_.path() + "/credentials";
  std::unique_ptr<FileCredentialStore> store_;
};

// Proves that a key of the file is found with its secret, and any other is not.
TEST_F(CredentialStoreTest, FindsTheKeysOfTheFile) {
  const auto secret = store_->SecretFor("AKIAROOT");
  ASSERT_TRUE(secret.has_value());
  EXPECT_EQ(secret->secret, "root");
  EXPECT_FALSE(secret->session_token.has_value());
  EXPECT_FALSE(Knows("AKIA"));
  EXPECT_FALSE(Knows(""));
}

// Proves that keys come and go within a second, without a restart.
TEST_F(CredentialStoreTest, NoticesChangesWithinASecond) {
  ASSERT_TRUE(AddAccessKey(path_, {"app", "AKIAAPP", "s"}, "us-east-1").ok());
  EXPECT_FALSE(Knows("AKIAAPP"));
  clock_.AdvanceMs(1000);
  EXPECT_TRUE(Knows("AKIAAPP"));
  ASSERT_TRUE(RemoveAccessKey(path_, "AKIAROOT").ok());
  clock_.AdvanceMs(1000);
  EXPECT_FALSE(Knows("AKIAROOT"));
  EXPECT_TRUE(Knows("AKIAAPP"));
}

// Proves that a broken or vanished file does not lock everybody out, and that mending it works.
TEST_F(CredentialStoreTest, KeepsItsKeysWhenTheFileBreaks) {
  ASSERT_TRUE(WriteFileAtomically(path_, "[half\n", 0600).ok());
  clock_.AdvanceMs(1000);
  EXPECT_TRUE(Knows("AKIAROOT"));
  std::filesystem::remove(path_);
  clock_.AdvanceMs(1000);
  EXPECT_TRUE(Knows("AKIAROOT"));
  ASSERT_TRUE(AddAccessKey(path_, {"app", "AKIAAPP", "s"}, "us-east-1").ok());
  clock_.AdvanceMs(1000);
  EXPECT_TRUE(Knows("AKIAAPP"));
  EXPECT_FALSE(Knows("AKIAROOT"));
}

// Proves that a server is not started with a file that lets nobody in, or without one, and that the
// message has the command that helps.
TEST_F(CredentialStoreTest, OpeningRefusesAUselessFile) {
  const std::string help = "'tintype keys create NAME --data-dir " + folder_.path() + "'";
  ASSERT_TRUE(WriteFileAtomically(path_, "# nothing\n", 0600).ok());
  for (const std::string& path : {path_, folder_.path() + "/none"}) {
    const auto opened = FileCredentialStore::Open(path, clock_);
    ASSERT_FALSE(opened.ok()) << path;
    EXPECT_EQ(opened.error().kind(), ErrorKind::kNotFound);
    EXPECT_THAT(opened.error().message(), HasSubstr(help));
  }
  ASSERT_TRUE(WriteFileAtomically(path_, "[half\n", 0600).ok());
  EXPECT_EQ(FileCredentialStore::Open(path_, clock_).error().kind(), ErrorKind::kValidation);
}

}  // namespace
}  // namespace tintype::cli
