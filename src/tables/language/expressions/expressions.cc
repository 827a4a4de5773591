#include "tables/language/expressions/expressions.h"

#include <algorithm>

#include "base/strings.h"
#include "tables/language/internal/condition_parser.h"
#include "tables/language/internal/expression_parser.h"
#include "tables/language/internal/update_parser.h"
#include "tables/language/limits.h"

namespace tintype::tables {
namespace {

Status CheckKey(std::string_view parameter, char sigil, std::string_view key) {
  const std::string_view rest = key.substr(std::min<size_t>(1, key.size()));
  if (key.size() > limits::kPlaceholderBytes) {
    return Error::Validation(
        StrCat(parameter,
               " contains invalid key: The expression attribute map contains a key that is too "
               "long; size of key: ",
               key.size()));
  }
  if (!key.starts_with(sigil) || rest.empty() ||
      !std::all_of(rest.begin(), rest.end(), internal::IsWordCharacter)) {
    return Error::Validation(
        StrCat(parameter, " contains invalid key: Syntax error; key: \"", key, '"'));
  }
  return OkStatus();
}

template <typename Map>
Status CheckUsed(std::string_view parameter, const Map& entries) {
  std::vector<std::string_view> unused;
  for (const auto& [key, entry] : entries) {
    if (!entry.used) {
      unused.push_back(key);
    }
  }
  if (unused.empty()) {
    return OkStatus();
  }
  return Error::Validation(StrCat("Value provided in ", parameter,
                                  " unused in expressions: keys: {", StrJoin(unused, ", "), '}'));
}

template <typename Map>
auto Use(Map& entries, std::string_view key) -> decltype(&entries.begin()->second.value) {
  const auto found = entries.find(key);
  if (found == entries.end()) {
    return nullptr;
  }
  found->second.used = true;
  return &found->second.value;
}

class ProjectionParser : private internal::ExpressionParser {
 public:
  static Result<Projection> Parse(std::string_view text, Placeholders& placeholders) {
    RETURN_IF_ERROR(CheckText(kLabel, text, placeholders));
    return ProjectionParser(text, placeholders).ParseAll();
  }

 private:
  static constexpr std::string_view kLabel = "ProjectionExpression";

  ProjectionParser(std::string_view text, Placeholders& placeholders)
      : ExpressionParser(kLabel, text, placeholders) {}

  Result<Projection> ParseAll() {
    std::vector<Path> paths;
    do {
      ASSIGN_OR_RETURN(Path path, ParsePath(Walk::kOperands));
      paths.push_back(std::move(path));
    } while (Accept(internal::Token::Kind::kComma));
    RETURN_IF_ERROR(Expect(internal::Token::Kind::kEnd));
    RETURN_IF_ERROR(Outcome());
    // Unlike in updates, overlaps come after all else.
    std::vector<const Path*> pointers;
    pointers.reserve(paths.size());
    for (const Path& path : paths) {
      pointers.push_back(&path);
    }
    if (const std::optional<std::string> overlap = internal::DescribeOverlap(pointers)) {
      return Invalid(*overlap);
    }
    return Projection(std::move(paths));
  }
};

Result<Condition> ParseCondition(std::string_view label, std::string_view text,
                                 Placeholders& placeholders) {
  ASSIGN_OR_RETURN(internal::ConditionParser::Parsed parsed,
                   internal::ConditionParser::Parse(label, text, placeholders));
  return std::move(parsed.condition);
}

}  // namespace

// NOLINTBEGIN(performance-unnecessary-value-param): their elements are moved from, one by one.
Placeholders::Placeholders(std::map<std::string, std::string, std::less<>> names,
                           std::map<std::string, Value, std::less<>> values) {
  // NOLINTEND(performance-unnecessary-value-param)
  for (auto& [key, name] : names) {
    names_.emplace_hint(names_.end(), key, Entry<std::string>{std::move(name)});
  }
  for (auto& [key, value] : values) {
    values_.emplace_hint(values_.end(), key, Entry<Value>{std::move(value)});
  }
}

const std::string* Placeholders::UseName(std::string_view placeholder) {
  return Use(names_, placeholder);
}

const Value* Placeholders::UseValue(std::string_view placeholder) {
  return Use(values_, placeholder);
}

Status Placeholders::CheckKeys() const {
  for (const auto& [key, entry] : names_) {
    RETURN_IF_ERROR(CheckKey("ExpressionAttributeNames", '#', key));
    if (entry.value.empty()) {
      return Error::Validation(StrCat(
          "ExpressionAttributeNames contains invalid value: Empty attribute name for key ", key));
    }
    if (entry.value.size() > limits::kAttributeNameBytes) {
      return Error::Validation(
          StrCat("ExpressionAttributeNames contains invalid value: Attribute name is too large, "
                 "must be less than ",
                 limits::kAttributeNameBytes + 1, " bytes for key ", key));
    }
  }
  for (const auto& [key, entry] : values_) {
    RETURN_IF_ERROR(CheckKey("ExpressionAttributeValues", ':', key));
  }
  return OkStatus();
}

Status Placeholders::CheckAllUsed() const {
  RETURN_IF_ERROR(CheckUsed("ExpressionAttributeNames", names_));
  return CheckUsed("ExpressionAttributeValues", values_);
}

Result<Condition> ParseConditionExpression(std::string_view text, Placeholders& placeholders) {
  return ParseCondition("ConditionExpression", text, placeholders);
}

Result<Condition> ParseFilterExpression(std::string_view text, Placeholders& placeholders) {
  return ParseCondition("FilterExpression", text, placeholders);
}

Result<Update> ParseUpdateExpression(std::string_view text, Placeholders& placeholders) {
  return internal::UpdateParser::Parse(text, placeholders);
}

Result<Projection> ParseProjectionExpression(std::string_view text, Placeholders& placeholders) {
  return ProjectionParser::Parse(text, placeholders);
}

}  // namespace tintype::tables
