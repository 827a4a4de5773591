#include "contexts/analysis/ai_options.h"

#include <gtest/gtest.h>

#include "contexts/common/item.h"

namespace tintype::contexts::analysis {
namespace {

// Proves that everything is wanted unless somebody says otherwise, and that a list turns all else
// off.
TEST(AiOptionsTest, AreEverythingUnlessNamed) {
  for (const std::string_view name : kAiOptions) {
    EXPECT_TRUE(AiOptions().Wants(name)) << name;
    EXPECT_FALSE(AiOptions::Parse("none").value().Wants(name)) << name;
  }
  const AiOptions some = AiOptions::Parse("face,label").value();
  for (const std::string_view name : kAiOptions) {
    EXPECT_EQ(some.Wants(name), name == "face" || name == "label") << name;
  }
}

// Proves that options come back from text and from records as they were.
TEST(AiOptionsTest, ComeBack) {
  for (const std::string_view text : {"all", "none", "face", "celeb,sentiment"}) {
    const AiOptions options = AiOptions::Parse(text).value();
    EXPECT_EQ(options.Text(), text);
    EXPECT_EQ(AiOptions::FromItem(options.ToItem().view()), options) << text;
  }
}

// Proves that a record from before, or one of another program, turns off only what it names.
TEST(AiOptionsTest, WantWhatRecordsDoNotName) {
  const tables::Item item = ItemBuilder().Bool("face", false).Text("label", "no").Build();
  const AiOptions options = AiOptions::FromItem(item.view());
  EXPECT_FALSE(options.Wants("face"));
  EXPECT_TRUE(options.Wants("label"));
  EXPECT_TRUE(options.Wants("celeb"));
}

// Proves that a list with anything unknown in it is refused as a whole, by the name of that.
TEST(AiOptionsTest, RefuseWhatIsUnknown) {
  for (const std::string_view text :
       {"", "faces", "face,", ",face", "face, label", "FACE", "all,face"}) {
    EXPECT_FALSE(AiOptions::Parse(text).ok()) << text;
  }
  const auto refused = AiOptions::Parse("face,smell");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message().find("'smell'"), std::string::npos);
  EXPECT_NE(refused.error().message().find("transcribe"), std::string::npos);
}

}  // namespace
}  // namespace tintype::contexts::analysis
