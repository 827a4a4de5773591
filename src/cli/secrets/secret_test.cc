#include "cli/secrets/secret.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>

#include "base/files.h"
#include "base/testing/temporary_directory.h"

namespace tintype::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class SecretTest : public testing::Test {
 protected:
  Result<std::optional<std::string>> Find() const {
    return FindSecret("TINTYPE_X", [this](const std::string& name) -> std::optional<std::string> {
      const auto found = variables_.find(name);
      return found == variables_.end() ? std::nullopt : std::optional(found->second);
    });
  }
  std::string Write(const std::string& content) {
    std::string path = folder_.path() + "/secret";
    EXPECT_TRUE(WriteFileAtomically(path, content, 0600).ok());
    return path;
  }

  TemporaryDirectory folder_;
  std::map<std::string, std::string> variables_;
};

TEST_F(SecretTest, MayBeNone) { EXPECT_EQ(Find().value(), std::nullopt); }

TEST_F(SecretTest, ComesFromEachPlace) {
  variables_ = {{"TINTYPE_X", "plain"}};
  EXPECT_EQ(Find().value(), "plain");
  variables_ = {{"TINTYPE_X_FILE", Write("from a file\r\n")}};
  EXPECT_EQ(Find().value(), "from a file");
  variables_ = {{"TINTYPE_X_COMMAND", "echo from a command"}};
  EXPECT_EQ(Find().value(), "from a command");
}

// Proves that nobody has to guess which of two wins.
TEST_F(SecretTest, ComesFromOnePlace) {
  variables_ = {{"TINTYPE_X", "a"}, {"TINTYPE_X_COMMAND", "echo b"}};
  EXPECT_THAT(Find().error().message(),
              HasSubstr("TINTYPE_X, TINTYPE_X_FILE and TINTYPE_X_COMMAND exclude"));
  variables_ = {{"TINTYPE_X_FILE", Write("a")}, {"TINTYPE_X_COMMAND", "echo b"}};
  EXPECT_EQ(Find().error().kind(), ErrorKind::kValidation);
}

// Proves that what goes wrong names the variable, and never what a command wrote.
TEST_F(SecretTest, SaysWhatIsWrong) {
  variables_ = {{"TINTYPE_X_FILE", folder_.path() + "/none"}};
  EXPECT_THAT(Find().error().message(), HasSubstr("TINTYPE_X_FILE: "));
  variables_ = {{"TINTYPE_X_COMMAND", "printf hu%s sh; exit 3"}};
  EXPECT_THAT(Find().error().message(), HasSubstr("TINTYPE_X_COMMAND: "));
  EXPECT_THAT(Find().error().message(), Not(HasSubstr("hush")));
  const std::string path = Write("open");
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  variables_ = {{"TINTYPE_X_FILE", path}};
  EXPECT_THAT(Find().error().message(), HasSubstr("chmod"));
  variables_ = {{"TINTYPE_X_COMMAND", "true"}};
  EXPECT_THAT(Find().error().message(), HasSubstr("There is no secret where TINTYPE_X"));
  variables_ = {{"TINTYPE_X", "ssm://"}};
  EXPECT_THAT(Find().error().message(), HasSubstr("TINTYPE_X: 'ssm://' names no parameter"));
}

}  // namespace
}  // namespace tintype::cli
