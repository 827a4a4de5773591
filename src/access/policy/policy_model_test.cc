// Random policies and requests, decided by the compiled form and by a slow evaluator that follows
// IAM's rules one by one: no lookups, no shared code, wildcards by trying everything.

#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "access/policy/policy.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "json/writer.h"

namespace tintype::access {
namespace {

using Texts = std::vector<std::string>;

struct ModelCondition {
  std::string name;
  std::string key;
  Texts values;
};
struct ModelStatement {
  bool allow = false;
  bool not_action = false;
  bool not_resource = false;
  Texts actions;
  Texts resources;
  std::vector<ModelCondition> conditions;
};
struct ModelPolicy {
  bool variables = true;
  std::vector<ModelStatement> statements;
};
struct ModelRequest {
  std::string action;
  std::string resource;
  std::map<std::string, Texts> values;  // By key in lower case.
};

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(), ToLower);
  return text;
}

std::string DocumentOf(const ModelPolicy& policy) {
  json::Writer json;
  json.OpenObject();
  json.Text("Version", policy.variables ? "2012-10-17" : "2008-10-17");
  json.Name("Statement");
  json.OpenArray();
  for (const ModelStatement& statement : policy.statements) {
    json.OpenObject();
    json.Text("Effect", statement.allow ? "Allow" : "Deny");
    json.TextList(statement.not_action ? "NotAction" : "Action", statement.actions);
    json.TextList(statement.not_resource ? "NotResource" : "Resource", statement.resources);
    json.Name("Condition");
    json.OpenObject();
    for (const ModelCondition& condition : statement.conditions) {
      json.Name(condition.name);
      json.OpenObject();
      json.TextList(condition.key, condition.values);
      json.CloseObject();
    }
    json.CloseObject();
    json.CloseObject();
  }
  json.CloseArray();
  json.CloseObject();
  return std::move(json).Take();
}

// The slow evaluator.

/// One character of a pattern once its variables are filled in.
struct Token {
  enum class Kind { kCharacter, kOne, kMany } kind = Kind::kCharacter;
  char character = 0;
  bool crosses_colons = true;
};

enum class Form { kLiteral, kWildcards, kResource, kArn };

/// Nothing when a variable has no value.
std::optional<std::vector<Token>> Tokens(std::string text, Form form, bool variables,
                                         const ModelRequest& request) {
  const bool arn = (form == Form::kResource || form == Form::kArn) && text != "*";
  if (form == Form::kResource && arn) {
    // Counted without those in variables, which only the sixth part has.
    for (auto colons = std::ranges::count(text, ':'); colons < 5; ++colons) {
      text += ":*";
    }
  }
  std::vector<Token> tokens;
  int part = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool crosses = !arn || part == 6;
    if (variables && text.substr(i, 2) == "${") {
      const size_t end = text.find('}', i);
      const std::string inside = text.substr(i + 2, end - i - 2);
      i = end;
      std::string value;
      if (inside.size() == 1) {
        value = inside;
      } else {
        const size_t comma = inside.find(", '");
        const std::string key = Lower(inside.substr(0, comma));
        const bool single = key != "dynamodb:leadingkeys" && key != "dynamodb:attributes";
        if (single && request.values.contains(key)) {
          value = request.values.at(key).front();
        } else if (comma != std::string::npos) {
          value = inside.substr(comma + 3, inside.size() - comma - 4);
        } else {
          return std::nullopt;
        }
      }
      for (const char c : value) {
        tokens.push_back({Token::Kind::kCharacter, c});
      }
    } else if (form != Form::kLiteral && text[i] == '*') {
      const bool ends_part = i + 1 == text.size() || text[i + 1] == ':';
      tokens.push_back({Token::Kind::kMany, 0, crosses || (form == Form::kResource && ends_part)});
    } else if (form != Form::kLiteral && text[i] == '?') {
      tokens.push_back({Token::Kind::kOne, 0, crosses});
    } else {
      part += text[i] == ':' && part < 6 ? 1 : 0;
      tokens.push_back({Token::Kind::kCharacter, text[i]});
    }
  }
  return tokens;
}

bool SlowGlob(const std::vector<Token>& tokens, size_t token, std::string_view text) {
  if (token == tokens.size()) {
    return text.empty();
  }
  const Token& next = tokens[token];
  if (next.kind == Token::Kind::kMany) {
    for (size_t length = 0; length <= text.size(); ++length) {
      if (SlowGlob(tokens, token + 1, text.substr(length))) {
        return true;
      }
      if (length < text.size() && text[length] == ':' && !next.crosses_colons) {
        return false;
      }
    }
    return false;
  }
  if (text.empty()) {
    return false;
  }
  const bool one = next.kind == Token::Kind::kOne ? next.crosses_colons || text[0] != ':'
                                                  : text[0] == next.character;
  return one && SlowGlob(tokens, token + 1, text.substr(1));
}

/// Nothing when a variable has no value.
std::optional<bool> SlowMatch(const std::string& pattern, const std::string& text, Form form,
                              bool variables, const ModelRequest& request) {
  const auto tokens = Tokens(pattern, form, variables, request);
  return tokens ? std::optional(SlowGlob(*tokens, 0, text)) : std::nullopt;
}

/// The bits of an address that is written in full.
std::string Bits(const std::string& address) {
  std::string bits;
  const bool v6 = address.find(':') != std::string::npos;
  std::string group;
  for (const char c : address + (v6 ? ":" : ".")) {
    if (c == ':' || c == '.') {
      const auto value = ParseInteger<unsigned>(group, v6 ? 16 : 10).value();
      bits += v6 ? std::bitset<16>(value).to_string() : std::bitset<8>(value).to_string();
      group.clear();
    } else {
      group += c;
    }
  }
  return bits;
}

bool SlowInRange(const std::string& range, const std::string& address) {
  const size_t slash = range.find('/');
  const std::string first = Bits(range.substr(0, slash));
  const std::string bits = Bits(address);
  const size_t prefix =
      slash == std::string::npos
          ? first.size()
          : ParseInteger<size_t>(std::string_view(range).substr(slash + 1)).value();
  return first.size() == bits.size() && first.substr(0, prefix) == bits.substr(0, prefix);
}

bool SlowCompares(double actual, double expected, const std::string& comparison) {
  if (comparison == "LessThan") {
    return actual < expected;
  }
  if (comparison == "LessThanEquals") {
    return actual <= expected;
  }
  if (comparison == "GreaterThan") {
    return actual > expected;
  }
  if (comparison == "GreaterThanEquals") {
    return actual >= expected;
  }
  return actual == expected;
}

/// Whether one value of a request is what one value of a policy says.
bool SlowOne(const std::string& base, const std::string& expected, const std::string& actual,
             bool variables, const ModelRequest& request) {
  const auto text = [&](Form form) {
    return SlowMatch(expected, actual, form, variables, request).value_or(false);
  };
  if (base == "StringEquals" || base == "BinaryEquals") {
    return text(Form::kLiteral);
  }
  if (base == "StringLike") {
    return text(Form::kWildcards);
  }
  if (base == "ArnEquals" || base == "ArnLike") {
    return text(Form::kArn);
  }
  if (base == "StringEqualsIgnoreCase" || base == "Bool") {
    const auto tokens = Tokens(expected, Form::kLiteral, variables, request);
    std::string spelled;
    for (const Token& token : tokens.value_or(std::vector<Token>())) {
      spelled += token.character;
    }
    return tokens && Lower(spelled) == Lower(actual);
  }
  if (base.starts_with("Numeric") || base.starts_with("Date")) {
    // All dates of this test are seconds.
    const auto wanted = ParseInteger<int64_t>(expected);
    const auto found = ParseInteger<int64_t>(actual);
    return wanted && found &&
           SlowCompares(static_cast<double>(*found), static_cast<double>(*wanted),
                        base.substr(base.starts_with("Date") ? 4 : 7));
  }
  return SlowInRange(expected, actual);
}

bool SlowHolds(const ModelCondition& condition, bool allow, bool variables,
               const ModelRequest& request) {
  std::string base = condition.name;
  std::string quantifier;
  if (const size_t colon = base.find(':'); colon != std::string::npos) {
    quantifier = base.substr(0, colon);
    base = base.substr(colon + 1);
  }
  const bool if_exists = base.ends_with("IfExists");
  if (if_exists) {
    base.resize(base.size() - 8);
  }
  const auto found = request.values.find(Lower(condition.key));
  const bool absent = found == request.values.end();
  if (base == "Null") {
    return absent == (condition.values[0] == "true");
  }
  const size_t no = base.find("Not");
  const bool negated = no != std::string::npos;
  if (negated) {
    base.erase(no, 3);
  }
  if (absent) {
    return if_exists || (quantifier.empty() ? negated : quantifier == "ForAllValues");
  }
  size_t holding = 0;
  for (const std::string& actual : found->second) {
    bool any = false;
    for (const std::string& expected : condition.values) {
      any = any || SlowOne(base, expected, actual, variables, request);
    }
    holding += any != negated ? 1 : 0;
  }
  const bool all = quantifier.empty() ? allow : quantifier == "ForAllValues";
  return all ? holding == found->second.size() : holding > 0;
}

bool SlowApplies(const ModelStatement& statement, bool variables, const ModelRequest& request) {
  bool action = false;
  for (const std::string& pattern : statement.actions) {
    action = action ||
             *SlowMatch(Lower(pattern), Lower(request.action), Form::kWildcards, false, request);
  }
  bool resource = false;
  bool lacks_value = false;
  for (const std::string& pattern : statement.resources) {
    const auto matches = SlowMatch(pattern, request.resource, Form::kResource, variables, request);
    resource = resource || matches.value_or(false);
    lacks_value = lacks_value || !matches;
  }
  if (action == statement.not_action || resource == statement.not_resource ||
      (statement.not_resource && statement.allow && lacks_value)) {
    return false;
  }
  return std::ranges::all_of(statement.conditions, [&](const ModelCondition& condition) {
    return SlowHolds(condition, statement.allow, variables, request);
  });
}

Verdict SlowDecide(const ModelPolicy& policy, const ModelRequest& request) {
  Verdict verdict = Verdict::kDeniedByDefault;
  for (const ModelStatement& statement : policy.statements) {
    if (!SlowApplies(statement, policy.variables, request)) {
      continue;
    }
    if (!statement.allow) {
      return Verdict::kDeniedExplicitly;
    }
    verdict = Verdict::kAllowed;
  }
  return verdict;
}

// The random part.

class PolicyModelTest : public testing::Test {
 protected:
  PolicyModelTest() {
    const char* const given = std::getenv("TINTYPE_TEST_SEED");
    seed_ = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::cout << "seed " << seed_ << " (set TINTYPE_TEST_SEED to repeat)\n";
    random_.seed(seed_);
  }

  size_t Below(size_t end) { return random_() % end; }
  bool OneIn(size_t count) { return Below(count) == 0; }
  std::string OneOf(const Texts& texts) { return texts[Below(texts.size())]; }

  /// With some characters replaced by wildcards, or taken out, but for the first `kept`.
  std::string Blurred(std::string text, size_t kept) {
    for (size_t count = Below(4); count > 0 && text.size() > kept; --count) {
      const size_t at = kept + Below(text.size() - kept);
      switch (Below(4)) {
        case 0:
          text[at] = '*';
          break;
        case 1:
          text[at] = '?';
          break;
        case 2:
          text.replace(at, 1 + Below(6), "*");
          break;
        default:
          text.erase(at + 1 == text.size() ? at : at + 1);
          text += "*";
      }
    }
    return text;
  }

  std::string Action() { return OneOf({"dynamodb:GetItem", "dynamodb:Get", "dynamodb:PutItem"}); }
  std::string ActionPattern() {
    if (OneIn(4)) {
      return OneOf({"*", "dynamodb:*", "DYNAMODB:getitem", "dynamodb:?etItem", "s3:*"});
    }
    return Blurred(Action(), 9);
  }

  std::string Resource() {
    return OneOf({"*", "arn:a:d:e:1:table/ab", "arn:a:d:e:1:table/ab/index/i",
                  "arn:a:d:e:1:table/ab/stream/2:1", "arn:a:d:e-w:11:table/b",
                  "arn:a:d:d:d:table/a"});
  }
  std::string ResourcePattern() {
    while (true) {
      std::string pattern = OneIn(6) ? "*" : Resource();
      pattern = pattern == "*" ? pattern : Blurred(pattern, 4);
      if (pattern != "*" && OneIn(4)) {
        pattern += OneOf({"${aws:username}", "${aws:userid, 'b'}", "${*}", "${aws:SourceIp}"});
      }
      // What an ARN may not have: a slash or a variable before its sixth part.
      size_t colons = 0;
      bool right = true;
      for (const char c : pattern) {
        colons += c == ':' ? 1 : 0;
        right = right && (colons >= 5 || (c != '/' && c != '$'));
      }
      if (right) {
        return pattern;
      }
    }
  }

  std::string Text() {
    return OneOf({"a", "ab", "A", "b*", "x?", "7", "12", "AQ==", "true", "a:b"});
  }
  std::string Address() {
    return OneOf(
        {"10.0.0.1", "10.0.0.200", "10.1.0.1", "2001:db8:0:0:0:0:0:1", "2001:db9:0:0:0:0:0:1"});
  }

  ModelCondition Condition() {
    static const Texts names = {"StringEquals",
                                "StringNotEquals",
                                "StringEqualsIgnoreCase",
                                "StringLike",
                                "StringNotLike",
                                "StringNotEqualsIgnoreCase",
                                "NumericEquals",
                                "NumericNotEquals",
                                "NumericLessThan",
                                "NumericGreaterThan",
                                "NumericLessThanEquals",
                                "NumericGreaterThanEquals",
                                "DateEquals",
                                "DateNotEquals",
                                "DateLessThan",
                                "DateGreaterThan",
                                "DateLessThanEquals",
                                "DateGreaterThanEquals",
                                "Bool",
                                "Null",
                                "IpAddress",
                                "NotIpAddress",
                                "BinaryEquals",
                                "ArnLike",
                                "ArnNotLike",
                                "ArnEquals",
                                "ArnNotEquals"};
    ModelCondition condition;
    const std::string base = OneOf(names);
    condition.name = base;
    if (base != "Null") {
      condition.name = StrCat(OneOf({"", "", "ForAllValues:", "ForAnyValue:"}), base,
                              OneIn(4) ? "IfExists" : "");
    }
    const bool one = base == "Bool" || base == "Null";
    for (size_t count = one ? 1 : 1 + Below(3); count > 0; --count) {
      condition.values.push_back(Value(base));
    }
    if (base.find("IpAddress") != std::string::npos) {
      condition.key = "aws:SourceIp";
    } else if (base.starts_with("Arn")) {
      condition.key = "aws:PrincipalArn";
    } else if (base.starts_with("Date")) {
      condition.key = "aws:EpochTime";
    } else {
      condition.key = OneOf({"dynamodb:LeadingKeys", "dynamodb:Attributes", "DYNAMODB:select",
                             "aws:username", "aws:SecureTransport", "s3:prefix"});
    }
    return condition;
  }

  std::string Value(const std::string& base) {
    if (base == "Null" || base == "Bool") {
      return OneOf({"true", "false"});
    }
    if (base.starts_with("Numeric")) {
      return OneOf({"7", "12", "-3"});
    }
    if (base.starts_with("Date")) {
      return std::to_string(100'000 + Below(3));
    }
    if (base.starts_with("Binary")) {
      return OneOf({"AQ==", "AQID"});
    }
    if (base.starts_with("Arn")) {
      return OneOf({"arn:aws:iam::1:user/ab", "arn:aws:iam::*:user/a?", "arn:*:iam:*:*:*",
                    "arn:aws:iam::1:user/${aws:username}", "arn:aws:*::1:user/*"}) +
             (OneIn(4) ? ":*:*:x" : "");
    }
    if (base.find("IpAddress") != std::string::npos) {
      return Address() + "/" + OneOf({"0", "8", "23", "25", "32"});
    }
    if (OneIn(4)) {
      return OneOf({"${aws:username}", "a${aws:userid}", "${aws:userid, 'a'}", "${*}", "${s3:x}b",
                    "${dynamodb:LeadingKeys}", "*${aws:UserName}"});
    }
    return OneIn(3) ? Blurred(Text() + Text(), 0) : Text();
  }

  ModelStatement Statement() {
    ModelStatement statement;
    statement.allow = !OneIn(3);
    statement.not_action = OneIn(6);
    statement.not_resource = OneIn(6);
    for (size_t count = 1 + Below(3); count > 0; --count) {
      statement.actions.push_back(ActionPattern());
      statement.resources.push_back(ResourcePattern());
    }
    for (size_t count = Below(3); count > 0; --count) {
      ModelCondition condition = Condition();
      if (std::ranges::none_of(statement.conditions, [&](const ModelCondition& other) {
            return other.name == condition.name;
          })) {
        statement.conditions.push_back(std::move(condition));
      }
    }
    return statement;
  }

  ModelPolicy RandomPolicy() {
    ModelPolicy policy;
    policy.variables = !OneIn(8);
    for (size_t count = 1 + Below(4); count > 0; --count) {
      policy.statements.push_back(Statement());
    }
    return policy;
  }

  ModelRequest RandomRequest() {
    ModelRequest request;
    request.action = Action();
    request.resource = Resource();
    const auto maybe = [&](const std::string& key, Texts values) {
      if (!OneIn(3)) {
        request.values[key] = std::move(values);
      }
    };
    Texts keys;
    Texts attributes;
    for (size_t count = 1 + Below(3); count > 0; --count) {
      keys.push_back(Text());
      attributes.push_back(Text());
    }
    maybe("dynamodb:leadingkeys", keys);
    maybe("dynamodb:attributes", attributes);
    maybe("dynamodb:select", {Text()});
    maybe("aws:username", {Text()});
    maybe("aws:userid", {OneOf({"b", "index"})});
    maybe("aws:securetransport", {OneOf({"true", "false"})});
    maybe("aws:sourceip", {Address()});
    maybe("aws:epochtime", {std::to_string(100'000 + Below(3))});
    maybe(
        "aws:principalarn",
        {OneOf({"arn:aws:iam::1:user/ab", "arn:aws:iam::2:user/b", "arn:aws:iam:x:1:1:user/ab"})});
    return request;
  }

  uint64_t seed_ = 0;
  std::mt19937_64 random_;
};

/// The same request for the compiled form.
class ContextOf {
 public:
  explicit ContextOf(const ModelRequest& request) {
    for (const auto& [key, values] : request.values) {
      const std::string_view first = values.front();
      if (key == "dynamodb:leadingkeys") {
        keys_.assign(values.begin(), values.end());
      } else if (key == "dynamodb:attributes") {
        attributes_.assign(values.begin(), values.end());
      } else if (key == "dynamodb:select") {
        context_.select = first;
      } else if (key == "aws:username") {
        context_.username = first;
      } else if (key == "aws:userid") {
        context_.user_id = first;
      } else if (key == "aws:securetransport") {
        context_.secure_transport = first == "true";
      } else if (key == "aws:sourceip") {
        context_.source_ip = first;
      } else if (key == "aws:epochtime") {
        context_.now_ms = ParseInteger<int64_t>(first).value() * 1000 + 999;
      } else {
        context_.principal_arn = first;
      }
    }
    context_.leading_keys = keys_;
    context_.attributes = attributes_;
  }
  ContextOf(const ContextOf&) = delete;
  ContextOf& operator=(const ContextOf&) = delete;
  const PolicyContext& get() const { return context_; }

 private:
  std::vector<std::string_view> keys_;
  std::vector<std::string_view> attributes_;
  PolicyContext context_;
};

// Proves that compiled policies decide as the rules do when they are followed one by one, that
// nothing is allowed without a statement that does, and that removing the denials or the allowances
// of a policy has the effect that it should.
TEST_F(PolicyModelTest, DecidesAsTheSlowEvaluator) {
  constexpr int kPolicies = 1500;
  constexpr int kRequests = 12;
  std::map<Verdict, int> verdicts;
  for (int i = 0; i < kPolicies; ++i) {
    const ModelPolicy model = RandomPolicy();
    const std::string document = DocumentOf(model);
    const Result<Policy> policy = Policy::Parse(document);
    ASSERT_TRUE(policy.ok()) << policy.error().message() << "\n" << document;
    ModelPolicy without_allow = model;
    std::erase_if(without_allow.statements, [](const auto& statement) { return statement.allow; });
    const bool denials = !without_allow.statements.empty();
    const Result<Policy> denying = Policy::Parse(DocumentOf(denials ? without_allow : model));
    ASSERT_TRUE(denying.ok());
    for (int j = 0; j < kRequests; ++j) {
      const ModelRequest request = RandomRequest();
      const ContextOf context(request);
      const PolicyRequest asked{request.action, request.resource, context.get()};
      const PolicyDecision decision = policy->Evaluate(asked);
      ASSERT_EQ(decision.verdict, SlowDecide(model, request))
          << "seed " << seed_ << "\n"
          << document << "\n"
          << request.action << " " << request.resource;
      ++verdicts[decision.verdict];
      if (decision.statement > 0) {
        const ModelStatement& statement = model.statements[decision.statement - 1];
        ASSERT_EQ(statement.allow, decision.allowed());
        ASSERT_TRUE(SlowApplies(statement, model.variables, request));
      } else {
        ASSERT_EQ(decision.verdict, Verdict::kDeniedByDefault);
      }
      if (denials) {
        ASSERT_FALSE(denying->Evaluate(asked).allowed());
        ASSERT_EQ(denying->Evaluate(asked).verdict == Verdict::kDeniedExplicitly,
                  decision.verdict == Verdict::kDeniedExplicitly);
      }
    }
  }
  // Otherwise this test would say little.
  for (const Verdict verdict :
       {Verdict::kAllowed, Verdict::kDeniedByDefault, Verdict::kDeniedExplicitly}) {
    EXPECT_GT(verdicts[verdict], kPolicies * kRequests / 50) << static_cast<int>(verdict);
  }
}

}  // namespace
}  // namespace tintype::access
