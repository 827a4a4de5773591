#include "tables/wire/internal/testing.h"

// Single items and batches: what their parameters become, and what is refused.
namespace tintype::tables::wire {
namespace {

using testing::ExpectAccepted;
using testing::ExpectErrors;

// Expressions and the legacy parameters that they replaced do not mix, and placeholders need an
// expression.
TEST(ItemRequestsTest, KeepsExpressionsAndLegacyApart) {
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"GetItem",
           R"({"TableName": "abc", "Key": {}, "AttributesToGet": ["a"],
               "ProjectionExpression": "a"})",
           "Can not use both expression and non-expression parameters in the same request: "
           "Non-expression parameters: {AttributesToGet} Expression parameters: "
           "{ProjectionExpression}"},
          {"PutItem",
           R"json({"TableName": "abc", "Item": {}, "Expected": {"a": {"Exists": false}},
               "ConditionExpression": "attribute_not_exists(a)"})json",
           "1 validation error detected: Can not use both expression and non-expression parameters "
           "in the same request: "
           "Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}"},
          {"UpdateItem",
           R"({"TableName": "abc", "Key": {}, "AttributeUpdates": {}, "Expected": {},
               "UpdateExpression": "", "ConditionExpression": ""})",
           "1 validation error detected: Can not use both expression and non-expression parameters "
           "in the same request: "
           "Non-expression parameters: {AttributeUpdates, Expected} Expression parameters: "
           "{UpdateExpression, ConditionExpression}"},
          {"GetItem", R"({"TableName": "abc", "Key": {}, "ExpressionAttributeNames": {}})",
           "ExpressionAttributeNames can only be specified when using expressions"},
          {"PutItem",
           R"({"TableName": "abc", "Item": {}, "ExpressionAttributeValues": {":v": {"S": "x"}}})",
           "1 validation error detected: ExpressionAttributeValues can only be specified when "
           "using expressions"},
          {"UpdateItem",
           R"({"TableName": "abc", "Key": {}, "ExpressionAttributeValues": {":v": {"S": "x"}}})",
           "1 validation error detected: ExpressionAttributeValues can only be specified when "
           "using expressions: "
           "UpdateExpression and ConditionExpression are null"},
          {"BatchGetItem",
           R"({"RequestItems": {"abc": {"Keys": [{}], "AttributesToGet": ["a"],
               "ProjectionExpression": "a"}}})",
           "Can not use both expression and non-expression parameters in the same request: "
           "Non-expression parameters: {AttributesToGet} Expression parameters: "
           "{ProjectionExpression}"},
      });
}

// Values come before placeholders, placeholders before expressions, unused ones last.
TEST(ItemRequestsTest, ChecksInOrder) {
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"PutItem",
           R"({"TableName": "abc", "Item": {"a": {}}, "ReturnValues": "ALL_NEW",
               "ConditionExpression": "", "ExpressionAttributeNames": {}})",
           "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
          {"PutItem",
           R"({"TableName": "abc", "Item": {}, "ReturnValues": "ALL_NEW",
               "ConditionExpression": "", "ExpressionAttributeNames": {}})",
           "1 validation error detected: ReturnValues can only be ALL_OLD or NONE"},
          {"DeleteItem", R"({"TableName": "abc", "Key": {}, "ReturnValues": "UPDATED_OLD"})",
           "1 validation error detected: ReturnValues can only be ALL_OLD or NONE"},
          {"PutItem",
           R"({"TableName": "abc", "Item": {}, "ConditionExpression": "",
               "ExpressionAttributeNames": {}, "ExpressionAttributeValues": {}})",
           "1 validation error detected: ExpressionAttributeNames must not be empty"},
          {"PutItem",
           R"({"TableName": "abc", "Item": {}, "ConditionExpression": "",
               "ExpressionAttributeValues": {}})",
           "1 validation error detected: ExpressionAttributeValues must not be empty"},
          {"PutItem",
           R"({"TableName": "abc", "Item": {}, "ConditionExpression": "",
               "ExpressionAttributeValues": {":v": {"N": "x"}}})",
           "1 validation error detected: The parameter cannot be converted to a numeric value: x"},
          {"PutItem", R"({"TableName": "abc", "Item": {}, "ConditionExpression": ""})",
           "1 validation error detected: Invalid ConditionExpression: The expression can not be "
           "empty;"},
          {"UpdateItem",
           R"({"TableName": "abc", "Key": {}, "UpdateExpression": "", "ConditionExpression": ""})",
           "1 validation error detected: Invalid UpdateExpression: The expression can not be "
           "empty;"},
          {"UpdateItem",
           R"({"TableName": "abc", "Key": {}, "UpdateExpression": "SET a = :v",
               "ExpressionAttributeValues": {":v": {"S": "x"}, ":u": {"S": "x"}},
               "ExpressionAttributeNames": {"#n": "x"}})",
           "1 validation error detected: Value provided in ExpressionAttributeNames unused in "
           "expressions: keys: {#n}"},
          {"UpdateItem",
           R"({"TableName": "abc", "Key": {}, "UpdateExpression": "SET a = :v",
               "ExpressionAttributeValues": {":v": {"S": "x"}, ":u": {"S": "x"}}})",
           "1 validation error detected: Value provided in ExpressionAttributeValues unused in "
           "expressions: keys: {:u}"},
          {"GetItem", R"({"TableName": "abc", "Key": {"a": {}}, "AttributesToGet": ["a", "a"]})",
           "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
          {"GetItem", R"({"TableName": "abc", "Key": {}, "AttributesToGet": ["a", "b", "a"]})",
           "One or more parameter values were invalid: Duplicate value in attribute name: a"},
      });
}

// All parameters of a write arrive in the request.
TEST(ItemRequestsTest, DecodesWrites) {
  const auto put = DecodePutItem(
      R"({"TableName": "abc", "Item": {"pk": {"S": "x"}}, "ReturnValues": "ALL_OLD",
          "ReturnConsumedCapacity": "INDEXES", "ReturnItemCollectionMetrics": "SIZE",
          "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
          "ConditionExpression": "#a = :v", "ExpressionAttributeNames": {"#a": "size"},
          "ExpressionAttributeValues": {":v": {"N": "1"}}})");
  ASSERT_TRUE(put.ok()) << put.error().message();
  EXPECT_EQ(put->table, "abc");
  EXPECT_EQ(put->item, Item::Of({{"pk", Value::String("x")}}));
  EXPECT_EQ(put->options.return_values, ReturnValues::kAllOld);
  EXPECT_EQ(put->options.return_capacity, ReturnCapacity::kIndexes);
  EXPECT_TRUE(put->options.return_collection_metrics);
  EXPECT_TRUE(put->options.return_old_on_condition_failure);
  ASSERT_TRUE(put->options.condition.has_value());
  EXPECT_TRUE(put->options.condition->Holds(Item::Of({{"size", Value::Integer(1)}}).view()));
  EXPECT_FALSE(put->options.condition->Holds(Item::Of({{"size", Value::Integer(2)}}).view()));

  const auto update = DecodeUpdateItem(
      R"json({"TableName": "abc", "Key": {"pk": {"S": "x"}}, "ReturnValues": "UPDATED_NEW",
          "UpdateExpression": "SET a = :v REMOVE b", "ConditionExpression": "attribute_exists(pk)",
          "ExpressionAttributeValues": {":v": {"N": "1"}}, "ReturnConsumedCapacity": "TOTAL"})json");
  ASSERT_TRUE(update.ok()) << update.error().message();
  EXPECT_EQ(update->key, Item::Of({{"pk", Value::String("x")}}));
  EXPECT_EQ(update->update.sets.size(), 1u);
  EXPECT_EQ(update->update.removes.size(), 1u);
  EXPECT_TRUE(update->options.condition.has_value());
  EXPECT_EQ(update->options.return_values, ReturnValues::kUpdatedNew);
  EXPECT_EQ(update->options.return_capacity, ReturnCapacity::kTotal);
  EXPECT_FALSE(update->options.return_collection_metrics);

  const auto touch = DecodeUpdateItem(R"({"TableName": "abc", "Key": {"pk": {"S": "x"}}})");
  ASSERT_TRUE(touch.ok());
  EXPECT_TRUE(touch->update.empty());

  const auto erase = DecodeDeleteItem(
      R"({"TableName": "abc", "Key": {"pk": {"S": "x"}}, "ReturnValues": "ALL_OLD"})");
  ASSERT_TRUE(erase.ok());
  EXPECT_EQ(erase->options.return_values, ReturnValues::kAllOld);
  EXPECT_FALSE(erase->options.condition.has_value());
}

// A projection comes from an expression or from AttributesToGet.
TEST(ItemRequestsTest, DecodesGets) {
  const auto get = DecodeGetItem(
      R"({"TableName": "abc", "Key": {"pk": {"S": "x"}}, "ConsistentRead": true,
          "ProjectionExpression": "#a.b, c[1]", "ExpressionAttributeNames": {"#a": "x"}})");
  ASSERT_TRUE(get.ok()) << get.error().message();
  EXPECT_TRUE(get->consistent_read);
  ASSERT_TRUE(get->projection.has_value());
  EXPECT_EQ(get->projection->paths().size(), 2u);

  const auto legacy =
      DecodeGetItem(R"({"TableName": "abc", "Key": {}, "AttributesToGet": ["a.b", "c"]})");
  ASSERT_TRUE(legacy.ok());
  EXPECT_FALSE(legacy->consistent_read);
  EXPECT_EQ(legacy->projection->paths(),
            (std::vector<Path>{Path::Attribute("a.b"), Path::Attribute("c")}));
}

// Batches are bounded per table and in all; each write is one action.
TEST(BatchRequestsTest, ChecksLimits) {
  const auto writes = [](int count) {
    std::string list;
    for (int i = 0; i < count; ++i) {
      list += std::string(i == 0 ? "" : ",") + R"({"DeleteRequest": {"Key": {}}})";
    }
    return "[" + list + "]";
  };
  const auto keys = [](int count) {
    std::string list;
    for (int i = 0; i < count; ++i) {
      list += i == 0 ? "{}" : ", {}";
    }
    return R"({"Keys": [)" + list + "]}";
  };
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"BatchGetItem", R"({})",
           "1 validation error detected: Value null at 'requestItems' failed to satisfy "
           "constraint: "
           "Member must not be null"},
          {"BatchGetItem", R"({"RequestItems": {}})",
           "The requestItems parameter is required for BatchGetItem"},
          {"BatchWriteItem", R"({"RequestItems": {}})",
           "The requestItems parameter is required for BatchWriteItem"},
          {"BatchGetItem", R"({"RequestItems": {"abc": )" + keys(101) + "}}",
           "1 validation error detected: Value at 'RequestItems.abc.member.Keys' failed to satisfy "
           "constraint: Member must have length less than or equal to 100"},
          {"BatchGetItem",
           R"({"RequestItems": {"abc": )" + keys(60) + R"(, "abd": )" + keys(41) + "}}",
           "Too many items requested for the BatchGetItem call"},
          {"BatchWriteItem",
           R"({"RequestItems": {"abc": )" + writes(20) + R"(, "abd": )" + writes(6) + "}}",
           "Too many items requested for the BatchWriteItem call"},
          {"BatchWriteItem", R"({"RequestItems": {"abc": []}})",
           "1 validation error detected: Value '{abc=[]}' at 'requestItems' failed to satisfy "
           "constraint: Map value must satisfy constraint: [Member must have length less than or "
           "equal to 25, Member must have length greater than or equal to 1]"},
          {"BatchWriteItem", R"({"RequestItems": {"a!": [{"DeleteRequest": {"Key": {}}}]}})",
           "1 validation error detected: Value "
           "'{a!=[WriteRequest(deleteRequest=DeleteRequest(key={}))]}' at 'requestItems' failed to "
           "satisfy constraint: Map keys must satisfy constraint: [Member must have length less "
           "than "
           "or equal to 255, Member must have length greater than or equal to 1, Member must "
           "satisfy "
           "regular expression pattern: [a-zA-Z0-9_.-]+]"},
          {"BatchWriteItem", R"({"RequestItems": {"abc": [{}]}})",
           "Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
           "the "
           "supported datatypes"},
          {"BatchWriteItem",
           R"({"RequestItems": {"abc": [{"PutRequest": {"Item": {}},
               "DeleteRequest": {"Key": {}}}]}})",
           "Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
           "the "
           "supported datatypes"},
          {"BatchWriteItem", R"({"RequestItems": {"abc": [{"PutRequest": {}}]}})",
           "1 validation error detected: Value null at "
           "'requestItems.abc.member.1.member.putRequest.item' failed to satisfy constraint: "
           "Member "
           "must not be null"},
          {"BatchWriteItem",
           R"({"RequestItems": {"abc": [{"PutRequest": {"Item": {"a": {"S": ")" +
               std::string(409600, 'x') + R"("}}}}]}})",
           "Item size has exceeded the maximum allowed size"},
      });
  const Status too_many =
      testing::Decode("BatchWriteItem", R"({"RequestItems": {"abc": )" + writes(26) + "}}");
  ASSERT_FALSE(too_many.ok());
  EXPECT_THAT(
      too_many.error().message(),
      ::testing::MatchesRegex(
          "1 validation error detected: Value '\\{abc=\\[.+\\]\\}' at 'requestItems' failed "
          "to satisfy constraint: Map value must satisfy constraint: \\[Member must have "
          "length less than or equal to 25, Member must have length greater than or equal to "
          "1\\]"));
  ExpectAccepted({{"BatchWriteItem", R"({"RequestItems": {"abc": )" + writes(25) + "}}", ""},
                  {"BatchGetItem", R"({"RequestItems": {"abc": )" + keys(100) + "}}", ""}});
}

// Tables keep their order; tables may be named by ARN.
TEST(BatchRequestsTest, Decodes) {
  const auto get = DecodeBatchGetItem(
      R"({"RequestItems": {
            "arn:aws:dynamodb:r:1:table/two": {"Keys": [{"a": {"S": "x"}}, {"a": {"S": "y"}}],
               "ConsistentRead": true, "ProjectionExpression": "#a",
               "ExpressionAttributeNames": {"#a": "a"}},
            "one": {"Keys": [{"a": {"S": "z"}}], "ProjectionExpression": "b"}},
          "ReturnConsumedCapacity": "TOTAL"})");
  ASSERT_TRUE(get.ok()) << get.error().message();
  ASSERT_EQ(get->tables.size(), 2u);
  EXPECT_EQ(get->tables[0].table, "arn:aws:dynamodb:r:1:table/two");
  EXPECT_EQ(get->tables[0].keys.size(), 2u);
  EXPECT_TRUE(get->tables[0].consistent_read);
  EXPECT_TRUE(get->tables[0].projection.has_value());
  EXPECT_FALSE(get->tables[1].consistent_read);
  EXPECT_EQ(get->tables[1].projection->paths()[0], Path::Attribute("b"));
  EXPECT_EQ(get->return_capacity, ReturnCapacity::kTotal);

  const auto write = DecodeBatchWriteItem(
      R"({"RequestItems": {"one": [{"PutRequest": {"Item": {"a": {"S": "x"}}}},
                                   {"DeleteRequest": {"Key": {"a": {"S": "y"}}}}]},
          "ReturnItemCollectionMetrics": "SIZE"})");
  ASSERT_TRUE(write.ok()) << write.error().message();
  ASSERT_EQ(write->tables.size(), 1u);
  ASSERT_EQ(write->tables[0].actions.size(), 2u);
  EXPECT_EQ(std::get<BatchWriteItemRequest::Put>(write->tables[0].actions[0]).item,
            Item::Of({{"a", Value::String("x")}}));
  EXPECT_EQ(std::get<BatchWriteItemRequest::Delete>(write->tables[0].actions[1]).key,
            Item::Of({{"a", Value::String("y")}}));
  EXPECT_TRUE(write->return_collection_metrics);
}

}  // namespace
}  // namespace tintype::tables::wire
