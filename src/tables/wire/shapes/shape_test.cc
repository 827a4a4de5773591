#include "tables/language/errors.h"
#include "tables/wire/internal/testing.h"

// JSON, types and the constraints of the model, on the way in.
namespace tintype::tables::wire {
namespace {

using testing::ExpectAccepted;
using testing::ExpectErrors;

constexpr char kParameterized[] =
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class "
    "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "
    "java.lang.Class are in module java.base of loader 'bootstrap')";

// Anything that is not one JSON object in valid UTF-8 is refused without a message.
TEST(ShapeTest, RefusesWhatIsNotJson) {
  ExpectErrors(tables::reasons::kSerialization,
               {
                   {"GetItem", "", ""},
                   {"GetItem", "{", ""},
                   {"GetItem", "[]", ""},
                   {"GetItem", "\"x\"", ""},
                   {"GetItem", "{} {}", ""},
                   {"GetItem", "{\"TableName\": \"a\xFF\"}", ""},
                   {"GetItem", "{\"TableName\": \"a\\ud800\"}", ""},
                   {"GetItem", std::string(3000, '['), ""},
               });
}

// A wrong JSON type is a SerializationException that says what was found.
TEST(ShapeTest, NamesWrongTypes) {
  ExpectErrors(
      tables::reasons::kSerialization,
      {
          {"GetItem", R"({"TableName": 1})", "NUMBER_VALUE cannot be converted to String"},
          {"GetItem", R"({"TableName": 1.5})", "DECIMAL_VALUE cannot be converted to String"},
          {"GetItem", R"({"TableName": 1.0})", "NUMBER_VALUE cannot be converted to String"},
          {"GetItem", R"({"TableName": true})", "TRUE_VALUE cannot be converted to String"},
          {"GetItem", R"({"TableName": false})", "FALSE_VALUE cannot be converted to String"},
          {"GetItem", R"({"TableName": []})",
           "Unrecognized collection type class java.lang.String"},
          {"GetItem", R"({"TableName": {}})", "Start of structure or map found where not expected"},
          {"GetItem", R"({"ConsistentRead": "maybe"})", "Unexpected token received from parser"},
          {"GetItem", R"({"ConsistentRead": 1})", "NUMBER_VALUE cannot be converted to Boolean"},
          {"GetItem", R"({"ConsistentRead": []})",
           "Unrecognized collection type class java.lang.Boolean"},
          {"GetItem", R"({"Key": "x"})", "Unexpected field type"},
          {"GetItem", R"({"Key": []})",
           "Unrecognized collection type java.util.Map<java.lang.String, "
           "com.amazonaws.dynamodb.v20120810.AttributeValue>"},
          {"GetItem", R"({"Key": {"a": "x"}})", "Unexpected value type in payload"},
          {"GetItem", R"({"Key": {"a": []}})",
           "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"},
          {"GetItem", R"({"Key": {"a": {"N": 5}}})", "NUMBER_VALUE cannot be converted to String"},
          {"GetItem", R"({"Key": {"a": {"B": 5}}})",
           "only base-64-encoded strings are convertible to bytes"},
          {"GetItem", R"({"Key": {"a": {"B": []}}})",
           "Unrecognized collection type class java.nio.ByteBuffer"},
          {"GetItem", R"({"Key": {"a": {"SS": "x"}}})", "Unexpected field type"},
          {"GetItem", R"({"Key": {"a": {"L": [1]}}})", "Unexpected value type in payload"},
          {"GetItem", R"({"AttributesToGet": {}})",
           "Start of structure or map found where not expected"},
          {"GetItem", R"({"ExpressionAttributeNames": []})",
           "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>"},
          {"PutItem", R"({"Expected": {"a": {"Value": "x"}}})", "Unexpected field type"},
          {"BatchGetItem", R"({"RequestItems": {"abc": {"Keys": ["x"]}}})", kParameterized},
          {"BatchWriteItem", R"({"RequestItems": {"abc": "x"}})", kParameterized},
          {"BatchWriteItem", R"({"RequestItems": []})",
           "Unrecognized collection type java.util.Map<java.lang.String, "
           "java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>>"},
          {"Scan", R"({"Limit": "1"})", "STRING_VALUE cannot be converted to Integer"},
          {"CreateTable", R"({"ProvisionedThroughput": {"ReadCapacityUnits": true}})",
           "TRUE_VALUE cannot be converted to Long"},
      });
}

// Binary values must be canonical base64.
TEST(ShapeTest, RefusesBadBase64) {
  ExpectErrors(tables::reasons::kSerialization,
               {
                   {"GetItem", R"({"Key": {"a": {"B": "abc"}}})",
                    "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
                   {"GetItem", R"({"Key": {"a": {"B": "YWJ="}}})",
                    "Invalid last non-pad Base64 character dectected"},
                   {"GetItem", R"({"Key": {"a": {"BS": ["YR=="]}}})",
                    "Invalid last non-pad Base64 character dectected"},
                   {"GetItem", R"({"Key": {"a": {"B": "ab!d"}}})", "Invalid Base64 character: '!'"},
               });
}

// The types come before everything else that is wrong with a request.
TEST(ShapeTest, ReportsTypesBeforeConstraints) {
  ExpectErrors(tables::reasons::kSerialization,
               {{"PutItem", R"({"TableName": "", "ReturnValues": "x", "Item": {"a": {"N": 1}}})",
                 "NUMBER_VALUE cannot be converted to String"}});
}

// A bad table name is reported alone; the control plane has words of its own for a missing one.
TEST(ShapeTest, ChecksTheTableNameFirst) {
  const std::string long_name(256, 'a');
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"PutItem", R"({"Item": {}, "ReturnValues": "x"})",
           "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: "
           "Member must not be null"},
          {"PutItem", R"({"TableName": null, "Item": {}})",
           "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: "
           "Member must not be null"},
          {"PutItem", R"({"TableName": "", "Item": {}, "ReturnValues": "x"})",
           "1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: "
           "Member must have length greater than or equal to 1"},
          {"PutItem", R"({"TableName": ")" + long_name + R"(", "Item": {}})",
           "1 validation error detected: Value '" + long_name +
               "' at 'tableName' failed to satisfy constraint: Member must have length less than "
               "or "
               "equal to 255"},
          {"PutItem", R"({"TableName": "bad table!@#", "Item": {}})",
           "1 validation error detected: Value 'bad table!@#' at 'tableName' failed to satisfy "
           "constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
          {"PutItem", R"({"TableName": "arn:aws:s3:::bucket", "Item": {}})",
           "1 validation error detected: Value 'arn:aws:s3:::bucket' at 'tableName' failed to "
           "satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
          {"CreateTable", R"({})",
           "The parameter 'TableName' is required but was not present in the request"},
          {"DescribeTable", R"({})",
           "The parameter 'TableName' is required but was not present in the request"},
          {"CreateTable", R"({"TableName": "ab", "KeySchema": []})",
           "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: "
           "Member must have length greater than or equal to 3"},
      });
  ExpectAccepted({{"DescribeTable", R"({"TableName": "ab"})", ""}});
}

// Constraints are gathered into one message, at most ten of them, with the path to each.
TEST(ShapeTest, GathersConstraints) {
  std::string many = R"({"TableName": "abc", "KeySchema": [], "AttributeDefinitions": [)";
  for (int i = 0; i < 20; ++i) {
    many += std::string(i == 0 ? "" : ",") + R"({"AttributeName": "a", "AttributeType": "X"})";
  }
  many += "]}";
  const Status status = testing::Decode("CreateTable", many);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message(), ::testing::StartsWith("10 validation errors detected: "));
  EXPECT_THAT(status.error().message(),
              ::testing::HasSubstr("'attributeDefinitions.10.member.attributeType'"));

  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"PutItem",
           R"({"TableName": "abc", "Item": {}, "ReturnConsumedCapacity": "A",
               "ReturnItemCollectionMetrics": "B", "ReturnValues": "C"})",
           "3 validation errors detected: Value 'A' at 'returnConsumedCapacity' failed to satisfy "
           "constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value 'C' at "
           "'returnValues' failed to satisfy constraint: Member must satisfy enum value set: "
           "[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]; Value 'B' at "
           "'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum "
           "value set: [SIZE, NONE]"},
          {"PutItem", R"({"TableName": "abc"})",
           "1 validation error detected: Value null at 'item' failed to satisfy constraint: Member "
           "must not be null"},
          {"GetItem", R"({"TableName": "abc", "Key": {}, "AttributesToGet": []})",
           "1 validation error detected: Value '[]' at 'attributesToGet' failed to satisfy "
           "constraint: Member must have length greater than or equal to 1"},
          {"GetItem", R"({"TableName": "abc", "Key": {}, "AttributesToGet": [null]})",
           "1 validation error detected: Value null at 'attributesToGet.1.member' failed to "
           "satisfy "
           "constraint: Member must not be null"},
          {"PutItem",
           R"({"TableName": "abc", "Item": {}, "Expected": {"a": {"ComparisonOperator": "X"}}})",
           "1 validation error detected: Value 'X' at 'expected.a.member.comparisonOperator' "
           "failed "
           "to satisfy constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, "
           "NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]"},
          {"DeleteItem",
           R"({"TableName": "abc", "Key": {}, "ReturnValuesOnConditionCheckFailure": "ALL_NEW"})",
           "1 validation error detected: Value 'ALL_NEW' at 'returnValuesOnConditionCheckFailure' "
           "failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, NONE]"},
          {"UpdateItem",
           R"({"TableName": "abc", "Key": {}, "AttributeUpdates": {"a": {"Action": "X"}}})",
           "1 validation error detected: Value 'X' at 'attributeUpdates.a.member.action' failed to "
           "satisfy constraint: Member must satisfy enum value set: [ADD, PUT, DELETE]"},
      });
}

// Members that the model does not know are ignored, whatever they hold; null is absent; booleans
// may come as words; a table may be named by its ARN.
TEST(ShapeTest, IsAsLenientAsDynamoDb) {
  ExpectAccepted({
      {"GetItem",
       R"({"TableName": "abc", "Key": {"a": {"S": "x"}}, "Whatever": [1, {}], "ConsistentRead": "YES",
           "ReturnConsumedCapacity": null})",
       ""},
      {"GetItem",
       R"({"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/abc", "Key": {}})", ""},
  });
  const auto request = DecodeGetItem(
      R"({"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/abc", "Key": {},
          "ConsistentRead": "yes"})");
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request->table, "abc");
  EXPECT_TRUE(request->consistent_read);
}

}  // namespace
}  // namespace tintype::tables::wire
