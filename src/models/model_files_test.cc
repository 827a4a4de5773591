#include "models/model_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/testing/temporary_directory.h"

namespace tintype::models {
namespace {

class ModelFilesTest : public ::testing::Test {
 protected:
  void Write(std::string_view name, const std::string& content) {
    std::ofstream(files_.PathOf(name), std::ios::trunc) << content;
  }

  TemporaryDirectory directory_;
  ModelFiles files_{directory_.path()};
};

// Proves that the list is whole: every file has what it takes to bring it and to know it again.
TEST_F(ModelFilesTest, KnowsAllOfEachFile) {
  std::set<std::string_view> names;
  ASSERT_FALSE(KnownModels().empty());
  for (const KnownModel& model : KnownModels()) {
    EXPECT_TRUE(names.insert(model.name).second) << model.name;
    EXPECT_EQ(model.sha256.size(), 64U) << model.name;
    EXPECT_GT(model.bytes, 0) << model.name;
    EXPECT_NE(model.package.find('@'), std::string_view::npos) << model.name;
    EXPECT_FALSE(model.licence.empty()) << model.name;
    EXPECT_EQ(FindKnownModel(model.name), &model);
  }
  EXPECT_EQ(FindKnownModel("nothing"), nullptr);
}

// Proves that a file which is not there is told by its name, with what brings it, and that one with
// other bytes is refused.
TEST_F(ModelFilesTest, RefusesWhatIsNotThereOrIsAnother) {
  const std::string_view name = "text-english.txt";
  EXPECT_EQ(files_.Open(name).error().kind(), ErrorKind::kNotFound);
  EXPECT_EQ(files_.Verify(*FindKnownModel(name)).value(), ModelState::kMissing);
  const auto reason = files_.WhyMissing({name});
  ASSERT_TRUE(reason);
  EXPECT_NE(reason->find(name), std::string::npos) << *reason;
  EXPECT_NE(reason->find("./dev models"), std::string::npos) << *reason;

  Write(name, "something else");
  EXPECT_EQ(files_.Open(name).error().kind(), ErrorKind::kCorruption);
  EXPECT_EQ(files_.Verify(*FindKnownModel(name)).value(), ModelState::kDamaged);
  EXPECT_TRUE(files_.WhyMissing({name}));
}

// Proves that a file comes into use as soon as it is there, and goes out of use when its bytes
// change, without a restart.
TEST_F(ModelFilesTest, NoticesWhatChanges) {
  const std::string_view name = "text-english.txt";
  std::string characters;
  for (
      const char c : std::string_view(
          R"(0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_`abcdefghijklmnopqrstuvwxyz{|}~!"#$%&'()*+,-./)")) {
    characters += c;
    characters += "\r\n";
  }
  ASSERT_TRUE(files_.WhyMissing({name}));
  Write(name, characters + " ");
  ASSERT_EQ(files_.Verify(*FindKnownModel(name)).value(), ModelState::kThere);
  EXPECT_FALSE(files_.WhyMissing({name}));
  const auto first = files_.Open(name);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(files_.Open(name).value(), *first) << "it is not opened again";
  std::string others = characters + " ";
  others[0] = 'x';
  Write(name, others);
  EXPECT_TRUE(files_.WhyMissing({name}));
  std::filesystem::remove(files_.PathOf(name));
  EXPECT_EQ(files_.Open(name).error().kind(), ErrorKind::kNotFound);
}

}  // namespace
}  // namespace tintype::models
