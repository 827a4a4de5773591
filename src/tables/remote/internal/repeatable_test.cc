#include "tables/remote/internal/repeatable.h"

#include <gtest/gtest.h>

#include "tables/wire/codec.h"

namespace tintype::tables::remote::internal {
namespace {

bool UpdateIsRepeatable(const std::string& members) {
  const auto request =
      wire::DecodeUpdateItem(R"({"TableName":"abc","Key":{"pk":{"S":"x"}},)" + members + "}");
  EXPECT_TRUE(request.ok()) << members << ": " << request.error().message();
  return IsRepeatable(*request);
}

// An update may be repeated exactly when the second time changes nothing and answers the same.
TEST(RepeatableTest, TellsWhichUpdatesMayBeRepeated) {
  constexpr char kValue[] = R"(,"ExpressionAttributeValues":{":v":{"N":"1"}})";
  constexpr char kSet[] = R"(,"ExpressionAttributeValues":{":v":{"SS":["x"]}})";
  constexpr char kList[] = R"(,"ExpressionAttributeValues":{":v":{"L":[]}})";
  const struct {
    std::string expression;
    const char* values;
    bool repeatable;
  } rows[] = {
      {"SET a = :v, b.c = :v", kValue, true},
      {"REMOVE a, b.c", "", true},
      {"ADD a :v", kSet, true},
      {"DELETE a :v", kSet, true},
      {"SET a = if_not_exists(a, :v)", kValue, true},
      {"SET a = if_not_exists(b, :v)", kValue, false},
      {"SET a = b", "", false},
      {"SET a = a + :v", kValue, false},
      {"SET a = :v - a", kValue, false},
      {"SET a = list_append(a, :v)", kList, false},
      {"SET a = if_not_exists(a, :v) + :v", kValue, false},
      {"ADD a :v", kValue, false},
      // Beyond the end of a list, this appends.
      {"SET a[3] = :v", kValue, false},
      {"SET a[3].b = :v", kValue, false},
      {"REMOVE a[0]", "", false},
      {"SET a = :v ADD b :v", kValue, false},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(UpdateIsRepeatable("\"UpdateExpression\":\"" + row.expression + "\"" + row.values),
              row.repeatable)
        << row.expression;
  }
  EXPECT_FALSE(
      UpdateIsRepeatable(R"("AttributeUpdates":{"a":{"Action":"ADD","Value":{"L":[{"S":"x"}]}}})"));
}

// Conditions may be false the second time, and old values are gone.
TEST(RepeatableTest, LooksAtTheOptionsOfWrites) {
  constexpr char kUpdate[] =
      R"("UpdateExpression":"SET a = :v","ExpressionAttributeValues":{":v":{"N":"1"}})";
  const std::pair<std::string, bool> rows[] = {
      {R"("ReturnValues":"ALL_NEW")", true},
      {R"("ReturnValues":"UPDATED_NEW")", true},
      {R"("ReturnValues":"ALL_OLD")", false},
      {R"("ReturnValues":"UPDATED_OLD")", false},
      {R"j("ConditionExpression":"attribute_exists(a)")j", false},
  };
  for (const auto& [option, repeatable] : rows) {
    EXPECT_EQ(UpdateIsRepeatable(option + "," + kUpdate), repeatable) << option;
  }
  PutItemRequest put;
  EXPECT_TRUE(IsRepeatable(put));
  put.options.condition.emplace();
  EXPECT_FALSE(IsRepeatable(put));
  DeleteItemRequest erase;
  EXPECT_TRUE(IsRepeatable(erase));
  erase.options.return_values = ReturnValues::kAllOld;
  EXPECT_FALSE(IsRepeatable(erase));
}

TEST(RepeatableTest, KnowsTheOtherOperations) {
  EXPECT_TRUE(IsRepeatable(GetItemRequest()));
  EXPECT_TRUE(IsRepeatable(BatchWriteItemRequest()));
  EXPECT_TRUE(IsRepeatable(TransactWriteItemsRequest()));
  EXPECT_TRUE(IsRepeatable(TagResourceRequest()));
  EXPECT_TRUE(IsRepeatable(PutResourcePolicyRequest()));
  PutResourcePolicyRequest expecting;
  expecting.expected_revision_id = "1";
  EXPECT_FALSE(IsRepeatable(expecting));
  EXPECT_TRUE(IsRepeatable(GetResourcePolicyRequest()));
  EXPECT_FALSE(IsRepeatable(DeleteResourcePolicyRequest()));
  EXPECT_FALSE(IsRepeatable(CreateTableRequest()));
  EXPECT_FALSE(IsRepeatable(UpdateTableRequest()));
  EXPECT_FALSE(IsRepeatable(DeleteTableRequest()));
}

}  // namespace
}  // namespace tintype::tables::remote::internal
