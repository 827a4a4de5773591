#include "cli/settings/aws_credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/strings.h"
#include "base/testing/temporary_directory.h"

namespace tintype::cli {
namespace {

using testing::HasSubstr;

class AwsCredentialsTest : public testing::Test {
 protected:
  Result<sigv4::Credentials> Find() const {
    const auto variable = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = variables_.find(name);
      return found == variables_.end() ? std::nullopt : std::optional(found->second);
    };
    return FindAwsCredentials(variable, "--tables");
  }
  std::string Write(const std::string& content) {
    std::string path = directory_.path() + "/credentials";
    EXPECT_TRUE(WriteFileAtomically(path, content, 0600).ok());
    return path;
  }

  TemporaryDirectory directory_;
  std::map<std::string, std::string> variables_;
};

// Proves that a key in the environment goes before one in a file, with its session token.
TEST_F(AwsCredentialsTest, TakesTheEnvironmentFirst) {
  variables_["AWS_SHARED_CREDENTIALS_FILE"] =
      Write("[default]\naws_access_key_id = file\naws_secret_access_key = secret\n");
  variables_["AWS_ACCESS_KEY_ID"] = "id";
  variables_["AWS_SECRET_ACCESS_KEY"] = "value";
  EXPECT_EQ(Find()->access_key_id, "id");
  EXPECT_EQ(Find()->secret, "value");
  EXPECT_FALSE(Find()->session_token);
  variables_["AWS_SESSION_TOKEN"] = "token";
  EXPECT_EQ(Find()->session_token, "token");
  variables_.erase("AWS_SECRET_ACCESS_KEY");
  EXPECT_THAT(Find().error().message(), HasSubstr("the second is missing"));
}

// Proves that a profile is found by its name among sections of any kind, in the file that is named
// or in the home directory.
TEST_F(AwsCredentialsTest, FindsAProfile) {
  const std::string path = Write(
      "# comment\n[sso]\nsso_start_url = https://x\nnonsense\n[ default ]\naws_access_key_id=one\n"
      "aws_secret_access_key =  two  \n\n[other]\naws_access_key_id = three\n"
      "aws_secret_access_key = four\naws_session_token = five\n[half]\naws_access_key_id = six\n");
  variables_["AWS_SHARED_CREDENTIALS_FILE"] = path;
  EXPECT_EQ(Find()->access_key_id, "one");
  EXPECT_EQ(Find()->secret, "two");
  variables_["AWS_PROFILE"] = "other";
  EXPECT_EQ(Find()->access_key_id, "three");
  EXPECT_EQ(Find()->session_token, "five");
  for (const std::string profile : {"half", "unknown"}) {
    variables_["AWS_PROFILE"] = profile;
    EXPECT_THAT(Find().error().message(),
                HasSubstr(StrCat("the profile '", profile, "' in ", path)));
  }
}

// Proves that somebody without a key learns where one may be, and that a named file must be there.
TEST_F(AwsCredentialsTest, SaysWhatIsMissing) {
  variables_["HOME"] = directory_.path();
  EXPECT_EQ(Find().error().kind(), ErrorKind::kValidation);
  EXPECT_THAT(Find().error().message(), HasSubstr(directory_.path() + "/.aws/credentials"));
  EXPECT_THAT(Find().error().message(), HasSubstr("tintype keys create"));
  variables_["AWS_SHARED_CREDENTIALS_FILE"] = directory_.path() + "/nothing";
  EXPECT_EQ(Find().error().kind(), ErrorKind::kNotFound);
}

}  // namespace
}  // namespace tintype::cli
