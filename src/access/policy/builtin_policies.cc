#include "access/policy/builtin_policies.h"

#include <algorithm>

#include "access/policy/policy.h"
#include "base/strings.h"
#include "json/writer.h"

namespace tintype::access {
namespace {

// In the words of AmazonDynamoDBReadOnlyAccess, v15, with what it has for DynamoDB, and the two
// operations that read a stream's records, for which AWS has a policy of its own.
// ConditionCheckItem reads nothing that would be answered, but tells whether a condition holds, as
// a filter does; the developer guide's own read-only policy has it.
constexpr std::string_view kReadActions[] = {
    "dynamodb:BatchGetItem",
    "dynamodb:ConditionCheckItem",
    "dynamodb:Describe*",
    "dynamodb:GetItem",
    "dynamodb:GetAbacStatus",
    "dynamodb:GetRecords",
    "dynamodb:GetResourcePolicy",
    "dynamodb:GetShardIterator",
    "dynamodb:List*",
    "dynamodb:PartiQLSelect",
    "dynamodb:Query",
    "dynamodb:Scan",
};

bool IsTablePattern(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    const char lower = ToLower(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == '*' || c == '?';
  });
}

void OpenPolicy(json::Writer& json) {
  json.OpenObject();
  json.Text("Version", "2012-10-17");
  json.Name("Statement");
  json.OpenArray();
}

void OpenStatement(json::Writer& json, std::string_view sid, std::string_view effect) {
  json.OpenObject();
  json.Text("Sid", sid);
  json.Text("Effect", effect);
}

std::string ClosePolicy(json::Writer json) {
  json.CloseArray();
  json.CloseObject();
  return std::move(json).Take();
}

}  // namespace

std::string AdminPolicyDocument() {
  json::Writer json;
  OpenPolicy(json);
  OpenStatement(json, "Everything", "Allow");
  json.Text("Action", "*");
  json.Text("Resource", "*");
  json.CloseObject();
  return ClosePolicy(std::move(json));
}

std::string ReadOnlyPolicyDocument() {
  json::Writer json;
  OpenPolicy(json);
  OpenStatement(json, "Read", "Allow");
  json.Name("Action");
  json.OpenArray();
  for (const std::string_view action : kReadActions) {
    json.Text(action);
  }
  json.CloseArray();
  json.Text("Resource", "*");
  json.CloseObject();
  return ClosePolicy(std::move(json));
}

Result<std::string> TablesPolicyDocument(std::span<const std::string> product_tables) {
  json::Writer json;
  OpenPolicy(json);
  OpenStatement(json, "Everything", "Allow");
  json.Text("Action", "*");
  json.Text("Resource", "*");
  json.CloseObject();
  if (!product_tables.empty()) {
    OpenStatement(json, "ExceptProductTables", "Deny");
    json.Text("Action", "*");
    json.Name("Resource");
    json.OpenArray();
    for (const std::string& name : product_tables) {
      if (!IsTablePattern(name)) {
        return Error::Validation(StrCat("\"", name, "\" cannot be a table's name"));
      }
      const std::string table = StrCat("arn:*:dynamodb:*:*:table/", name);
      json.Text(table);
      json.Text(StrCat(table, "/*"));
    }
    json.CloseArray();
    json.CloseObject();
  }
  std::string document = ClosePolicy(std::move(json));
  // It has to be one that keys can carry: too many names are found out here.
  RETURN_IF_ERROR(Policy::Parse(document));
  return document;
}

}  // namespace tintype::access
