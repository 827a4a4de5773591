#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "access/policy/internal/test_policy.h"
#include "base/strings.h"
#include "base/time_text.h"

namespace tintype::access {
namespace {

using internal::Allows;
using internal::Denies;

PolicyContext WithSelect(std::string_view select) {
  PolicyContext context;
  context.select = select;
  return context;
}

PolicyContext WithAddress(std::string_view address) {
  PolicyContext context;
  context.source_ip = address;
  return context;
}

PolicyContext At(std::string_view time) {
  PolicyContext context;
  context.now_ms = ParseTimeText(time).value();
  return context;
}

/// A context with these leading keys, which it keeps.
struct WithKeys {
  explicit WithKeys(std::vector<std::string_view> keys) : texts(std::move(keys)) {
    context.leading_keys = texts;
  }
  std::vector<std::string_view> texts;
  PolicyContext context;
};

std::string On(std::string_view name, std::string_view key, std::string_view values) {
  return StrCat("{\"", name, "\":{\"", key, "\":", values, "}}");
}

std::string OnKeys(std::string_view name, std::string_view values) {
  return On(name, "dynamodb:LeadingKeys", values);
}

struct Case {
  std::string_view name;
  std::string_view key;
  std::string_view values;
  PolicyContext holds;
  PolicyContext fails;
};

// Proves of every operator that a condition with it lets Allow and Deny apply when it holds, and
// neither when it does not.
TEST(ConditionTest, EveryOperatorHoldsAndFails) {
  const WithKeys seven({"7"});
  const WithKeys nine({"9"});
  const WithKeys binary({"AQID"});
  PolicyContext secure;
  secure.secure_transport = true;
  PolicyContext plain;
  plain.secure_transport = false;
  PolicyContext ada;
  ada.principal_arn = "arn:aws:iam::000000000000:user/ada";
  PolicyContext bob;
  bob.principal_arn = "arn:aws:iam::000000000000:user/bob";
  constexpr std::string_view kUser = R"("arn:aws:iam::*:user/a?a")";
  const PolicyContext count = WithSelect("COUNT");
  const PolicyContext all = WithSelect("ALL_ATTRIBUTES");
  const PolicyContext inside = WithAddress("203.0.113.7");
  const PolicyContext outside = WithAddress("203.0.114.7");
  const PolicyContext noon = At("2026-02-28T12:00:00.000Z");
  const PolicyContext later = At("2026-02-28T12:00:00.001Z");
  const PolicyContext earlier = At("2026-02-28T11:59:59.999Z");
  constexpr std::string_view kSelect = "dynamodb:Select";
  constexpr std::string_view kKeys = "dynamodb:LeadingKeys";
  constexpr std::string_view kTime = "aws:CurrentTime";
  constexpr std::string_view kNoon = R"("2026-02-28T12:00:00Z")";
  const Case cases[] = {
      {"StringEquals", kSelect, R"("COUNT")", count, all},
      {"StringEquals", kSelect, R"(["x","COUNT"])", count, WithSelect("count")},
      {"StringNotEquals", kSelect, R"(["COUNT","x"])", all, count},
      {"StringEqualsIgnoreCase", kSelect, R"("Count")", count, all},
      {"StringNotEqualsIgnoreCase", kSelect, R"("Count")", all, count},
      {"StringLike", kSelect, R"("C?U*")", count, all},
      {"StringNotLike", kSelect, R"(["C?U*","x*"])", all, count},
      {"NumericEquals", kKeys, R"("7.0")", seven.context, nine.context},
      {"NumericEquals", kKeys, "7", seven.context, nine.context},
      {"NumericNotEquals", kKeys, "7", nine.context, seven.context},
      {"NumericLessThan", kKeys, "9", seven.context, nine.context},
      {"NumericLessThanEquals", kKeys, "7", seven.context, nine.context},
      {"NumericGreaterThan", kKeys, "7", nine.context, seven.context},
      {"NumericGreaterThanEquals", kKeys, "9", nine.context, seven.context},
      {"DateEquals", kTime, kNoon, noon, later},
      {"DateNotEquals", kTime, kNoon, later, noon},
      {"DateLessThan", kTime, kNoon, earlier, noon},
      {"DateLessThanEquals", kTime, kNoon, noon, later},
      {"DateGreaterThan", kTime, kNoon, later, noon},
      {"DateGreaterThanEquals", kTime, kNoon, noon, earlier},
      {"Bool", "aws:SecureTransport", R"("true")", secure, plain},
      {"Bool", "aws:SecureTransport", "false", plain, secure},
      {"Null", kSelect, R"("true")", {}, count},
      {"Null", kSelect, "false", count, {}},
      {"IpAddress", "aws:SourceIp", R"("203.0.113.0/24")", inside, outside},
      {"NotIpAddress", "aws:SourceIp", R"(["203.0.113.0/24","::1"])", outside, inside},
      {"BinaryEquals", kKeys, R"("AQID")", binary.context, seven.context},
      {"ArnEquals", "aws:PrincipalArn", kUser, ada, bob},
      {"ArnLike", "aws:PrincipalArn", kUser, ada, bob},
      {"ArnNotEquals", "aws:PrincipalArn", kUser, bob, ada},
      {"ArnNotLike", "aws:PrincipalArn", kUser, bob, ada},
      {"stringequals", "DynamoDB:SELECT", R"("COUNT")", count, all},
  };
  for (const Case& example : cases) {
    const std::string condition = On(example.name, example.key, example.values);
    EXPECT_TRUE(Allows(condition, example.holds)) << condition;
    EXPECT_FALSE(Allows(condition, example.fails)) << condition;
    EXPECT_TRUE(Denies(condition, example.holds)) << condition;
    EXPECT_FALSE(Denies(condition, example.fails)) << condition;
  }
}

// Proves of every key that a condition sees its value, and that it is absent.
TEST(ConditionTest, EveryKeyIsRead) {
  const std::string_view texts[] = {"value"};
  PolicyContext context;
  context.leading_keys = texts;
  context.attributes = texts;
  context.select = context.return_values = context.return_consumed_capacity = texts[0];
  context.enclosing_operation = context.username = context.user_id = texts[0];
  context.principal_arn = context.principal_type = context.principal_account = texts[0];
  context.user_agent = context.requested_region = context.source_ip = texts[0];
  context.full_table_scan = true;
  context.secure_transport = true;
  context.now_ms = 1'772'323'199'999;
  struct Key {
    std::string_view name;
    std::string_view text = "value";
  };
  const Key keys[] = {{"dynamodb:LeadingKeys"},
                      {"dynamodb:Attributes"},
                      {"dynamodb:Select"},
                      {"dynamodb:ReturnValues"},
                      {"dynamodb:ReturnConsumedCapacity"},
                      {"dynamodb:EnclosingOperation"},
                      {"dynamodb:FullTableScan", "true"},
                      {"aws:SourceIp"},
                      {"aws:CurrentTime", "2026-02-28T23:59:59.999Z"},
                      {"aws:EpochTime", "1772323199"},
                      {"aws:SecureTransport", "true"},
                      {"aws:username"},
                      {"aws:userid"},
                      {"aws:PrincipalArn"},
                      {"aws:PrincipalType"},
                      {"aws:PrincipalAccount"},
                      {"aws:UserAgent"},
                      {"aws:RequestedRegion"}};
  ASSERT_EQ(std::size(keys), static_cast<size_t>(ConditionKey::kUnknown));
  for (const Key& key : keys) {
    const std::string is = On("StringEquals", key.name, StrCat("\"", key.text, "\""));
    const std::string is_not = On("StringNotEquals", key.name, StrCat("\"", key.text, "\""));
    EXPECT_TRUE(Allows(is, context)) << key.name;
    EXPECT_FALSE(Allows(is_not, context)) << key.name;
    EXPECT_FALSE(Allows(is, {})) << key.name;
    EXPECT_TRUE(Allows(is_not, {})) << key.name;
    EXPECT_TRUE(Allows(On("Null", key.name, "true"), {})) << key.name;
    EXPECT_FALSE(Allows(On("Null", key.name, "true"), context)) << key.name;
    EXPECT_TRUE(Denies(is, context)) << key.name;
    EXPECT_FALSE(Denies(is_not, context)) << key.name;
    EXPECT_FALSE(Denies(is, {})) << key.name;
    EXPECT_TRUE(Denies(is_not, {})) << key.name;
    EXPECT_TRUE(Denies(On("Null", key.name, "true"), {})) << key.name;
    EXPECT_FALSE(Denies(On("Null", key.name, "true"), context)) << key.name;
  }
}

// Proves that keys which no request here has are taken, and absent.
TEST(ConditionTest, KeysOfOthersAreAbsent) {
  for (const std::string_view key : {"aws:MultiFactorAuthAge", "s3:prefix", "aws:PrincipalTag/team",
                                     "www.amazon.com:user_id", "accounts.google.com:sub"}) {
    EXPECT_FALSE(Allows(On("StringLike", key, R"("*")"), {})) << key;
    EXPECT_TRUE(Allows(On("StringNotLike", key, R"("*")"), {})) << key;
    EXPECT_TRUE(Allows(On("StringLikeIfExists", key, R"("x")"), {})) << key;
    EXPECT_TRUE(Allows(On("Null", key, R"("true")"), {})) << key;
    EXPECT_TRUE(Allows(On("ForAllValues:StringEquals", key, R"("x")"), {})) << key;
  }
}

// Proves that a missing key makes operators fail, those with Not hold, and IfExists hold always.
TEST(ConditionTest, MissingKeys) {
  for (const std::string_view name :
       {"StringEquals", "StringEqualsIgnoreCase", "StringLike", "NumericEquals", "NumericLessThan",
        "DateEquals", "DateGreaterThan", "BinaryEquals"}) {
    constexpr std::string_view kNumber = "\"20260228\"";
    EXPECT_FALSE(Allows(OnKeys(name, kNumber), {})) << name;
    EXPECT_FALSE(Denies(OnKeys(name, kNumber), {})) << name;
    EXPECT_TRUE(Allows(OnKeys(StrCat(name, "IfExists"), kNumber), {})) << name;
    EXPECT_TRUE(Denies(OnKeys(StrCat(name, "IfExists"), kNumber), {})) << name;
  }
  for (const std::string_view name : {"StringNotEquals", "StringNotEqualsIgnoreCase",
                                      "StringNotLike", "NumericNotEquals", "DateNotEquals"}) {
    EXPECT_TRUE(Allows(OnKeys(name, "\"20260228\""), {})) << name;
    EXPECT_TRUE(Allows(OnKeys(StrCat(name, "IfExists"), "\"20260228\""), {})) << name;
  }
  EXPECT_FALSE(Allows(On("IpAddress", "aws:SourceIp", R"("0.0.0.0/0")"), {}));
  EXPECT_TRUE(Allows(On("NotIpAddress", "aws:SourceIp", R"("0.0.0.0/0")"), {}));
  EXPECT_FALSE(Allows(On("Bool", "aws:SecureTransport", "false"), {}));
  EXPECT_TRUE(Allows(On("BoolIfExists", "aws:SecureTransport", "true"), {}));
  EXPECT_FALSE(Allows(On("ArnLike", "aws:PrincipalArn", R"("*")"), {}));
}

// Proves that IfExists changes nothing for a key that is there.
TEST(ConditionTest, IfExistsComparesWhatIsThere) {
  EXPECT_TRUE(
      Allows(On("StringEqualsIfExists", "dynamodb:Select", R"("COUNT")"), WithSelect("COUNT")));
  EXPECT_FALSE(Allows(On("StringEqualsIfExists", "dynamodb:Select", R"("COUNT")"),
                      WithSelect("ALL_ATTRIBUTES")));
  EXPECT_FALSE(
      Allows(On("StringNotEqualsIfExists", "dynamodb:Select", R"("COUNT")"), WithSelect("COUNT")));
}

// Proves AWS's rules for sets of values: every one of the request's, or any of them, has to be what
// one of the policy's values says, or with Not what none of them says.
TEST(ConditionTest, SetsOfValues) {
  const WithKeys none({});
  const WithKeys a({"a"});
  const WithKeys ab({"a", "b"});
  const WithKeys ac({"a", "c"});
  const WithKeys cd({"c", "d"});
  struct Row {
    std::string_view name;
    bool none, a, ab, ac, cd;
  };
  const Row rows[] = {
      {"ForAllValues:StringEquals", true, true, true, false, false},
      {"ForAnyValue:StringEquals", false, true, true, true, false},
      {"ForAllValues:StringNotEquals", true, false, false, false, true},
      {"ForAnyValue:StringNotEquals", false, false, false, true, true},
      {"ForAllValues:StringLikeIfExists", true, true, true, false, false},
      {"ForAnyValue:StringEqualsIfExists", true, true, true, true, false},
      {"forallvalues:stringequalsignorecase", true, true, true, false, false},
  };
  for (const Row& row : rows) {
    const std::string condition = OnKeys(row.name, R"(["a","b"])");
    EXPECT_EQ(Allows(condition, none.context), row.none) << row.name;
    EXPECT_EQ(Allows(condition, a.context), row.a) << row.name;
    EXPECT_EQ(Allows(condition, ab.context), row.ab) << row.name;
    EXPECT_EQ(Allows(condition, ac.context), row.ac) << row.name;
    EXPECT_EQ(Allows(condition, cd.context), row.cd) << row.name;
    EXPECT_EQ(Denies(condition, ac.context), row.ac) << row.name;
  }
}

// Proves that several values under an operator for one count to the safe side.
TEST(ConditionTest, SeveralValuesWithoutSetOperator) {
  const WithKeys ac({"a", "c"});
  const WithKeys a({"a"});
  EXPECT_TRUE(Allows(OnKeys("StringEquals", R"("a")"), a.context));
  EXPECT_FALSE(Allows(OnKeys("StringEquals", R"("a")"), ac.context));
  EXPECT_TRUE(Denies(OnKeys("StringEquals", R"("a")"), ac.context));
  EXPECT_FALSE(Allows(OnKeys("StringNotEquals", R"("a")"), ac.context));
  EXPECT_TRUE(Denies(OnKeys("StringNotEquals", R"("a")"), ac.context));
}

// Proves that all conditions of a statement have to hold, whichever operator they are under.
TEST(ConditionTest, AllConditionsHaveToHold) {
  constexpr std::string_view kCondition =
      R"({"StringEquals":{"dynamodb:Select":"COUNT","aws:username":"ada"},
          "Bool":{"aws:SecureTransport":true}})";
  PolicyContext context = WithSelect("COUNT");
  context.username = "ada";
  context.secure_transport = true;
  EXPECT_TRUE(Allows(kCondition, context));
  PolicyContext other = context;
  other.username = "bob";
  EXPECT_FALSE(Allows(kCondition, other));
  other = context;
  other.secure_transport = false;
  EXPECT_FALSE(Allows(kCondition, other));
  EXPECT_TRUE(Allows("{}", {}));
  EXPECT_TRUE(Allows(R"({"StringEquals":{}})", {}));
}

// Proves that an equal comparison takes wildcards for themselves.
TEST(ConditionTest, EqualsHasNoWildcards) {
  EXPECT_FALSE(Allows(OnKeys("StringEquals", R"("a*")"), WithKeys({"ab"}).context));
  EXPECT_TRUE(Allows(OnKeys("StringEquals", R"("a*")"), WithKeys({"a*"}).context));
  EXPECT_TRUE(Allows(OnKeys("StringLike", R"("a${*}")"), WithKeys({"a*"}).context));
  EXPECT_FALSE(Allows(OnKeys("StringLike", R"("a${*}")"), WithKeys({"ab"}).context));
}

// Proves that `?` is one character, of however many bytes, and that `*` may be none.
TEST(ConditionTest, WildcardsCountCharacters) {
  EXPECT_TRUE(Allows(OnKeys("StringLike", R"("?")"), WithKeys({"é"}).context));
  EXPECT_TRUE(Allows(OnKeys("StringLike", R"("*?")"), WithKeys({"한"}).context));
  EXPECT_FALSE(Allows(OnKeys("StringLike", R"("??")"), WithKeys({"é"}).context));
  EXPECT_TRUE(Allows(OnKeys("StringLike", R"("a*b*c")"), WithKeys({"abc"}).context));
  EXPECT_TRUE(Allows(OnKeys("StringLike", R"("*ab*ab")"), WithKeys({"abab"}).context));
  EXPECT_FALSE(Allows(OnKeys("StringLike", R"("*ab*ab")"), WithKeys({"aab"}).context));
  EXPECT_TRUE(Allows(OnKeys("StringLike", R"("**")"), WithKeys({"x:y"}).context));
}

// Proves that variables work in conditions, in other cases of letters too, and that one without a
// value is equal to nothing: operators with Not then hold, as AWS documents.
TEST(ConditionTest, VariablesInConditions) {
  WithKeys ada({"ada"});
  ada.context.username = "ada";
  WithKeys bob({"bob"});
  bob.context.username = "ada";
  const WithKeys nobody({"ada"});
  const std::string own = OnKeys("ForAllValues:StringEquals", R"(["${AWS:Username}"])");
  EXPECT_TRUE(Allows(own, ada.context));
  EXPECT_FALSE(Allows(own, bob.context));
  EXPECT_FALSE(Allows(own, nobody.context));
  EXPECT_TRUE(Allows(OnKeys("StringNotEquals", R"("${aws:username}")"), nobody.context));
  EXPECT_FALSE(Allows(OnKeys("StringLike", R"("*${aws:username}*")"), nobody.context));
  EXPECT_TRUE(Allows(OnKeys("StringLike", R"("?${aws:username, 'da'}")"), nobody.context));
  WithKeys user({"user#ADA#1"});
  user.context.username = "Ada";
  EXPECT_TRUE(
      Allows(OnKeys("StringEqualsIgnoreCase", R"("USER#${aws:username}#1")"), user.context));
  EXPECT_FALSE(Allows(OnKeys("StringLike", R"("user#${aws:username}#*")"), user.context));
  // A variable of a key with several values has none.
  EXPECT_FALSE(Allows(OnKeys("StringEquals", R"("${dynamodb:LeadingKeys}")"), ada.context));
  // Time as text, on both sides.
  PolicyContext now = At("2026-02-28T12:00:00.000Z");
  now.select = "1772280000";
  EXPECT_TRUE(Allows(On("StringEquals", "dynamodb:Select", R"("${aws:EpochTime}")"), now));
  EXPECT_FALSE(Allows(On("StringLike", "aws:CurrentTime", R"("2026-*${aws:EpochTime}")"), now));
  PolicyContext address = WithAddress("192.0.2.1");
  address.user_agent = "from 192.0.2.1";
  EXPECT_TRUE(Allows(On("StringEquals", "aws:UserAgent", R"("from ${aws:SourceIp}")"), address));
  PolicyContext secure;
  secure.secure_transport = true;
  secure.full_table_scan = true;
  EXPECT_TRUE(Allows(On("Bool", "aws:SecureTransport", R"("${dynamodb:FullTableScan}")"), secure));
  secure.full_table_scan = false;
  EXPECT_FALSE(Allows(On("Bool", "aws:SecureTransport", R"("${dynamodb:FullTableScan}")"), secure));
}

// Proves that numbers are compared exactly, to all of DynamoDB's digits.
TEST(ConditionTest, NumbersAreExact) {
  const auto equals = [](std::string_view value, std::string_view key) {
    return Allows(OnKeys("NumericEquals", value), WithKeys({key}).context);
  };
  EXPECT_TRUE(equals(R"("9007199254740993")", "9007199254740993"));
  EXPECT_FALSE(equals(R"("9007199254740993")", "9007199254740992"));
  EXPECT_TRUE(equals("9007199254740993", "9007199254740993"));
  EXPECT_TRUE(equals("0.5", "5e-1"));
  EXPECT_TRUE(equals(R"(["1","2"])", "2.00"));
  EXPECT_FALSE(equals("7", "seven"));
  EXPECT_TRUE(Allows(OnKeys("NumericNotEquals", "7"), WithKeys({"seven"}).context));
  EXPECT_FALSE(Allows(OnKeys("NumericLessThan", "7"), WithKeys({"seven"}).context));
}

// Proves that dates are read in all of the W3C's forms and as seconds, and compared as moments.
TEST(ConditionTest, DatesInAllForms) {
  const PolicyContext midnight = At("2026-03-01T00:00:00.000Z");
  for (const std::string_view same :
       {"2026-03", "2026-03-01", "2026-03-01T00:00Z", "2026-03-01T00:00:00Z",
        "2026-03-01T00:00:00.0Z", "2026-03-01T00:00:00.000999Z", "2026-03-01T09:00+09:00",
        "2026-02-28T19:30:00-04:30", "1772323200"}) {
    EXPECT_TRUE(Allows(On("DateEquals", "aws:CurrentTime", StrCat("\"", same, "\"")), midnight))
        << same;
  }
  EXPECT_TRUE(Allows(On("DateEquals", "aws:CurrentTime", "1772323200"), midnight));
  // aws:EpochTime is in whole seconds.
  const PolicyContext between = At("2026-03-01T00:00:00.500Z");
  EXPECT_TRUE(Allows(On("DateEquals", "aws:EpochTime", "1772323200"), between));
  EXPECT_FALSE(Allows(On("DateEquals", "aws:CurrentTime", "1772323200"), between));
  EXPECT_TRUE(Allows(On("NumericEquals", "aws:EpochTime", "1772323200"), between));
  // A key that is no time is compared as one when its text is one.
  EXPECT_TRUE(Allows(OnKeys("DateLessThan", R"("2026-03-01")"), WithKeys({"2026-02"}).context));
  EXPECT_FALSE(Allows(OnKeys("DateLessThan", R"("2026-03-01")"), WithKeys({"soon"}).context));
}

// Proves that ranges of addresses end where they should, in both families.
TEST(ConditionTest, AddressRanges) {
  const auto in = [](std::string_view range, std::string_view address) {
    return Allows(On("IpAddress", "aws:SourceIp", StrCat("\"", range, "\"")), WithAddress(address));
  };
  EXPECT_TRUE(in("203.0.113.0/24", "203.0.113.255"));
  EXPECT_FALSE(in("203.0.113.0/24", "203.0.112.255"));
  EXPECT_TRUE(in("203.0.113.9/24", "203.0.113.1"));
  EXPECT_TRUE(in("203.0.113.128/25", "203.0.113.128"));
  EXPECT_FALSE(in("203.0.113.128/25", "203.0.113.127"));
  EXPECT_TRUE(in("203.0.113.7", "203.0.113.7"));
  EXPECT_FALSE(in("203.0.113.7", "203.0.113.6"));
  EXPECT_TRUE(in("0.0.0.0/0", "8.8.8.8"));
  EXPECT_FALSE(in("0.0.0.0/0", "2001:db8::1"));
  EXPECT_TRUE(in("2001:DB8:1234:5678::/64", "2001:db8:1234:5678:9::1"));
  EXPECT_FALSE(in("2001:DB8:1234:5678::/64", "2001:db8:1234:5679::1"));
  EXPECT_TRUE(in("2001:db8::/33", "2001:db8:7fff::1"));
  EXPECT_FALSE(in("2001:db8::/33", "2001:db8:8000::1"));
  EXPECT_TRUE(in("::1", "0:0:0:0:0:0:0:1"));
  EXPECT_TRUE(in("::/0", "2001:db8::1"));
  EXPECT_FALSE(in("::/0", "192.0.2.1"));
  // Sockets for both families show IPv4 so.
  EXPECT_TRUE(in("203.0.113.0/24", "::ffff:203.0.113.7"));
  EXPECT_TRUE(in("::ffff:203.0.113.0/120", "203.0.113.7"));
  EXPECT_FALSE(in("::ffff:203.0.113.0/120", "203.0.114.7"));
  EXPECT_TRUE(in("fe80::/10", "fe80::1%eth0"));
  EXPECT_FALSE(in("0.0.0.0/0", "nowhere"));
}

// Proves that ARNs in conditions are compared part by part: no wildcard goes beyond a colon.
TEST(ConditionTest, ArnsArePartByPart) {
  const auto like = [](std::string_view pattern, std::string_view arn) {
    PolicyContext context;
    context.principal_arn = arn;
    return Allows(On("ArnLike", "aws:PrincipalArn", StrCat("\"", pattern, "\"")), context);
  };
  EXPECT_FALSE(like("arn:aws:some:*:111122223333:finance/*",
                    "arn:aws:some:us-east-2:999999999999:store/abc:111122223333:finance/doc.txt"));
  EXPECT_TRUE(like("arn:aws:some:*:111122223333:finance/*",
                   "arn:aws:some:us-east-2:111122223333:finance/a:b"));
  EXPECT_TRUE(like("arn:aws:iam::*:user/*", "arn:aws:iam::000000000000:user/ada"));
  EXPECT_FALSE(like("arn:aws:iam:*:*:role/*", "arn:aws:iam::000000000000:user/ada"));
  EXPECT_TRUE(like("*", "arn:aws:iam::000000000000:user/ada"));
}

}  // namespace
}  // namespace tintype::access
