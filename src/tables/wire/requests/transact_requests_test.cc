#include "tables/wire/internal/testing.h"

// TransactGetItems and TransactWriteItems.
namespace tintype::tables::wire {
namespace {

using testing::ExpectErrors;

std::string Repeat(const std::string& element, int count) {
  std::string list;
  for (int i = 0; i < count; ++i) {
    list += (i == 0 ? "" : ",") + element;
  }
  return R"({"TransactItems": [)" + list + "]}";
}

// One to a hundred actions, each exactly one of the four, each with its own constraints.
TEST(TransactRequestsTest, RefusesMalformedTransactions) {
  const std::string put = R"({"Put": {"TableName": "abc", "Item": {}}})";
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"TransactWriteItems", R"({"TransactItems": []})",
           "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy "
           "constraint: "
           "Member must have length greater than or equal to 1"},
          {"TransactGetItems", R"({"TransactItems": []})",
           "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy "
           "constraint: "
           "Member must have length greater than or equal to 1"},
          {"TransactWriteItems", R"({"TransactItems": [{}]})",
           "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"},
          {"TransactWriteItems",
           R"({"TransactItems": [{"Put": {"TableName": "abc", "Item": {}},
                                  "Delete": {"TableName": "abc", "Key": {}}}]})",
           "TransactItems can only contain one of Check, Put, Update or Delete"},
          {"TransactWriteItems", R"({"TransactItems": [{"Put": {"TableName": "", "Item": {}}}]})",
           "1 validation error detected: Value '' at 'transactItems.1.member.put.tableName' failed "
           "to satisfy constraint: Member must have length greater than or equal to 1"},
          {"TransactWriteItems",
           R"({"TransactItems": [{"ConditionCheck": {"TableName": "abc", "Key": {}}}]})",
           "1 validation error detected: Value null at "
           "'transactItems.1.member.conditionCheck.conditionExpression' failed to satisfy "
           "constraint: Member must not be null"},
          {"TransactWriteItems",
           R"({"TransactItems": [{"Update": {"TableName": "abc", "Key": {}}}]})",
           "1 validation error detected: Value null at "
           "'transactItems.1.member.update.updateExpression' failed to satisfy constraint: Member "
           "must not be null"},
          {"TransactGetItems", R"({"TransactItems": [{}]})",
           "1 validation error detected: Value null at 'transactItems.1.member.get' failed to "
           "satisfy constraint: Member must not be null"},
          {"TransactWriteItems", R"({"ClientRequestToken": "", "TransactItems": [)" + put + "]}",
           "1 validation error detected: Value '' at 'clientRequestToken' failed to satisfy "
           "constraint: Member must have length greater than or equal to 1"},
          {"TransactWriteItems",
           R"({"ClientRequestToken": "0123456789012345678901234567890123456", "TransactItems": [)" +
               put + "]}",
           "1 validation error detected: Value '0123456789012345678901234567890123456' at "
           "'clientRequestToken' failed to satisfy constraint: Member must have length less than "
           "or "
           "equal to 36"},
          {"TransactGetItems",
           R"({"TransactItems": [{"Get": {"TableName": "abc", "Key": {},
               "ProjectionExpression": ""}}]})",
           "Invalid ProjectionExpression: The expression can not be empty;"},
          {"TransactGetItems",
           R"({"TransactItems": [{"Get": {"TableName": "abc", "Key": {},
               "ExpressionAttributeNames": {"#a": "b"}}}]})",
           "ExpressionAttributeNames can only be specified when using expressions"},
          {"TransactWriteItems",
           R"({"TransactItems": [{"Put": {"TableName": "abc", "Item": {"a": {"S": ")" +
               std::string(409600, 'x') + R"("}}}}]})",
           "Item size has exceeded the maximum allowed size"},
      });
  for (const auto& [operation, element] :
       {std::pair{"TransactWriteItems", put},
        std::pair{"TransactGetItems",
                  std::string(R"({"Get": {"TableName": "abc", "Key": {}}})")}}) {
    EXPECT_TRUE(testing::Decode(operation, Repeat(element, 100)).ok());
    const Status status = testing::Decode(operation, Repeat(element, 101));
    ASSERT_FALSE(status.ok());
    EXPECT_THAT(status.error().message(),
                ::testing::MatchesRegex(
                    "1 validation error detected: Value '\\[.+\\]' at 'transactItems' failed to "
                    "satisfy constraint: Member must have length less than or equal to 100"));
  }
}

// Every kind of action arrives as what it is.
TEST(TransactRequestsTest, DecodesActions) {
  const auto request = DecodeTransactWriteItems(
      R"json({"ClientRequestToken": "token", "ReturnConsumedCapacity": "TOTAL",
          "ReturnItemCollectionMetrics": "SIZE", "TransactItems": [
            {"Put": {"TableName": "one", "Item": {"a": {"S": "x"}},
                     "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
                     "ConditionExpression": "attribute_not_exists(a)"}},
            {"Delete": {"TableName": "two", "Key": {"a": {"S": "x"}}}},
            {"Update": {"TableName": "arn:aws:dynamodb:r:1:table/three", "Key": {"a": {"S": "x"}},
                        "UpdateExpression": "SET b = :v",
                        "ExpressionAttributeValues": {":v": {"N": "1"}}}},
            {"ConditionCheck": {"TableName": "four", "Key": {"a": {"S": "x"}},
                                "ConditionExpression": "attribute_exists(a)"}}]})json");
  ASSERT_TRUE(request.ok()) << request.error().message();
  EXPECT_EQ(request->client_token, "token");
  EXPECT_EQ(request->return_capacity, ReturnCapacity::kTotal);
  EXPECT_TRUE(request->return_collection_metrics);
  ASSERT_EQ(request->actions.size(), 4u);
  EXPECT_TRUE(std::holds_alternative<TransactWriteItemsRequest::Put>(request->actions[0].what));
  EXPECT_TRUE(request->actions[0].condition.has_value());
  EXPECT_TRUE(request->actions[0].return_old_on_condition_failure);
  EXPECT_TRUE(std::holds_alternative<TransactWriteItemsRequest::Delete>(request->actions[1].what));
  EXPECT_FALSE(request->actions[1].condition.has_value());
  EXPECT_EQ(request->actions[2].table, "three");
  EXPECT_EQ(std::get<TransactWriteItemsRequest::UpdateAction>(request->actions[2].what)
                .update.sets.size(),
            1u);
  EXPECT_TRUE(std::holds_alternative<TransactWriteItemsRequest::Check>(request->actions[3].what));

  const auto gets = DecodeTransactGetItems(
      R"({"TransactItems": [{"Get": {"TableName": "abc", "Key": {"a": {"S": "x"}},
          "ProjectionExpression": "b"}}]})");
  ASSERT_TRUE(gets.ok());
  ASSERT_EQ(gets->gets.size(), 1u);
  EXPECT_TRUE(gets->gets[0].projection.has_value());
}

// Two requests have the same digest exactly if their actions mean the same.
TEST(TransactRequestsTest, DigestsParameters) {
  const auto digest = [](std::string_view body) {
    const auto request = DecodeTransactWriteItems(body);
    EXPECT_TRUE(request.ok()) << body;
    return request.ok() ? request->parameters_digest : "";
  };
  const std::string base = digest(
      R"({"TransactItems": [{"Update": {"TableName": "abc", "Key": {"a": {"N": "1"}, "b": {"S": "x"}},
          "UpdateExpression": "SET #c = :v", "ExpressionAttributeNames": {"#c": "c"},
          "ExpressionAttributeValues": {":v": {"N": "1"}}}}]})");
  EXPECT_EQ(base.size(), 32u);
  EXPECT_EQ(base, digest(
                      R"({"ClientRequestToken": "t", "TransactItems": [{"Update": {
          "ExpressionAttributeValues": {":v": {"N": "1.0"}},
          "UpdateExpression": "SET #c = :v", "ExpressionAttributeNames": {"#c": "c"},
          "Key": {"b": {"S": "x"}, "a": {"N": "1.0"}}, "TableName": "abc"}}]})"));
  for (
      const std::string_view other : {
          R"({"TransactItems": [{"Update": {"TableName": "abd", "Key": {"a": {"N": "1"}, "b": {"S": "x"}},
               "UpdateExpression": "SET #c = :v", "ExpressionAttributeNames": {"#c": "c"},
               "ExpressionAttributeValues": {":v": {"N": "1"}}}}]})",
          R"({"TransactItems": [{"Update": {"TableName": "abc", "Key": {"a": {"N": "2"}, "b": {"S": "x"}},
               "UpdateExpression": "SET #c = :v", "ExpressionAttributeNames": {"#c": "c"},
               "ExpressionAttributeValues": {":v": {"N": "1"}}}}]})",
          R"({"TransactItems": [{"Update": {"TableName": "abc", "Key": {"a": {"N": "1"}, "b": {"S": "x"}},
               "UpdateExpression": "SET #c = :v", "ExpressionAttributeNames": {"#c": "d"},
               "ExpressionAttributeValues": {":v": {"N": "1"}}}}]})",
          R"({"TransactItems": [{"Update": {"TableName": "abc", "Key": {"a": {"N": "1"}, "b": {"S": "x"}},
               "UpdateExpression": "SET #c = :v", "ExpressionAttributeNames": {"#c": "c"},
               "ExpressionAttributeValues": {":v": {"N": "2"}}}}]})",
          R"json({"TransactItems": [{"Update": {"TableName": "abc", "Key": {"a": {"N": "1"}, "b": {"S": "x"}},
               "UpdateExpression": "SET #c = :v", "ExpressionAttributeNames": {"#c": "c"},
               "ConditionExpression": "attribute_exists(a)",
               "ExpressionAttributeValues": {":v": {"N": "1"}}}}]})json",
      }) {
    EXPECT_NE(base, digest(other)) << other;
  }
}

}  // namespace
}  // namespace tintype::tables::wire
