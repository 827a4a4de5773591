#include <gtest/gtest.h>

#include <set>

#include "pipeline/analysis/coco_labels.h"
#include "pipeline/analysis/label_analyzer.h"
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

// Proves that a class which the model should not have is left out, and nothing is an answer too.
TEST(LabelsTest, LeavesOutUnknownClasses) {
  EXPECT_EQ(DetectLabelsJson({ObjectOf(12, 0.9, 0), ObjectOf(0, 0.9, 0)}), DetectLabelsJson({}));
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

}  // namespace
}  // namespace tintype::pipeline
