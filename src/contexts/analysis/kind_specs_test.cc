#include "contexts/analysis/kind_specs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tintype::contexts::analysis {
namespace {

std::optional<std::string> Available(const std::string& /*name*/) { return std::nullopt; }

const KindResult& KindNamed(const std::vector<KindResult>& kinds, std::string_view name) {
  for (const KindResult& kind : kinds) {
    if (NameOf(kind) == name) {
      return kind;
    }
  }
  static const KindResult none;
  ADD_FAILURE() << "no kind " << name;
  return none;
}

// Proves that every kind is in every plan, once, and that those which the document has are there.
TEST(KindSpecsTest, PlanEveryKind) {
  for (const std::string_view type : {"image", "video", "audio", "document"}) {
    std::set<std::string> names;
    for (const KindResult& kind : PlanKinds(type, {}, Available)) {
      EXPECT_TRUE(names.insert(NameOf(kind)).second) << NameOf(kind);
    }
    for (const std::string name :
         {"rekognition.celeb", "rekognition.face", "rekognition.label", "transcribe",
          "comprehend.keyphrase", "comprehend.entity", "comprehend.sentiment"}) {
      EXPECT_TRUE(names.contains(name)) << name;
    }
  }
}

// Proves that a kind is skipped for each of the three reasons that there are, and for no other.
TEST(KindSpecsTest, SkipForTheReasonsOfTheErrata) {
  const auto no_labels = [](const std::string& name) -> std::optional<std::string> {
    return name == "rekognition.label" ? std::optional<std::string>("no model") : std::nullopt;
  };
  const auto kinds = PlanKinds("image", AiOptions::Parse("label,text").value(), no_labels);
  EXPECT_EQ(KindNamed(kinds, "rekognition.label").reason, "no model");
  EXPECT_NE(KindNamed(kinds, "rekognition.face").reason->find("aiOptions"), std::string::npos);
  EXPECT_NE(KindNamed(kinds, "transcribe").reason->find("The media type does not have it"),
            std::string::npos);
  EXPECT_EQ(KindNamed(kinds, "rekognition.text").status, MediaStatus::kNotStarted);
  EXPECT_FALSE(KindNamed(kinds, "rekognition.text").reason);
  for (const KindResult& kind : kinds) {
    EXPECT_EQ(kind.status == MediaStatus::kSkipped, kind.reason.has_value()) << NameOf(kind);
  }
}

// Proves that what belongs to developing cannot be turned off.
TEST(KindSpecsTest, PropertiesAreAlwaysFound) {
  const auto kinds = PlanKinds("image", AiOptions::Parse("none").value(), Available);
  EXPECT_EQ(KindNamed(kinds, kImageProperties).status, MediaStatus::kNotStarted);
}

// Proves that what is read of a text waits for the transcript, for as long as there may come one.
TEST(KindSpecsTest, ReadersWaitForWhatTheyRead) {
  std::vector<KindResult> kinds = PlanKinds("audio", {}, Available);
  const auto waiting = [&] {
    std::set<std::string> names;
    for (const KindResult& kind : kinds) {
      if (Waits(kind, kinds)) {
        names.insert(NameOf(kind));
      }
    }
    return names;
  };
  const std::set<std::string> readers = {"comprehend.entity", "comprehend.keyphrase",
                                         "comprehend.sentiment"};
  EXPECT_EQ(waiting(), readers);
  const auto transcribe =
      std::ranges::find(kinds, std::vector<std::string>{"transcribe"}, &KindResult::path);
  transcribe->status = MediaStatus::kInProgress;
  EXPECT_EQ(waiting(), readers);
  for (const MediaStatus end :
       {MediaStatus::kCompleted, MediaStatus::kError, MediaStatus::kSkipped}) {
    transcribe->status = end;
    EXPECT_TRUE(waiting().empty());
  }
  EXPECT_EQ(ReadersOf("transcribe", kinds).size(), 3U);
  EXPECT_TRUE(ReadersOf("rekognition.label", kinds).empty());
  kinds.erase(transcribe);
  EXPECT_TRUE(waiting().empty()) << "a record of somebody else's, without it";
}

// Proves that each option turns something off, so that none is a word without a meaning.
TEST(KindSpecsTest, EveryOptionMeansSomething) {
  std::set<std::string_view> used;
  for (const KindSpec& spec : KindSpecs()) {
    used.insert(spec.option);
  }
  for (const std::string_view option : kAiOptions) {
    EXPECT_TRUE(used.contains(option)) << option;
  }
}

}  // namespace
}  // namespace tintype::contexts::analysis
