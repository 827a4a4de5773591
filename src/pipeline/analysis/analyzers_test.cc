#include <gtest/gtest.h>

#include <set>

#include "pipeline/analysis/coco_labels.h"
#include "pipeline/analysis/label_analyzer.h"
#include "pipeline/analysis/moderation_analyzer.h"
#include "pipeline/analysis/text_analyzer.h"

// What analyzers write, in the shapes of Rekognition.

namespace tintype::pipeline {
namespace {

darkroom::FoundObject ObjectOf(int32_t kind, double confidence, double left) {
  return {kind, confidence, left, 0.25, 0.5, 0.125};
}

// Proves that COCO's 80 classes have names, each its own, and the numbers between them have none.
TEST(LabelsTest, NamesCocosClasses) {
  std::set<std::string_view> names;
  for (int32_t number = -1; number <= 91; ++number) {
    if (const CocoLabel* label = FindCocoLabel(number)) {
      EXPECT_TRUE(names.insert(label->name).second) << label->name;
      EXPECT_FALSE(names.contains(label->parent)) << label->parent << " is a class too";
    }
  }
  EXPECT_EQ(names.size(), 80U);
  EXPECT_EQ(FindCocoLabel(1)->name, "Person");
  EXPECT_EQ(FindCocoLabel(18)->name, "Dog");
  EXPECT_EQ(FindCocoLabel(90)->name, "Toothbrush");
  EXPECT_EQ(FindCocoLabel(12), nullptr);
}

// Proves that things of a class are instances of one label, and that what they are a kind of is a
// label too, as sure as the surest.
TEST(LabelsTest, GathersInstances) {
  EXPECT_EQ(
      DetectLabelsJson({ObjectOf(18, 0.75, 0.5), ObjectOf(1, 0.625, 0), ObjectOf(18, 0.5, 0)}),
      R"({"Labels":[{"Name":"Dog","Confidence":75,"Instances":[)"
      R"({"BoundingBox":{"Width":0.5,"Height":0.125,"Left":0.5,"Top":0.25},"Confidence":75},)"
      R"({"BoundingBox":{"Width":0.5,"Height":0.125,"Left":0,"Top":0.25},"Confidence":50}],)"
      R"("Parents":[{"Name":"Animal"}]},)"
      R"({"Name":"Animal","Confidence":75,"Instances":[],"Parents":[]},)"
      R"({"Name":"Person","Confidence":62.5,"Instances":[)"
      R"({"BoundingBox":{"Width":0.5,"Height":0.125,"Left":0,"Top":0.25},"Confidence":62.5}],)"
      R"("Parents":[]}],"LabelModelVersion":"COCO SSD MobileNet v2"})");
}

// Proves that what is seen in a video has its time, moment by moment.
TEST(LabelsTest, OfAVideoHaveTimes) {
  EXPECT_EQ(
      VideoLabelsJson({{0, {ObjectOf(18, 0.75, 0.5)}}, {1500, {}}, {2000, {ObjectOf(1, 0.5, 0)}}}),
      R"({"Labels":[{"Timestamp":0,"Label":{"Name":"Dog","Confidence":75,"Instances":[)"
      R"({"BoundingBox":{"Width":0.5,"Height":0.125,"Left":0.5,"Top":0.25},"Confidence":75}],)"
      R"("Parents":[{"Name":"Animal"}]}},)"
      R"({"Timestamp":0,"Label":{"Name":"Animal","Confidence":75,"Instances":[],"Parents":[]}},)"
      R"({"Timestamp":2000,"Label":{"Name":"Person","Confidence":50,"Instances":[)"
      R"({"BoundingBox":{"Width":0.5,"Height":0.125,"Left":0,"Top":0.25},"Confidence":50}],)"
      R"("Parents":[]}}],"LabelModelVersion":"COCO SSD MobileNet v2"})");
}

// Proves that a class which the model should not have is left out, and nothing is an answer too.
TEST(LabelsTest, LeavesOutUnknownClasses) {
  EXPECT_EQ(DetectLabelsJson({ObjectOf(12, 0.9, 0), ObjectOf(0, 0.9, 0)}), DetectLabelsJson({}));
}

// Proves that a picture for everybody has no label, and that others have those that are likelier
// than not, with what they are a kind of, the surest first.
TEST(ModerationTest, NamesWhatIsLikely) {
  constexpr std::string_view kVersion = R"("ModerationModelVersion":"nsfwjs 4.3.0 MobileNet v2"})";
  const auto labels = [&](const std::vector<double>& scores) {
    const std::string json = DetectModerationLabelsJson(scores);
    EXPECT_TRUE(json.ends_with(kVersion)) << json;
    return json.substr(0, json.size() - kVersion.size());
  };
  EXPECT_EQ(labels({0.25, 0.25, 0.25, 0.125, 0.125}), R"({"ModerationLabels":[],)");
  EXPECT_EQ(labels({0, 0, 0.25, 0, 0.75}),
            R"({"ModerationLabels":[)"
            R"({"Name":"Suggestive","ParentName":"","Confidence":75,"TaxonomyLevel":1}],)");
  EXPECT_EQ(labels({0.125, 0.625, 0, 0.25, 0}),
            R"({"ModerationLabels":[)"
            R"({"Name":"Explicit Nudity","ParentName":"","Confidence":87.5,"TaxonomyLevel":1},)"
            R"({"Name":"Illustrated Explicit Nudity","ParentName":"Explicit Nudity",)"
            R"("Confidence":62.5,"TaxonomyLevel":2}],)");
}

// Proves that a line is followed by its words, which lie in it from the left.
TEST(TextJsonTest, WordsFollowTheirLine) {
  darkroom::TextLine line;
  line.text = "Grüß dich";
  line.confidence = 0.5;
  line.corners = {{0.25, 0.25}, {0.75, 0.25}, {0.75, 0.5}, {0.25, 0.5}};
  line.words = {{0, 6, 0, 0.5}, {7, 11, 0.75, 1}};
  const std::string json = DetectTextJson({line}, {"latin"});
  EXPECT_NE(json.find(R"({"DetectedText":"Grüß dich","Type":"LINE","Id":0,"Confidence":50,)"
                      R"("Script":"latin","Geometry":{"BoundingBox":{"Width":0.5,"Height":0.25,)"
                      R"("Left":0.25,"Top":0.25})"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find(R"({"DetectedText":"Grüß","Type":"WORD","Id":1,"Confidence":50,)"
                      R"("ParentId":0,"Geometry":{"BoundingBox":{"Width":0.25,"Height":0.25,)"
                      R"("Left":0.25,"Top":0.25})"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find(R"({"DetectedText":"dich","Type":"WORD","Id":2,"Confidence":50,)"
                      R"("ParentId":0,"Geometry":{"BoundingBox":{"Width":0.125,"Height":0.25,)"
                      R"("Left":0.625,"Top":0.25})"),
            std::string::npos)
      << json;
}

// Proves that what is seen in a video has its time here too, and that a moment may have nothing.
TEST(ModerationJsonTest, OfAVideoHasTimes) {
  EXPECT_EQ(VideoModerationLabelsJson({{0, {0, 0, 1, 0, 0}}, {500, {0, 0, 0.25, 0, 0.75}}}),
            R"({"ModerationLabels":[{"Timestamp":500,"ModerationLabel":{"Name":"Suggestive",)"
            R"("ParentName":"","Confidence":75,"TaxonomyLevel":1}}],)"
            R"("ModerationModelVersion":"nsfwjs 4.3.0 MobileNet v2"})");
}

}  // namespace
}  // namespace tintype::pipeline
