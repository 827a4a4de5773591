#include "contexts/common/expression.h"

#include "base/logging.h"
#include "tables/language/expressions/expressions.h"

namespace tintype::contexts {
namespace {

using tables::Placeholders;

/// The parsed expression. One of ours that does not parse, or that leaves a binding unused, is a
/// bug.
template <typename T>
T Parsed(Result<T> parsed, std::string_view text) {
  if (!parsed.ok()) {
    LogError("expression of ours is wrong",
             {{"expression", text}, {"error", parsed.error().message()}});
  }
  CHECK(parsed.ok());
  return *std::move(parsed);
}

void CheckAllUsed(const Placeholders& placeholders, std::string_view text) {
  const Status status = placeholders.CheckAllUsed();
  if (!status.ok()) {
    LogError("bindings of ours are wrong",
             {{"expression", text}, {"error", status.error().message()}});
  }
  CHECK(status.ok());
}

}  // namespace

tables::Condition ConditionOf(std::string_view text, const Bindings& bindings) {
  Placeholders placeholders(bindings.names, bindings.values);
  auto condition = Parsed(tables::ParseConditionExpression(text, placeholders), text);
  CheckAllUsed(placeholders, text);
  return condition;
}

tables::KeyCondition KeyConditionOf(std::string_view text, const Bindings& bindings) {
  Placeholders placeholders(bindings.names, bindings.values);
  auto condition = Parsed(tables::ParseKeyConditionExpression(text, placeholders), text);
  CheckAllUsed(placeholders, text);
  return condition;
}

tables::Update UpdateOf(std::string_view text, const Bindings& bindings) {
  Placeholders placeholders(bindings.names, bindings.values);
  auto update = Parsed(tables::ParseUpdateExpression(text, placeholders), text);
  CheckAllUsed(placeholders, text);
  return update;
}

UpdateWithCondition UpdateIf(std::string_view update, std::string_view condition,
                             const Bindings& bindings) {
  Placeholders placeholders(bindings.names, bindings.values);
  UpdateWithCondition both{
      Parsed(tables::ParseUpdateExpression(update, placeholders), update),
      Parsed(tables::ParseConditionExpression(condition, placeholders), condition)};
  CheckAllUsed(placeholders, update);
  return both;
}

}  // namespace tintype::contexts
