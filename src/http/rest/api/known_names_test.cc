#include "http/rest/api/known_names.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "http/rest/protocol/reasons.h"

namespace tintype::http::rest {
namespace {

using contract::Fields;

Status ParametersOf(std::string_view operation, std::string_view target) {
  return CheckParameters(contract::OperationOf(operation), *ParseTarget(target));
}

Status FieldsOf(std::string_view operation, std::string_view body) {
  return CheckFields(contract::OperationOf(operation).json, *json::Parse(body, 10'000));
}

std::string Told(const Status& status, const Reason& reason) {
  return status.ok() ? "nothing" : status.error().Is(reason) ? status.error().message() : "another";
}

TEST(KnownNamesTest, RefusesParametersByName) {
  EXPECT_TRUE(ParametersOf("listImages", "/?limit=3&cursor=x").ok());
  EXPECT_EQ(Told(ParametersOf("listImages", "/?limt=3"), reasons::kUnknownParameter),
            "Unknown parameter 'limt'. Did you mean 'limit'?");
  EXPECT_EQ(Told(ParametersOf("listImages", "/?Limit=3"), reasons::kUnknownParameter),
            "Unknown parameter 'Limit'. Did you mean 'limit'?");
  EXPECT_EQ(Told(ParametersOf("uploadImage", "/?titel=x"), reasons::kUnknownParameter),
            "Unknown parameter 'titel'. Did you mean 'title'?");
  EXPECT_EQ(Told(ParametersOf("listImages", "/?offset=3"), reasons::kUnknownParameter),
            "Unknown parameter 'offset'.");
  EXPECT_TRUE(ParametersOf("listImages", "/?").ok());
  EXPECT_EQ(Told(ParametersOf("getMe", "/?limit=3"), reasons::kUnknownParameter),
            "Unknown parameter 'limit'.");
}

TEST(KnownNamesTest, ShowsAPartOfLongNames) {
  const std::string told =
      Told(ParametersOf("getMe", "/?" + std::string(500, 'x')), reasons::kUnknownParameter);
  EXPECT_EQ(told, "Unknown parameter '" + std::string(64, 'x') + "...'.");
}

TEST(KnownNamesTest, RefusesRepeatedParameters) {
  EXPECT_EQ(Told(ParametersOf("listImages", "/?limit=3&limit=3"), reasons::kRepeatedParameter),
            "The parameter 'limit' is given more than once.");
}

TEST(KnownNamesTest, RefusesFieldsByName) {
  EXPECT_TRUE(FieldsOf("changeImage", R"({"title": null, "tags": ["a", "b"]})").ok());
  EXPECT_EQ(Told(FieldsOf("changeImage", R"({"alttext": "x"})"), reasons::kUnknownField),
            "Unknown field 'alttext'. Did you mean 'altText'?");
  EXPECT_EQ(Told(FieldsOf("changeImage", R"({"rating": 5})"), reasons::kUnknownField),
            "Unknown field 'rating'.");
  EXPECT_EQ(
      Told(FieldsOf("changeImage", R"({"title": "a", "title": "b"})"), reasons::kRepeatedField),
      "The field 'title' is given more than once.");
}

TEST(KnownNamesTest, LooksIntoListsAndVariants) {
  const auto told = [](const std::string& operation) {
    return Told(FieldsOf("createJob", R"({"imageId": "1", "provider": "local", "operations": [
                             {"op": "auto_levels"}, )" +
                                          operation + "]}"),
                reasons::kUnknownField);
  };
  EXPECT_EQ(told(R"({"op": "rotate", "degrees": 90})"), "nothing");
  EXPECT_EQ(told(R"({"op": "rotate", "degree": 90})"),
            "Unknown field 'operations[1].degree'. Did you mean 'degrees'?");
  EXPECT_EQ(told(R"({"op": "auto_levels", "degrees": 90})"),
            "Unknown field 'operations[1].degrees'.");
  // Its reader says what is wrong with it.
  EXPECT_EQ(told(R"({"op": "unheard of", "x": 1})"), "nothing");
  EXPECT_EQ(told(R"({"op": 1, "x": 1})"), "nothing");
  EXPECT_EQ(told("1"), "nothing");
}

TEST(KnownNamesTest, TakesAnythingWhereTheContractDoes) {
  static constexpr std::array<Fields::Member, 1> kMembers = {{{"free", nullptr}}};
  static constexpr Fields kFields{Fields::Kind::kObject, kMembers, ""};
  EXPECT_TRUE(CheckFields(&kFields, *json::Parse(R"({"free": {"x": 1}})", 100)).ok());
  EXPECT_TRUE(CheckFields(&kFields, *json::Parse("[1]", 100)).ok());
  EXPECT_FALSE(CheckFields(&kFields, *json::Parse(R"({"x": 1})", 100)).ok());
}

TEST(KnownNamesTest, RefusesPartsOfForms) {
  const Fields& form = *contract::OperationOf("uploadImage").form;
  EXPECT_TRUE(CheckPart(form, "title").ok());
  EXPECT_EQ(Told(CheckPart(form, "Title"), reasons::kUnknownField),
            "Unknown field 'Title'. Did you mean 'title'?");
}

}  // namespace
}  // namespace tintype::http::rest
