#include "pipeline/edit_operations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <variant>

#include "base/strings.h"

namespace tintype::pipeline {
namespace {

// Proves that every operation is read with its numbers, in order.
TEST(EditOperationsTest, ReadsEveryOperation) {
  const auto operations = ParseEditOperations(
      R"([{"op":"rotate","degrees":270},{"op":"crop","left":1,"top":2,"width":3,"height":4},)"
      R"({"op":"auto_levels"},{"op":"black_and_white","more":"is ignored"}])");
  ASSERT_TRUE(operations.ok()) << operations.error().message();
  ASSERT_EQ(operations->size(), 4U);
  EXPECT_EQ(std::get<darkroom::Rotate>((*operations)[0]).degrees, 270);
  const auto& crop = std::get<darkroom::Crop>((*operations)[1]);
  EXPECT_EQ(crop.left, 1);
  EXPECT_EQ(crop.top, 2);
  EXPECT_EQ(crop.width, 3);
  EXPECT_EQ(crop.height, 4);
  EXPECT_TRUE(std::holds_alternative<darkroom::AutoLevels>((*operations)[2]));
  EXPECT_TRUE(std::holds_alternative<darkroom::BlackAndWhite>((*operations)[3]));
}

// Proves that operations are written as they are read, without whatever else was there.
TEST(EditOperationsTest, WritesWhatItReads) {
  const std::string json =
      R"([{"op":"rotate","degrees":270},{"op":"crop","left":1,"top":2,"width":3,"height":4},)"
      R"({"op":"auto_levels"},{"op":"black_and_white"}])";
  EXPECT_EQ(FormatEditOperations(*ParseEditOperations(json)), json);
  EXPECT_EQ(FormatEditOperations(*ParseEditOperations(R"([ {"more":1, "op":"auto_levels"} ])")),
            R"([{"op":"auto_levels"}])");
}

// Proves that what makes no sense is refused with a word on it.
TEST(EditOperationsTest, RefusesWhatMakesNoSense) {
  std::string many = "[";
  for (size_t i = 0; i <= darkroom::kEditOperationsMax; ++i) {
    StrAppend(many, i == 0 ? "" : ",", R"({"op":"auto_levels"})");
  }
  many += "]";
  const struct {
    std::string json;
    std::string word;
  } cases[] = {
      {"", "JSON"},
      {"{}", "operations"},
      {"[]", "operations"},
      {many, "operations"},
      {"[1]", "op"},
      {R"([{"op":1}])", "op"},
      {R"([{"op":"fold"}])", "rotate"},
      {R"([{"op":"rotate"}])", "degrees"},
      {R"([{"op":"rotate","degrees":45}])", "degrees"},
      {R"([{"op":"rotate","degrees":"90"}])", "degrees"},
      {R"([{"op":"rotate","degrees":90.5}])", "degrees"},
      {R"([{"op":"crop","left":0,"top":0,"width":1}])", "height"},
      {R"([{"op":"crop","left":-1,"top":0,"width":1,"height":1}])", "left"},
      {R"([{"op":"crop","left":0,"top":0,"width":0,"height":1}])", "pixel"},
      {R"([{"op":"crop","left":0,"top":0,"width":99999999999,"height":1}])", "width"},
      {std::string(20'000, ' '), "longer"},
  };
  for (const auto& test : cases) {
    const auto operations = ParseEditOperations(test.json);
    ASSERT_FALSE(operations.ok()) << test.json;
    EXPECT_EQ(operations.error().kind(), ErrorKind::kValidation);
    EXPECT_THAT(operations.error().message(), testing::HasSubstr(test.word));
  }
}

}  // namespace
}  // namespace tintype::pipeline
