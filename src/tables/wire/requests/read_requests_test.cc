#include <string>
#include <utility>

#include "base/strings.h"
#include "tables/wire/internal/testing.h"

// Query and Scan.
namespace tintype::tables::wire {
namespace {

using testing::ExpectErrors;

// Query and Scan differ in the words of the same fault; both are DynamoDB's.
TEST(ReadRequestsTest, RefusesBadOptions) {
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"Query", R"({"TableName": "abc"})",
           "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
           "request."},
          {"Query", R"({"TableName": "abc", "Limit": 0})",
           "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member "
           "must "
           "have value greater than or equal to 1"},
          {"Scan", R"({"TableName": "abc", "Limit": 0})",
           "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member "
           "must have value greater than or equal to 1"},
          {"Query", R"({"TableName": "abc", "Select": "X"})",
           "1 validation error detected: Value 'X' at 'select' failed to satisfy constraint: "
           "Member "
           "must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, "
           "ALL_PROJECTED_ATTRIBUTES]"},
          {"Scan", R"({"TableName": "abc", "IndexName": "a"})",
           "1 validation error detected: Value 'a' at 'indexName' failed to satisfy constraint: "
           "Member must have length greater than or equal to 3"},
          {"Scan", R"({"TableName": "abc", "Segment": 0})",
           "The TotalSegments parameter is required but was not present in the request when "
           "Segment "
           "parameter is present"},
          {"Scan", R"({"TableName": "abc", "TotalSegments": 4})",
           "The Segment parameter is required but was not present in the request when parameter "
           "TotalSegments is present"},
          {"Scan", R"({"TableName": "abc", "Segment": 5, "TotalSegments": 5})",
           "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
           "Segment: 5 is not less than TotalSegments: 5"},
          {"Scan", R"({"TableName": "abc", "Segment": -1, "TotalSegments": 1000001})",
           "2 validation errors detected: Value '1000001' at 'totalSegments' failed to satisfy "
           "constraint: Member must have value less than or equal to 1000000; Value '-1' at "
           "'segment' failed to satisfy constraint: Member must have value greater than or equal "
           "to "
           "0"},
          {"Scan", R"({"TableName": "abc", "ExclusiveStartKey": {"a": {}}})",
           "The provided starting key is invalid: Supplied AttributeValue is empty, must contain "
           "exactly one of the supported datatypes"},
      });
}

// Faults of numbers and repeated members are told as they are, all others as faults of the key.
TEST(ReadRequestsTest, NamesTheStartingKeyInMostOfItsFaults) {
  const std::string invalid = "One or more parameter values were invalid: ";
  const std::string announced = "The provided starting key is invalid: ";
  const std::pair<const char*, std::string> faults[] = {
      {R"({"N": "x"})", "The parameter cannot be converted to a numeric value: x"},
      {R"({"N": "1e126"})",
       "Number overflow. Attempting to store a number with magnitude larger than supported range"},
      {R"({"NS": []})", invalid + "An number set  may not be empty"},
      {R"({"NS": ["1", "1.0"]})", "Input collection contains duplicates"},
      {R"({"SS": ["a", "a"]})", invalid + "Input collection [a, a] contains duplicates."},
      {R"({"SS": []})", announced + invalid + "An string set  may not be empty"},
      {R"({"NULL": false})",
       announced + invalid + "Null attribute value types must have the value of true"},
      // It is not the words that count.
      {R"({"M": {"": {"S": "number set contains duplicates"}}})",
       announced + invalid + "Empty attribute name"},
  };
  for (const auto& [value, message] : faults) {
    const std::string body =
        StrCat(R"({"TableName": "abc", "ExclusiveStartKey": {"a": )", value, "}}");
    ExpectErrors(ErrorKind::kValidation, {{"Query", body, message}, {"Scan", body, message}});
  }
}

// Select has to agree with the projection and the index.
TEST(ReadRequestsTest, ChecksSelect) {
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"Scan", R"({"TableName": "abc", "Select": "SPECIFIC_ATTRIBUTES"})",
           "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
           "SPECIFIC_ATTRIBUTES"},
          {"Query",
           R"({"TableName": "abc", "Select": "SPECIFIC_ATTRIBUTES",
               "KeyConditionExpression": "a = :v"})",
           "1 validation error detected: Must specify the AttributesToGet or ProjectionExpression "
           "when choosing to get SPECIFIC_ATTRIBUTES"},
          {"Scan", R"({"TableName": "abc", "Select": "ALL_PROJECTED_ATTRIBUTES"})",
           "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"},
          {"Scan", R"({"TableName": "abc", "Select": "COUNT", "ProjectionExpression": "a"})",
           "Cannot specify the ProjectionExpression when choosing to get only the Count"},
          {"Scan", R"({"TableName": "abc", "Select": "ALL_ATTRIBUTES", "AttributesToGet": ["a"]})",
           "Cannot specify the AttributesToGet when choosing to get ALL_ATTRIBUTES"},
      });
}

// Legacy and expressions do not mix, except that KeyConditions get along with a projection.
TEST(ReadRequestsTest, KeepsExpressionsAndLegacyApart) {
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"Query",
           R"({"TableName": "abc", "KeyConditions": {}, "KeyConditionExpression": "a = :v"})",
           "Can not use both expression and non-expression parameters in the same request: "
           "Non-expression parameters: {KeyConditions} Expression parameters: "
           "{KeyConditionExpression}"},
          {"Query",
           R"({"TableName": "abc", "QueryFilter": {}, "ConditionalOperator": "AND",
               "AttributesToGet": ["a"], "FilterExpression": "a", "ProjectionExpression": "a"})",
           "Can not use both expression and non-expression parameters in the same request: "
           "Non-expression parameters: {AttributesToGet, QueryFilter, ConditionalOperator} "
           "Expression parameters: {ProjectionExpression, FilterExpression}"},
          {"Scan", R"({"TableName": "abc", "ScanFilter": {}, "FilterExpression": "a"})",
           "Can not use both expression and non-expression parameters in the same request: "
           "Non-expression parameters: {ScanFilter} Expression parameters: {FilterExpression}"},
          {"Query",
           R"({"TableName": "abc", "ProjectionExpression": "a",
               "ExpressionAttributeValues": {":v": {"S": "x"}}})",
           "ExpressionAttributeValues can only be specified when using expressions: "
           "FilterExpression and KeyConditionExpression are null"},
      });
  const auto mixed = DecodeQuery(
      R"({"TableName": "abc", "ProjectionExpression": "a",
          "KeyConditions": {"a": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "x"}]}}})");
  ASSERT_TRUE(mixed.ok()) << mixed.error().message();
  EXPECT_EQ(mixed->key_condition.terms.size(), 1u);
  EXPECT_TRUE(mixed->options.projection.has_value());
}

// All parameters of a read arrive in the request.
TEST(ReadRequestsTest, Decodes) {
  const auto query = DecodeQuery(
      R"({"TableName": "abc", "IndexName": "idx", "KeyConditionExpression": "a = :a AND b > :b",
          "FilterExpression": "c = :c", "ProjectionExpression": "c, #d",
          "ExpressionAttributeNames": {"#d": "d"},
          "ExpressionAttributeValues": {":a": {"S": "x"}, ":b": {"N": "1"}, ":c": {"BOOL": true}},
          "ScanIndexForward": false, "Limit": 10, "Select": "SPECIFIC_ATTRIBUTES",
          "ExclusiveStartKey": {"a": {"S": "x"}}, "ConsistentRead": true,
          "ReturnConsumedCapacity": "TOTAL"})");
  ASSERT_TRUE(query.ok()) << query.error().message();
  EXPECT_EQ(query->options.index, "idx");
  EXPECT_EQ(query->key_condition.terms.size(), 2u);
  EXPECT_FALSE(query->forward);
  EXPECT_EQ(query->options.limit, 10);
  EXPECT_EQ(query->options.select, Select::kSpecificAttributes);
  EXPECT_EQ(query->options.exclusive_start_key, Item::Of({{"a", Value::String("x")}}));
  EXPECT_TRUE(query->options.consistent_read);
  EXPECT_TRUE(query->options.filter.has_value());
  EXPECT_EQ(query->options.projection->paths().size(), 2u);
  EXPECT_EQ(query->options.return_capacity, ReturnCapacity::kTotal);

  const auto scan = DecodeScan(
      R"({"TableName": "abc", "Segment": 1, "TotalSegments": 3, "Limit": 2.9, "Select": "COUNT"})");
  ASSERT_TRUE(scan.ok()) << scan.error().message();
  ASSERT_TRUE(scan->segment.has_value());
  EXPECT_EQ(scan->segment->number, 1);
  EXPECT_EQ(scan->segment->total, 3);
  EXPECT_EQ(scan->options.limit, 2);
  EXPECT_EQ(scan->options.select, Select::kCount);
  EXPECT_FALSE(scan->options.filter.has_value());

  const auto plain = DecodeScan(R"({"TableName": "abc"})");
  ASSERT_TRUE(plain.ok());
  EXPECT_FALSE(plain->segment.has_value());
  EXPECT_FALSE(plain->options.select.has_value());
}

}  // namespace
}  // namespace tintype::tables::wire
