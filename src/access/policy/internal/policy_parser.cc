#include "access/policy/internal/policy_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "access/keys/access_key.h"
#include "access/policy/internal/condition_keys.h"
#include "access/policy/policy.h"
#include "base/strings.h"
#include "json/value.h"

namespace tintype::access::internal {
namespace {

using Members = json::Value::Object;

Error At(std::string_view place, std::string_view what) {
  return Error::Validation(StrCat(place, ": ", what));
}

/// The members of an object: none of them twice, and none of other names than these. Names are
/// compared exactly, as IAM does.
Result<const Members*> ReadObject(const json::Value& value, std::string_view place,
                                  std::initializer_list<std::string_view> names) {
  const Members* const members = value.object();
  if (members == nullptr) {
    return At(place, "this has to be a JSON object");
  }
  std::set<std::string_view> seen;
  for (const auto& [name, member] : *members) {
    if (!seen.insert(name).second) {
      return At(place, StrCat("\"", name, "\" is there twice"));
    }
    if (std::ranges::find(names, name) == names.end()) {
      if (name == "Principal" || name == "NotPrincipal") {
        return At(place, StrCat("\"", name,
                                "\" belongs in policies of resources; this policy is "
                                "for the access key that has it"));
      }
      return At(place, StrCat("\"", name, "\" is unknown here; known are ", StrJoin(names, ", ")));
    }
  }
  return members;
}

/// A text, number or boolean as text. Nothing for other values.
std::optional<std::string> Spell(const json::Value& value) {
  if (const std::string* text = value.text()) {
    return *text;
  }
  if (const std::optional<bool> boolean = value.boolean()) {
    return *boolean ? "true" : "false";
  }
  if (const std::optional<int64_t> integer = value.integer()) {
    return std::to_string(*integer);
  }
  // Larger ones may have lost digits when the JSON was read: they are to be written as texts.
  constexpr double kExactMax = 9'007'199'254'740'992.0;
  if (const std::optional<double> number = value.number();
      number && std::abs(*number) < kExactMax) {
    if (*number == 0) {
      return "0";  // Minus zero too.
    }
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), *number).ptr;
    return std::string(digits.data(), end);
  }
  return std::nullopt;
}

enum class Scalars { kTexts, kTextsNumbersBooleans };

/// One value, or a list with at least one.
Result<std::vector<std::string>> ReadList(const json::Value& value, const std::string& place,
                                          Scalars scalars) {
  const json::Value::Array* const list = value.array();
  const size_t count = list == nullptr ? 1 : list->size();
  if (count == 0) {
    return At(place, "the list is empty");
  }
  if (count > Policy::kListMax) {
    return At(place, StrCat("the list has more than ", Policy::kListMax, " values"));
  }
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) {
    const json::Value& member = list == nullptr ? value : (*list)[i];
    const std::string* const text = member.text();
    std::optional<std::string> spelled;
    if (text != nullptr) {
      spelled = *text;
    } else if (scalars == Scalars::kTextsNumbersBooleans) {
      spelled = Spell(member);
    }
    if (!spelled) {
      return At(place, scalars == Scalars::kTexts
                           ? "this has to be a text, or a list of texts"
                           : "this has to be a text, a number of at most 15 digits or a boolean, "
                             "or a list of them");
    }
    texts.push_back(std::move(*spelled));
  }
  return texts;
}

/// `*`, or a service and an action, both of which may have wildcards in AWS's practice.
bool IsAction(std::string_view text) {
  if (text == "*") {
    return true;
  }
  const size_t colon = text.find(':');
  const auto in_service = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  const auto in_name = [&](char c) { return in_service(c) || c == '*' || c == '?'; };
  return colon != std::string_view::npos && colon > 0 && colon + 1 < text.size() &&
         std::ranges::all_of(text.substr(0, colon), in_service) &&
         std::ranges::all_of(text.substr(colon + 1), in_name);
}

std::string ToLowerText(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), ToLower);
  return lower;
}

class Parser {
 public:
  Parser(std::string_view document, const std::optional<PolicyResource>& resource)
      : resource_(resource) {
    policy_.document = document;
    if (resource) {
      policy_.resource_kind = resource->kind;
    }
  }

  Result<std::shared_ptr<const CompiledPolicy>> Parse() {
    ASSIGN_OR_RETURN(const json::Value root,
                     json::Parse(policy_.document, resource_ ? Policy::kResourceDocumentBytesMax
                                                             : Policy::kDocumentBytesMax));
    ASSIGN_OR_RETURN(const Members* const members,
                     ReadObject(root, "Policy", {"Version", "Id", "Statement"}));
    RETURN_IF_ERROR(ParseHead(root));
    const json::Value* const statement = root.Find("Statement");
    if (statement == nullptr) {
      return At("Policy", members->empty() ? "this is empty" : "\"Statement\" is missing");
    }
    const json::Value::Array* const list = statement->array();
    if (list == nullptr) {
      RETURN_IF_ERROR(ParseStatement(*statement));
    } else if (list->empty()) {
      return At("Statement", "the list is empty");
    } else if (list->size() > Policy::kStatementsMax) {
      return At("Statement", StrCat("there are more than ", Policy::kStatementsMax));
    } else {
      for (const json::Value& member : *list) {
        RETURN_IF_ERROR(ParseStatement(member));
      }
    }
    return std::make_shared<const CompiledPolicy>(std::move(policy_));
  }

 private:
  Status ParseHead(const json::Value& root) {
    if (const json::Value* version = root.Find("Version")) {
      const std::string* const text = version->text();
      if (text == nullptr || (*text != "2012-10-17" && *text != "2008-10-17")) {
        return At("Version", "this has to be \"2012-10-17\" or \"2008-10-17\"");
      }
      // The older language, which is also that of policies without a version, has no variables:
      // there `${aws:username}` is nothing but these characters.
      variables_ = *text == "2012-10-17";
    }
    if (const json::Value* id = root.Find("Id"); id != nullptr && id->text() == nullptr) {
      return At("Id", "this has to be a text");
    }
    return OkStatus();
  }

  Status ParseStatement(const json::Value& value) {
    ++number_;
    Statement statement;
    statement.number = number_;
    place_ = StrCat("Statement ", number_);
    if (resource_) {
      RETURN_IF_ERROR(ReadObject(value, place_,
                                 {"Sid", "Effect", "Principal", "NotPrincipal", "Action",
                                  "NotAction", "Resource", "NotResource", "Condition"}));
    } else {
      RETURN_IF_ERROR(ReadObject(
          value, place_,
          {"Sid", "Effect", "Action", "NotAction", "Resource", "NotResource", "Condition"}));
    }
    RETURN_IF_ERROR(ParseSid(value, statement));
    RETURN_IF_ERROR(ParseEffect(value, statement));
    if (resource_) {
      RETURN_IF_ERROR(ParsePrincipals(value, statement));
    }
    RETURN_IF_ERROR(ParseActions(value, statement));
    RETURN_IF_ERROR(ParseResources(value, statement));
    RETURN_IF_ERROR(ParseConditions(value, statement));
    (statement.effect == Effect::kDeny ? policy_.denials : policy_.allowances)
        .push_back(std::move(statement));
    return OkStatus();
  }

  Status ParseSid(const json::Value& value, Statement& statement) {
    const json::Value* const sid = value.Find("Sid");
    if (sid == nullptr) {
      return OkStatus();
    }
    const std::string* const text = sid->text();
    const auto plain = [](char c) {
      const char lower = ToLower(c);
      return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
    };
    if (text == nullptr || !std::ranges::all_of(*text, plain)) {
      return At(place_, "the Sid has to be of letters and digits alone");
    }
    if (!text->empty() && !sids_.insert(*text).second) {
      return At(place_, StrCat("the Sid \"", *text, "\" is that of another statement too"));
    }
    statement.sid = *text;
    if (!text->empty()) {
      StrAppend(place_, " (", *text, ")");
    }
    return OkStatus();
  }

  Status ParseEffect(const json::Value& value, Statement& statement) {
    const json::Value* const effect = value.Find("Effect");
    const std::string* const text = effect == nullptr ? nullptr : effect->text();
    if (text == nullptr || (*text != "Allow" && *text != "Deny")) {
      return At(place_, "\"Effect\" has to be \"Allow\" or \"Deny\"");
    }
    statement.effect = *text == "Allow" ? Effect::kAllow : Effect::kDeny;
    return OkStatus();
  }

  /// Of two members of which a statement has exactly one, that one; and whether it is the second.
  Result<std::pair<const json::Value*, bool>> EitherOf(const json::Value& value,
                                                       std::string_view name,
                                                       std::string_view not_name) {
    const json::Value* const plain = value.Find(name);
    const json::Value* const negated = value.Find(not_name);
    if ((plain == nullptr) == (negated == nullptr)) {
      return At(place_, StrCat(plain == nullptr ? "it needs" : "it has both", " \"", name,
                               plain == nullptr ? "\" or \"" : "\" and \"", not_name, "\""));
    }
    return std::pair(plain == nullptr ? negated : plain, plain == nullptr);
  }

  Status ParsePrincipals(const json::Value& value, Statement& statement) {
    ASSIGN_OR_RETURN(const auto member, EitherOf(value, "Principal", "NotPrincipal"));
    statement.not_principal = member.second;
    if (statement.not_principal && statement.effect == Effect::kAllow) {
      return At(place_,
                "\"NotPrincipal\" has to be used with \"Deny\": with \"Allow\" it would let in "
                "everybody else");
    }
    const std::string place =
        StrCat(place_, statement.not_principal ? ", NotPrincipal" : ", Principal");
    Principals& principals = statement.principals.emplace();
    const std::string* const everybody = member.first->text();
    if (everybody != nullptr && *everybody == "*") {
      principals.everybody = true;
    } else {
      if (!member.first->is_object()) {
        return At(place, R"(this has to be "*" or an object such as {"AWS": "..."})");
      }
      ASSIGN_OR_RETURN(const Members* const kinds, ReadObject(*member.first, place, {"AWS"}));
      if (kinds->empty()) {
        return At(place, "it names nobody");
      }
      ASSIGN_OR_RETURN(const std::vector<std::string> texts,
                       ReadList(kinds->front().second, place, Scalars::kTexts));
      for (const std::string& text : texts) {
        RETURN_IF_ERROR(AddPrincipal(principals, text, place));
      }
    }
    if (statement.not_principal && principals.everybody) {
      return At(place, "with \"*\" it is about nobody");
    }
    std::ranges::sort(principals.users);
    return OkStatus();
  }

  /// There is one account, the resource's own, and its users are the access keys. As in AWS, their
  /// names are spelled out: there are no wildcards but `*` for everybody.
  Status AddPrincipal(Principals& principals, const std::string& text, const std::string& place) {
    const std::string scheme = StrCat("arn:aws:iam::", resource_->account, ":");
    const std::string user = StrCat(scheme, "user/");
    if (text == "*") {
      principals.everybody = true;
    } else if (text == resource_->account || text == StrCat(scheme, "root")) {
      principals.account = true;
    } else if (text.starts_with(user) && CheckKeyName(text.substr(user.size())).ok()) {
      principals.users.push_back(text.substr(user.size()));
    } else {
      return At(place, StrCat("\"", text, "\" is nobody here; known are \"*\", the account \"",
                              resource_->account, "\" or \"", scheme, "root\", and \"", user,
                              "NAME\" with the name of an access key"));
    }
    return OkStatus();
  }

  Status ParseActions(const json::Value& value, Statement& statement) {
    ASSIGN_OR_RETURN(const auto member, EitherOf(value, "Action", "NotAction"));
    statement.not_action = member.second;
    const std::string place = StrCat(place_, statement.not_action ? ", NotAction" : ", Action");
    ASSIGN_OR_RETURN(const std::vector<std::string> texts,
                     ReadList(*member.first, place, Scalars::kTexts));
    std::vector<std::string> invalid;
    for (const std::string& text : texts) {
      const std::string lower = ToLowerText(text);
      if (!IsAction(lower)) {
        return At(place, StrCat("\"", text,
                                "\" is neither \"*\" nor an action such as "
                                "\"dynamodb:GetItem\" or \"dynamodb:Describe*\""));
      }
      RETURN_IF_ERROR(
          AddPattern(statement.actions, lower, {.form = PatternForm::kWildcards}, place));
      if (resource_ && !MeansActionOn(resource_->kind, lower)) {
        invalid.push_back(StrCat("\"", text, "\""));
      }
    }
    if (!invalid.empty()) {
      // In AWS's words, which do not say where.
      return Error::Validation(
          StrCat("The following action names are invalid: ", StrJoin(invalid, ", ")));
    }
    return OkStatus();
  }

  Status ParseResources(const json::Value& value, Statement& statement) {
    ASSIGN_OR_RETURN(const auto member, EitherOf(value, "Resource", "NotResource"));
    statement.not_resource = member.second;
    const std::string place =
        StrCat(place_, statement.not_resource ? ", NotResource" : ", Resource");
    ASSIGN_OR_RETURN(const std::vector<std::string> texts,
                     ReadList(*member.first, place, Scalars::kTexts));
    for (const std::string& text : texts) {
      RETURN_IF_ERROR(AddPattern(statement.resources, text,
                                 {.form = PatternForm::kResource, .variables = variables_}, place));
      if (resource_ && !statement.not_resource && !resource_->CanBeMeantBy(text)) {
        return At(place,
                  StrCat("\"", text, "\" is not what the policy is attached to, ", resource_->arn,
                         resource_->kind == ResourceKind::kTable ? ", nor an index of it" : ""));
      }
    }
    statement.resources.AddKeys(policy_.keys);
    return OkStatus();
  }

  Status ParseConditions(const json::Value& value, Statement& statement) {
    const json::Value* const condition = value.Find("Condition");
    if (condition == nullptr) {
      return OkStatus();
    }
    const std::string place = StrCat(place_, ", Condition");
    ASSIGN_OR_RETURN(const Members* const operators, ReadMap(*condition, place));
    for (const auto& [operator_name, keys] : *operators) {
      const std::string operator_place = StrCat(place, ", ", operator_name);
      // The operator comes first, so that an unknown one is told before its keys.
      const Result<Operator> known = ParseOperator(operator_name);
      if (!known.ok()) {
        return At(place, known.error().message());
      }
      ASSIGN_OR_RETURN(const Members* const members, ReadMap(keys, operator_place));
      for (const auto& [key, expected] : *members) {
        RETURN_IF_ERROR(ParseCondition(operator_name, key, expected, operator_place, statement));
      }
    }
    return OkStatus();
  }

  Status ParseCondition(const std::string& operator_name, const std::string& key,
                        const json::Value& expected, const std::string& operator_place,
                        Statement& statement) {
    if (!IsConditionKey(key)) {
      return At(operator_place, StrCat("\"", key,
                                       "\" is no condition key, which has a service and "
                                       "a name, as in \"aws:SourceIp\""));
    }
    const std::string place = StrCat(operator_place, ", ", key);
    ASSIGN_OR_RETURN(const std::vector<std::string> texts,
                     ReadList(expected, place, Scalars::kTextsNumbersBooleans));
    Result<Condition> condition = Condition::Compile(
        {.operator_name = operator_name, .key = key, .values = texts, .variables = variables_});
    if (!condition.ok()) {
      return At(place, condition.error().message());
    }
    if (statement.conditions.size() == Policy::kListMax) {
      return At(place, StrCat("the statement has more than ", Policy::kListMax, " conditions"));
    }
    condition->AddKeys(policy_.keys);
    statement.conditions.push_back(std::move(*condition));
    return OkStatus();
  }

  /// The members of an object of operators or keys, none of which may be there twice in whatever
  /// case of letters.
  static Result<const Members*> ReadMap(const json::Value& value, const std::string& place) {
    const Members* const members = value.object();
    if (members == nullptr) {
      return At(place, "this has to be a JSON object");
    }
    std::set<std::string> seen;
    for (const auto& [name, member] : *members) {
      if (!seen.insert(ToLowerText(name)).second) {
        return At(place, StrCat("\"", name, "\" is there twice"));
      }
    }
    return members;
  }

  static Status AddPattern(PatternSet& set, const std::string& text, const PatternOptions& options,
                           const std::string& place) {
    Result<Pattern> pattern = Pattern::Parse(text, options);
    if (!pattern.ok()) {
      return At(place, pattern.error().message());
    }
    set.Add(std::move(*pattern));
    return OkStatus();
  }

  CompiledPolicy policy_;
  // What the policy is attached to; absent for the policy of an access key. The caller's.
  const std::optional<PolicyResource>& resource_;
  bool variables_ = false;
  uint32_t number_ = 0;
  std::string place_;  // Of the statement that is being read.
  std::set<std::string> sids_;
};

}  // namespace

Result<std::shared_ptr<const CompiledPolicy>> ParsePolicy(
    std::string_view document, const std::optional<PolicyResource>& resource) {
  return Parser(document, resource).Parse();
}

}  // namespace tintype::access::internal
