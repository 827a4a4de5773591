#include "cli/settings/secret_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "base/testing/temporary_directory.h"

namespace tintype::cli {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

// Proves who may be able to read a secret for it to be taken, and that the refusal says what to do.
TEST(SecretFilesTest, RefusesWhatOthersCanRead) {
  const TemporaryDirectory folder;
  const std::string path = folder.path() + "/secret";
  ASSERT_TRUE(WriteFileAtomically(path, "s3cret", 0600).ok());
  const struct {
    unsigned mode;
    bool for_owner;
    bool for_group;
  } cases[] = {{0600, true, true},   {0400, true, true},   {0640, false, true}, {0660, false, true},
               {0604, false, false}, {0644, false, false}, {0602, false, false}};
  for (const auto& [mode, for_owner, for_group] : cases) {
    fs::permissions(path, fs::perms(mode));
    EXPECT_EQ(CheckSecretFile(path, SecretReaders::kOwner, "It").ok(), for_owner) << mode;
    EXPECT_EQ(CheckSecretFile(path, SecretReaders::kGroup, "It").ok(), for_group) << mode;
  }
  const Status refused = CheckSecretFile(path, SecretReaders::kOwner, "It");
  EXPECT_EQ(refused.error().kind(), ErrorKind::kValidation);
  EXPECT_THAT(refused.error().message(), HasSubstr("'chmod 600 " + path + "'"));
  EXPECT_TRUE(CheckSecretFile(folder.path() + "/none", SecretReaders::kOwner, "It").ok());
  EXPECT_TRUE(CheckSecretFile("/dev/null", SecretReaders::kOwner, "It").ok());
}

}  // namespace
}  // namespace tintype::cli
