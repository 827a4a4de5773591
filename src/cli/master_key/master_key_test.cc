// M2C-11: a master key is read from where it may be kept, and never made up where one is missing.

#include "cli/master_key/master_key.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "crypto/secret_key.h"
#include "tables/engine/encryption/fingerprint.h"
#include "tables/language/errors.h"

namespace tintype::cli {
namespace {

using crypto::SecretKey;
using tables::engine::DirectoryLock;
using tables::engine::Fingerprint;
using tables::engine::OpenKeyring;

// Bytes 0x00, 0x07, 0x0e ... in each of the spellings.
std::string RawKey() {
  std::string bytes;
  for (int i = 0; i < 32; ++i) {
    bytes.push_back(static_cast<char>(i * 7));
  }
  return bytes;
}
constexpr std::string_view kHex =
    "00070e151c232a31383f464d545b626970777e858c939aa1a8afb6bdc4cbd2d9";
constexpr std::string_view kBase64 = "AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vcTL0tk=";

bool Has(const auto& result, Reason reason, std::string_view words) {
  return !result.ok() && result.error().Is(reason) &&
         result.error().message().find(words) != std::string::npos;
}

TEST(ParseMasterKeyTest, TakesEverySpelling) {
  const std::string unpadded(kBase64.substr(0, 43));
  for (const std::string& text :
       {RawKey(), std::string(kHex), StrCat(kHex, "\n"), StrCat(kHex, "\r\n"), std::string(kBase64),
        StrCat(kBase64, "\n"), unpadded, StrCat(unpadded, "\n"),
        std::string("00070E151C232A31383F464D545B626970777E858C939AA1A8AFB6BDC4CBD2D9")}) {
    const auto key = ParseMasterKey(text, "here");
    ASSERT_TRUE(key.ok()) << text;
    EXPECT_EQ(key->bytes(), RawKey()) << text;
  }
}

// Among them what people might take for a key: half a key in digits, a password of 32 characters.
TEST(ParseMasterKeyTest, RefusesWhatIsNone) {
  for (const std::string& text :
       {std::string(), std::string("secret"), std::string(kHex.substr(0, 32)),
        std::string(kHex.substr(1)), StrCat(kHex, "0"), StrCat("g", kHex.substr(1)),
        std::string("correct horse battery staple ok!"), RawKey().substr(1), RawKey() + "x",
        StrCat(kBase64.substr(0, 42), "*"), StrCat(kHex, " ")}) {
    const auto key = ParseMasterKey(text, "this place");
    EXPECT_TRUE(Has(key, ErrorKind::kValidation, "this place")) << text;
    EXPECT_TRUE(text.empty() || key.error().message().find(text) == std::string::npos);
  }
}

class MasterKeyTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_.tables()); }

  std::string Path(std::string_view name) const { return StrCat(folder_.path(), "/", name); }
  std::unique_ptr<DirectoryLock> Lock() {
    return *DirectoryLock::Take(nullptr, directory_.tables());
  }

  TemporaryDirectory folder_;
  DataDirectory directory_{folder_.path()};
};

TEST_F(MasterKeyTest, AFileThatOthersMayReadIsRefusedUnlessAllowed) {
  MasterKeySource source;
  source.file = Path("key");
  EXPECT_TRUE(Has(LoadMasterKey(directory_, source), ErrorKind::kNotFound, source.file));
  ASSERT_TRUE(WriteFileAtomically(source.file, kHex, 0600).ok());
  EXPECT_EQ(LoadMasterKey(directory_, source)->bytes(), RawKey());
  for (const mode_t mode : {0640U, 0604U, 0660U}) {
    ASSERT_EQ(::chmod(source.file.c_str(), mode), 0);
    source.private_file = true;
    EXPECT_TRUE(Has(LoadMasterKey(directory_, source), ErrorKind::kValidation, "chmod 600"));
    source.private_file = false;
    EXPECT_TRUE(LoadMasterKey(directory_, source).ok());
  }
}

TEST_F(MasterKeyTest, ComesFromACommandOrAVariable) {
  MasterKeySource source;
  source.command = StrCat("echo ", kHex);
  EXPECT_EQ(LoadMasterKey(directory_, source)->bytes(), RawKey());
  source.command = "echo nothing";
  EXPECT_TRUE(
      Has(LoadMasterKey(directory_, source), ErrorKind::kValidation, "--master-key-command"));
  source.command = "exit 3";
  EXPECT_TRUE(Has(LoadMasterKey(directory_, source), ErrorKind::kIo, "exit code 3"));
  source.command.clear();
  source.value = std::string(kBase64);
  EXPECT_EQ(LoadMasterKey(directory_, source)->bytes(), RawKey());
  source.value = "x";
  EXPECT_TRUE(Has(LoadMasterKey(directory_, source), ErrorKind::kValidation, "TINTYPE_MASTER_KEY"));
  // None of them leaves a key behind.
  EXPECT_FALSE(std::filesystem::exists(directory_.master_key()));
}

TEST_F(MasterKeyTest, ANewDirectoryGetsAKeyOfItsOwn) {
  const auto created = LoadMasterKey(directory_, {});
  ASSERT_TRUE(created.ok()) << created.error().message();
  struct stat file {};
  ASSERT_EQ(::stat(directory_.master_key().c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0600U);
  EXPECT_EQ(*LoadMasterKey(directory_, {}), *created);
}

// A made-up key would look like a key and open nothing.
TEST_F(MasterKeyTest, AMissingKeyIsNotMadeUp) {
  const SecretKey key = *LoadMasterKey(directory_, {});
  ASSERT_TRUE(OpenKeyring(*Lock(), key, 1).ok());
  std::filesystem::remove(directory_.master_key());
  EXPECT_TRUE(Has(LoadMasterKey(directory_, {}), ErrorKind::kNotFound, Fingerprint(key)));
  EXPECT_FALSE(std::filesystem::exists(directory_.master_key()));

  std::filesystem::remove(tables::engine::KeyringPath(directory_.tables()));
  std::ofstream(directory_.tables() + "/CURRENT") << "x";
  EXPECT_TRUE(Has(LoadMasterKey(directory_, {}), ErrorKind::kCorruption, "/KEYS"));
  EXPECT_FALSE(std::filesystem::exists(directory_.master_key()));
}

TEST_F(MasterKeyTest, TheDirectorysOwnKeyIsLeftAloneWhileItIsInUse) {
  const auto lock = Lock();
  EXPECT_TRUE(
      Has(LoadMasterKey(directory_, {}), tables::reasons::kAlreadyOpen, directory_.tables()));
  EXPECT_FALSE(std::filesystem::exists(directory_.master_key()));
}

}  // namespace
}  // namespace tintype::cli
