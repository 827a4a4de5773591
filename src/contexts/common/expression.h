#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "tables/language/expressions/condition.h"
#include "tables/language/expressions/key_condition.h"
#include "tables/language/expressions/update.h"
#include "tables/language/values/value.h"

namespace tintype::contexts {

/// The names (`#status`) and values (`:status`) that the expressions of one request refer to. The
/// expressions themselves are DynamoDB's, so that code reads as the documents do.
struct Bindings {
  std::map<std::string, std::string, std::less<>> names;
  std::map<std::string, tables::Value, std::less<>> values;
};

// The expressions are ours, never a client's: one that cannot be parsed is a bug, and ends the
// process in the first test that comes by.
tables::Condition ConditionOf(std::string_view text, const Bindings& bindings);
tables::KeyCondition KeyConditionOf(std::string_view text, const Bindings& bindings);

struct UpdateWithCondition {
  tables::Update update;
  tables::Condition condition;
};
tables::Update UpdateOf(std::string_view text, const Bindings& bindings);
UpdateWithCondition UpdateIf(std::string_view update, std::string_view condition,
                             const Bindings& bindings);

}  // namespace tintype::contexts
