#include "tables/wire/internal/testing.h"

// The legacy parameters, translated.
namespace tintype::tables::wire {
namespace {

using testing::ExpectErrors;

std::string Put(const std::string& expected) {
  return R"({"TableName": "abc", "Item": {}, "Expected": )" + expected + "}";
}

std::string Scan(const std::string& entry) {
  return R"({"TableName": "abc", "ScanFilter": {"a": )" + entry + "}}";
}

// Every operator means what its expression means. A row's last two columns are a value of `a` that
// matches and one that does not.
TEST(LegacyTest, TranslatesOperators) {
  const Value two = Value::Integer(2);
  const Value text = Value::String("hello");
  struct {
    std::string entry;
    std::optional<Value> match;
    std::optional<Value> mismatch;
  } const rows[] = {
      {R"({"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "2"}]})", two,
       Value::Integer(3)},
      {R"({"ComparisonOperator": "NE", "AttributeValueList": [{"N": "2"}]})", std::nullopt, two},
      {R"({"ComparisonOperator": "LT", "AttributeValueList": [{"N": "3"}]})", two,
       Value::Integer(3)},
      {R"({"ComparisonOperator": "LE", "AttributeValueList": [{"N": "2"}]})", two,
       Value::Integer(3)},
      {R"({"ComparisonOperator": "GT", "AttributeValueList": [{"N": "1"}]})", two,
       Value::Integer(1)},
      {R"({"ComparisonOperator": "GE", "AttributeValueList": [{"N": "2"}]})", two,
       Value::Integer(1)},
      {R"({"ComparisonOperator": "NULL"})", std::nullopt, two},
      {R"({"ComparisonOperator": "NOT_NULL"})", two, std::nullopt},
      {R"({"ComparisonOperator": "CONTAINS", "AttributeValueList": [{"S": "ell"}]})", text, two},
      {R"({"ComparisonOperator": "NOT_CONTAINS", "AttributeValueList": [{"S": "xyz"}]})", text,
       std::nullopt},
      {R"({"ComparisonOperator": "NOT_CONTAINS", "AttributeValueList": [{"S": "xyz"}]})", text,
       Value::String("wxyz")},
      {R"({"ComparisonOperator": "BEGINS_WITH", "AttributeValueList": [{"S": "he"}]})", text,
       Value::String("she")},
      {R"({"ComparisonOperator": "IN", "AttributeValueList": [{"N": "1"}, {"N": "2"}]})", two,
       Value::Integer(3)},
      {R"({"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"N": "1"}, {"N": "2"}]})", two,
       Value::Integer(3)},
  };
  const auto item = [](const std::optional<Value>& value) {
    return value ? Item::Of({{"a", *value}}) : Item();
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.entry);
    const auto scan = DecodeScan(Scan(row.entry));
    ASSERT_TRUE(scan.ok()) << scan.error().message();
    ASSERT_TRUE(scan->options.filter.has_value());
    EXPECT_TRUE(scan->options.filter->Holds(item(row.match).view()));
    EXPECT_FALSE(scan->options.filter->Holds(item(row.mismatch).view()));

    const auto put = DecodePutItem(Put(R"({"a": )" + row.entry + "}"));
    ASSERT_TRUE(put.ok()) << put.error().message();
    EXPECT_TRUE(put->options.condition->Holds(item(row.match).view()));
    EXPECT_FALSE(put->options.condition->Holds(item(row.mismatch).view()));
  }
}

// Expected's oldest form: a value to be equal to, or the absence of one.
TEST(LegacyTest, TranslatesExpectedValues) {
  for (const std::string entry :
       {R"({"Value": {"N": "2"}})", R"({"Value": {"N": "2"}, "Exists": true})"}) {
    const auto put = DecodePutItem(Put(R"({"a": )" + entry + "}"));
    ASSERT_TRUE(put.ok());
    EXPECT_TRUE(put->options.condition->Holds(Item::Of({{"a", Value::Integer(2)}}).view()));
    EXPECT_FALSE(put->options.condition->Holds(Item::Of({{"a", Value::Integer(3)}}).view()));
    EXPECT_FALSE(put->options.condition->Holds(Item().view()));
  }
  const auto absent = DecodePutItem(Put(R"({"a": {"Exists": false}})"));
  ASSERT_TRUE(absent.ok());
  EXPECT_TRUE(absent->options.condition->Holds(Item().view()));
  EXPECT_FALSE(absent->options.condition->Holds(Item::Of({{"a", Value::Integer(2)}}).view()));

  const auto none = DecodePutItem(Put("{}"));
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->options.condition.has_value());
}

// Conditions are joined by AND unless OR is asked for.
TEST(LegacyTest, JoinsConditions) {
  const std::string both = R"({"a": {"Value": {"N": "1"}}, "b": {"Value": {"N": "1"}}})";
  const Item only_a = Item::Of({{"a", Value::Integer(1)}});
  for (const auto& [op, holds] :
       {std::pair{"", false}, std::pair{R"(, "ConditionalOperator": "AND")", false},
        std::pair{R"(, "ConditionalOperator": "OR")", true}}) {
    const auto put =
        DecodePutItem(R"({"TableName": "abc", "Item": {}, "Expected": )" + both + op + "}");
    ASSERT_TRUE(put.ok()) << put.error().message();
    EXPECT_EQ(put->options.condition->Holds(only_a.view()), holds) << op;
  }
}

// Each rule about Expected has its own message.
TEST(LegacyTest, RefusesBadExpectations) {
  const std::string prefix =
      "1 validation error detected: One or more parameter values were invalid: ";
  struct {
    std::string entry;
    std::string message;
  } const rows[] = {
      {R"({"Value": {"S": "x"}, "AttributeValueList": [{"S": "x"}]})",
       prefix + "Value and AttributeValueList cannot be used together for Attribute: a"},
      {R"({"ComparisonOperator": "EQ", "Exists": true, "Value": {"S": "x"}})",
       prefix + "Exists and ComparisonOperator cannot be used together for Attribute: a"},
      {R"({"ComparisonOperator": "EQ"})",
       prefix +
           "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a"},
      {R"({"AttributeValueList": [{"S": "x"}]})",
       prefix + "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
      {R"({})", prefix + "Value must be provided when Exists is null for Attribute: a"},
      {R"({"Exists": true})",
       prefix + "Value must be provided when Exists is true for Attribute: a"},
      {R"({"Exists": false, "Value": {"S": "x"}})",
       prefix + "Value cannot be used when Exists is false for Attribute: a"},
      {R"({"Value": {"N": "x"}})",
       "1 validation error detected: The parameter cannot be converted to a numeric value: x"},
      {R"({"ComparisonOperator": "NULL", "Value": {"S": "x"}})",
       prefix + "Invalid number of argument(s) for the NULL ComparisonOperator"},
      {R"({"ComparisonOperator": "IN", "AttributeValueList": []})",
       prefix + "Invalid number of argument(s) for the IN ComparisonOperator"},
  };
  for (const auto& row : rows) {
    ExpectErrors(ErrorKind::kValidation,
                 {{"PutItem", Put(R"({"a": )" + row.entry + "}"), row.message}});
  }
  ExpectErrors(
      ErrorKind::kValidation,
      {{"PutItem", R"({"TableName": "abc", "Item": {}, "ConditionalOperator": "AND"})",
        "1 validation error detected: ConditionalOperator cannot be used without Filter or "
        "Expected"},
       {"Scan",
        R"({"TableName": "abc", "ConditionalOperator": "AND",
            "ScanFilter": {"a": {"ComparisonOperator": "NULL"}}})",
        "ConditionalOperator can only be used when Filter or Expected has two or more elements"}});
}

// Operators bound the number and the types of their arguments.
TEST(LegacyTest, ChecksArguments) {
  const std::string prefix = "One or more parameter values were invalid: ";
  struct {
    std::string entry;
    std::string message;
  } const rows[] = {
      {R"({"ComparisonOperator": "EQ"})",
       prefix + "Invalid number of argument(s) for the EQ ComparisonOperator"},
      {R"({"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"N": "1"}]})",
       prefix + "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
      {R"({"ComparisonOperator": "IN", "AttributeValueList": [{"N": "1"}, {"S": "1"}]})",
       prefix + "AttributeValues inside AttributeValueList must be of same type"},
      {R"({"ComparisonOperator": "LT", "AttributeValueList": [{"SS": ["a"]}]})",
       prefix + "ComparisonOperator LT is not valid for SS AttributeValue type"},
      {R"({"ComparisonOperator": "BEGINS_WITH", "AttributeValueList": [{"N": "1"}]})",
       prefix + "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"},
      {R"({"ComparisonOperator": "CONTAINS", "AttributeValueList": [{"BOOL": true}]})",
       prefix + "ComparisonOperator CONTAINS is not valid for BOOL AttributeValue type"},
      {R"({"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"N": "10"}, {"N": "9"}]})",
       "The BETWEEN condition was provided a range where the lower bound is greater than the upper "
       "bound"},
      {R"({"ComparisonOperator": "EQ", "AttributeValueList": [{"SS": []}]})",
       prefix + "An string set  may not be empty"},
      {R"({"AttributeValueList": []})",
       "1 validation error detected: Value null at 'scanFilter.a.member.comparisonOperator' failed "
       "to satisfy constraint: Member must not be null"},
  };
  for (const auto& row : rows) {
    ExpectErrors(ErrorKind::kValidation, {{"Scan", Scan(row.entry), row.message}});
  }
  EXPECT_TRUE(testing::Decode("Scan", Scan(R"({"ComparisonOperator": "EQ",
                                       "AttributeValueList": [{"M": {"b": {"L": []}}}]})"))
                  .ok());
}

// KeyConditions: one or two conditions, of the kinds that an index can serve.
TEST(LegacyTest, TranslatesKeyConditions) {
  const auto query = DecodeQuery(
      R"({"TableName": "abc", "KeyConditions": {
            "a": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "x"}]},
            "b": {"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"N": "1"}, {"N": "2"}]}}})");
  ASSERT_TRUE(query.ok()) << query.error().message();
  ASSERT_EQ(query->key_condition.terms.size(), 2u);
  EXPECT_EQ(query->key_condition.terms[0].attribute, "a");
  EXPECT_EQ(query->key_condition.terms[0].op, KeyCondition::Operator::kEqual);
  EXPECT_EQ(query->key_condition.terms[1].op, KeyCondition::Operator::kBetween);
  EXPECT_EQ(query->key_condition.terms[1].values,
            (std::vector<Value>{Value::Integer(1), Value::Integer(2)}));

  const std::string eq = R"({"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "x"}]})";
  ExpectErrors(
      ErrorKind::kValidation,
      {{"Query", R"({"TableName": "abc", "KeyConditions": {}})",
        "Conditions can be of length 1 or 2 only"},
       {"Query",
        R"({"TableName": "abc", "KeyConditions": {"a": )" + eq + R"(, "b": )" + eq + R"(, "c": )" +
            eq + "}}",
        "Conditions can be of length 1 or 2 only"},
       {"Query",
        R"({"TableName": "abc", "KeyConditions": {"a": {"ComparisonOperator": "NOT_NULL"}}})",
        "Attempted conditional constraint is not an indexable operation"}});
}

// AttributeUpdates become the same as update expressions.
TEST(LegacyTest, TranslatesAttributeUpdates) {
  const auto update = DecodeUpdateItem(
      R"({"TableName": "abc", "Key": {"pk": {"S": "k"}}, "AttributeUpdates": {
            "put": {"Action": "PUT", "Value": {"S": "x"}}, "default": {"Value": {"N": "1"}},
            "remove": {"Action": "DELETE"},
            "less": {"Action": "DELETE", "Value": {"SS": ["a"]}},
            "more": {"Action": "ADD", "Value": {"N": "5"}}}})");
  ASSERT_TRUE(update.ok()) << update.error().message();
  const Item key = Item::Of({{"pk", Value::String("k")}});
  const Item old_item = Item::Of({{"pk", Value::String("k")},
                                  {"remove", Value::Null()},
                                  {"less", *Value::Set(Type::kStringSet, {"a", "b"})},
                                  {"more", Value::Integer(10)}});
  const auto new_item = update->update.Apply(old_item.view(), key.view());
  ASSERT_TRUE(new_item.ok()) << new_item.error().message();
  EXPECT_EQ(*new_item, Item::Of({{"pk", Value::String("k")},
                                 {"put", Value::String("x")},
                                 {"default", Value::Integer(1)},
                                 {"less", *Value::Set(Type::kStringSet, {"b"})},
                                 {"more", Value::Integer(15)}}));

  const auto request = [](const std::string& entry) {
    return R"({"TableName": "abc", "Key": {}, "AttributeUpdates": {"a": )" + entry + "}}";
  };
  ExpectErrors(
      ErrorKind::kValidation,
      {{"UpdateItem", request(R"({"Action": "PUT"})"),
        "1 validation error detected: One or more parameter values were invalid: Only DELETE "
        "action is allowed when no "
        "attribute "
        "value is specified"},
       {"UpdateItem", request(R"({"Action": "DELETE", "Value": {"S": "x"}})"),
        "1 validation error detected: One or more parameter values were invalid: DELETE action "
        "with value is not supported for "
        "the type S"},
       {"UpdateItem", request(R"({"Action": "ADD", "Value": {"S": "x"}})"),
        "1 validation error detected: One or more parameter values were invalid: ADD action is not "
        "supported for the type S"},
       {"UpdateItem", request(R"({"Value": {}})"),
        "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"}});
}

}  // namespace
}  // namespace tintype::tables::wire
