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

  bool Knows(std::string_view id) { return store_->Find(id).has_value(); }

  /// Adds a profile by hand, as people may.
  void AddProfile(const ProfileKey& key) {
    const auto text = ReadFile(path_);
    ASSERT_TRUE(WriteFileAtomically(
                    path_, (text.ok() ? *text + "\n" : "") + FormatProfile(key, "us-east-1"), 0600)
                    .ok());
  }

  FakeClock clock_{1'000'000};
  TemporaryDirectory folder_;
  const std::string path_ = folder_.path() + "/credentials";
  std::unique_ptr<FileCredentialStore> store_;
};

// Proves that a key of the file is found with its secret, and any other is not.
TEST_F(CredentialStoreTest, FindsTheKeysOfTheFile) {
  const auto key = store_->Find("AKIAROOT");
  ASSERT_TRUE(key.has_value());
  EXPECT_EQ(key->secret.secret, "root");
  EXPECT_FALSE(key->secret.session_token.has_value());
  EXPECT_TRUE(key->root);
  EXPECT_EQ(key->profile, "default");
  EXPECT_FALSE(Knows("AKIA"));
  EXPECT_FALSE(Knows(""));
}

// Proves that keys come and go within a second, without a restart.
TEST_F(CredentialStoreTest, NoticesChangesWithinASecond) {
  AddProfile({"app", "AKIAAPP", "s"});
  EXPECT_FALSE(Knows("AKIAAPP"));
  clock_.AdvanceMs(1000);
  ASSERT_TRUE(Knows("AKIAAPP"));
  EXPECT_FALSE(store_->Find("AKIAAPP")->root);
  EXPECT_EQ(store_->OtherProfiles(), std::vector<std::string>{"app"});
  ASSERT_TRUE(RemoveProfileKey(path_, "AKIAAPP").ok());
  clock_.AdvanceMs(1000);
  EXPECT_FALSE(Knows("AKIAAPP"));
  EXPECT_TRUE(Knows("AKIAROOT"));
}

// Proves that a broken or vanished file does not lock everybody out, and that mending it works.
TEST_F(CredentialStoreTest, KeepsItsKeysWhenTheFileBreaks) {
  ASSERT_TRUE(WriteFileAtomically(path_, "[half\n", 0600).ok());
  clock_.AdvanceMs(1000);
  EXPECT_TRUE(Knows("AKIAROOT"));
  std::filesystem::remove(path_);
  clock_.AdvanceMs(1000);
  EXPECT_TRUE(Knows("AKIAROOT"));
  AddProfile({"app", "AKIAAPP", "s"});
  clock_.AdvanceMs(1000);
  EXPECT_TRUE(Knows("AKIAAPP"));
  EXPECT_FALSE(Knows("AKIAROOT"));
}

// Proves that a server is not started with a file that lets nobody in, or without one, and that the
// message says what helps.
TEST_F(CredentialStoreTest, OpeningRefusesAUselessFile) {
  ASSERT_TRUE(WriteFileAtomically(path_, "# nothing\n", 0600).ok());
  for (const std::string& path : {path_, folder_.path() + "/none"}) {
    const auto opened = FileCredentialStore::Open(path, clock_);
    ASSERT_FALSE(opened.ok()) << path;
    EXPECT_EQ(opened.error().kind(), ErrorKind::kNotFound);
    EXPECT_THAT(opened.error().message(),
                HasSubstr("the next start of the server writes a new root key"));
  }
  ASSERT_TRUE(WriteFileAtomically(path_, "[half\n", 0600).ok());
  EXPECT_EQ(FileCredentialStore::Open(path_, clock_).error().kind(), ErrorKind::kValidation);
}

}  // namespace
}  // namespace tintype::cli
