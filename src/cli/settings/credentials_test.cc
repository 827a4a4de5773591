#include "cli/settings/credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/files.h"
#include "base/testing/temporary_directory.h"

namespace tintype::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class CredentialsTest : public ::testing::Test {
 protected:
  std::vector<ProfileKey> Keys() {
    const auto text = ReadFile(path_);
    EXPECT_TRUE(text.ok());
    const auto keys = ParseCredentials(*text, path_);
    EXPECT_TRUE(keys.ok()) << keys.error().message();
    return *keys;
  }

  const ProfileKey root_{"default", "AKIAROOT", "root+secret/1"};
  TemporaryDirectory folder_;
  const std::string path_ = folder_.path() + "/credentials";
};

// Proves that profile files as AWS's tools write them are read: comments, blanks, other keys.
TEST_F(CredentialsTest, ReadsProfileFiles) {
  const auto keys = ParseCredentials(
      "# one\n"
      "[default]\r\n"
      "  aws_access_key_id=AKIA1\n"
      "aws_secret_access_key = a=b+/\n"
      "region = eu-west-1\n"
      "\n"
      "; two\n"
      "[ second ]\n"
      "aws_secret_access_key = y\n"
      "aws_access_key_id = AKIA2\n"
      "aws_session_token = t",
      "f");
  ASSERT_TRUE(keys.ok()) << keys.error().message();
  ASSERT_EQ(keys->size(), 2U);
  EXPECT_EQ((*keys)[0].profile, "default");
  EXPECT_EQ((*keys)[0].id, "AKIA1");
  EXPECT_EQ((*keys)[0].secret, "a=b+/");
  EXPECT_EQ((*keys)[1].profile, "second");
  EXPECT_EQ((*keys)[1].secret, "y");
  EXPECT_EQ((*keys)[0].session_token, "");
  EXPECT_EQ((*keys)[1].session_token, "t");
}

struct Malformed {
  const char* text;
  const char* message;
};

// Proves that each mistake is reported with the line it is on.
TEST_F(CredentialsTest, MistakesNameTheLine) {
  constexpr Malformed kMalformed[] = {
      {"aws_access_key_id = A\n", "f:1: a value before the first [profile]"},
      {"\n[a\n", "f:2: expected a profile's name"},
      {"[]\n", "f:1: expected a profile's name"},
      {"[a] b\n", "f:1: expected a profile's name"},
      {"[a]\nwhat\n", "f:2: expected [profile] or name = value"},
      {"\n[a]\naws_access_key_id = A\n", "f:2: the profile 'a' has no aws_secret_access_key"},
      {"[a]\naws_secret_access_key = A\n[b]\n", "f:1: the profile 'a' has no aws_access_key_id"},
      {"[a]\naws_access_key_id=A\naws_secret_access_key=s\n[a]\n",
       "f:4: the profile 'a' is already on line 1"},
      {"[a]\naws_access_key_id=A\naws_secret_access_key=s\n"
       "[b]\naws_access_key_id=A\naws_secret_access_key=t\n",
       "f:4: the profile 'b' has the same aws_access_key_id as 'a'"},
  };
  for (const Malformed& malformed : kMalformed) {
    const auto keys = ParseCredentials(malformed.text, "f");
    ASSERT_FALSE(keys.ok()) << malformed.text;
    EXPECT_EQ(keys.error().kind(), ErrorKind::kValidation);
    EXPECT_THAT(keys.error().message(), HasSubstr(malformed.message));
  }
}

// Proves the form of generated keys, and that two of them differ.
TEST_F(CredentialsTest, GeneratedKeysLookLikeAwsKeys) {
  const ProfileKey first = GenerateProfileKey("default");
  const ProfileKey second = GenerateProfileKey("default");
  EXPECT_EQ(first.id.size(), 20U);
  EXPECT_THAT(first.id, MatchesRegex("AKIA[A-Z2-7]+"));
  EXPECT_EQ(first.secret.size(), 40U);
  EXPECT_NE(first.id, second.id);
  EXPECT_NE(first.secret, second.secret);
  EXPECT_TRUE(ValidateProfileKey(first).ok());
}

// Proves that the first start writes a private file, and that a later one leaves it alone.
TEST_F(CredentialsTest, CreatedOncePrivately) {
  const auto created = CreateCredentials(path_, root_, "us-east-1");
  ASSERT_TRUE(created.ok()) << created.error().message();
  EXPECT_TRUE(*created);
  struct stat status {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_FALSE(*CreateCredentials(path_, {"default", "AKIAOTHER", "x"}, "us-east-1"));
  ASSERT_EQ(Keys().size(), 1U);
  EXPECT_EQ(Keys()[0].id, "AKIAROOT");
  EXPECT_EQ(Keys()[0].secret, "root+secret/1");
}

// Proves that removing a key touches nothing else, the user's own comments included.
TEST_F(CredentialsTest, RemovingKeepsTheRest) {
  const std::string before =
      "# mine\n[default]\naws_access_key_id = A\naws_secret_access_key = s\n\n";
  ASSERT_TRUE(
      WriteFileAtomically(path_, before + FormatProfile({"app", "AKIAAPP", "t"}, "us-east-1"), 0600)
          .ok());
  ASSERT_EQ(Keys().size(), 2U);
  const auto removed = RemoveProfileKey(path_, "AKIAAPP");
  ASSERT_TRUE(removed.ok()) << removed.error().message();
  EXPECT_EQ(*removed, "AKIAAPP");
  EXPECT_EQ(*ReadFile(path_), before);
}

// Proves which key is the owner's: by its profile, else by its place.
TEST_F(CredentialsTest, TheRootKeyIsTheDefaultProfileOrTheFirst) {
  const ProfileKey app{"app", "AKIAAPP", "t"};
  EXPECT_EQ(RootOf({app, root_}).id, root_.id);
  EXPECT_EQ(RootOf({app, {"other", "AKIAOTHER", "u"}}).id, app.id);
}

// Proves the refusals: unknown keys and the root key.
TEST_F(CredentialsTest, RefusesToRemoveTheRootKey) {
  ASSERT_TRUE(CreateCredentials(path_, root_, "us-east-1").ok());
  EXPECT_EQ(RemoveProfileKey(path_, "nobody").error().kind(), ErrorKind::kNotFound);
  EXPECT_EQ(RemoveProfileKey(path_, "default").error().kind(), ErrorKind::kValidation);
  EXPECT_EQ(RemoveProfileKey(path_, "AKIAROOT").error().kind(), ErrorKind::kValidation);
  EXPECT_EQ(Keys().size(), 1U);
  std::filesystem::remove(path_);
  EXPECT_EQ(RemoveProfileKey(path_, "default").error().kind(), ErrorKind::kNotFound);
}

// Proves that what cannot stand in the file is not written into it.
TEST_F(CredentialsTest, RefusesKeysThatWouldBreakTheFile) {
  for (const ProfileKey& key :
       {ProfileKey{"a]\n[b", "AKIA2", "s"}, {"other", "", "s"}, {"other", "AKIA2", "two words"}}) {
    EXPECT_EQ(ValidateProfileKey(key).error().kind(), ErrorKind::kValidation) << key.profile;
  }
}

// Proves that a new root key takes the place of the old one, which stays for as long as was said,
// and that nothing else of the file changes.
TEST_F(CredentialsTest, RotatesTheRootKey) {
  constexpr int64_t kHourMs = 3'600'000;
  ASSERT_TRUE(WriteFileAtomically(path_,
                                  "# mine\n[other]\naws_access_key_id = AKIAOTHER\n"
                                  "aws_secret_access_key = x\n\n[default]\n"
                                  "aws_access_key_id = AKIAROOT\naws_secret_access_key = y\n"
                                  "region = eu-west-1\nendpoint_url = http://x\n# why\n"
                                  "aws_session_token = t\n",
                                  0600)
                  .ok());
  const auto made = RotateRootKey(path_, kHourMs, 0);
  ASSERT_TRUE(made.ok()) << made.error().message();
  std::vector<ProfileKey> keys = Keys();
  ASSERT_EQ(keys.size(), 3U);
  EXPECT_EQ(keys[0].id, "AKIAOTHER");
  EXPECT_EQ(RootOf(keys).id, made->id);
  EXPECT_EQ(RootOf(keys).secret, made->secret);
  EXPECT_EQ(RootOf(keys).region, "eu-west-1");
  EXPECT_EQ(RootOf(keys).session_token, "");
  EXPECT_EQ(keys[2].profile, "root-AKIAROOT");
  EXPECT_EQ(keys[2].secret, "y");
  EXPECT_EQ(keys[2].session_token, "t");
  EXPECT_EQ(keys[2].good_until_ms, kHourMs);
  EXPECT_THAT(*ReadFile(path_), testing::StartsWith("# mine\n[other]\n"));
  EXPECT_THAT(*ReadFile(path_), HasSubstr("region = eu-west-1\nendpoint_url = http://x\n# why\n"));
  // A key whose time is over goes with the next one, and without an overlap all that were replaced.
  ASSERT_TRUE(RotateRootKey(path_, kHourMs, 1).ok());
  EXPECT_EQ(Keys().size(), 4U);
  ASSERT_TRUE(RotateRootKey(path_, kHourMs, kHourMs).ok());
  EXPECT_EQ(Keys().size(), 4U);
  const auto next = RotateRootKey(path_, 0, kHourMs);
  ASSERT_TRUE(next.ok());
  keys = Keys();
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_EQ(RootOf(keys).id, next->id);
  EXPECT_NE(next->id, made->id);
}

TEST_F(CredentialsTest, RotatesNoRootKeyThatIsNotThere) {
  EXPECT_EQ(RotateRootKey(path_, 0, 0).error().kind(), ErrorKind::kNotFound);
}

TEST_F(CredentialsTest, RefusesTimesThatAreNone) {
  const auto keys = ParseCredentials(
      "[a]\naws_access_key_id = A\naws_secret_access_key = s\ntintype_good_until = soon\n", "f");
  ASSERT_FALSE(keys.ok());
  EXPECT_THAT(keys.error().message(), HasSubstr("f:4: tintype_good_until"));
}

}  // namespace
}  // namespace tintype::cli
