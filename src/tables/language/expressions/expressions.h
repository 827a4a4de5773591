#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tables/language/expressions/condition.h"
#include "tables/language/expressions/key_condition.h"
#include "tables/language/expressions/path.h"
#include "tables/language/expressions/projection.h"
#include "tables/language/expressions/update.h"

/// From the text of DynamoDB's five expression kinds to their parsed forms.
namespace tintype::tables {

/// ExpressionAttributeNames and ExpressionAttributeValues of one request, shared by all of its
/// expressions. Remembers which were used, because DynamoDB refuses those that were not.
/// Not thread-safe.
class Placeholders {
 public:
  Placeholders() = default;
  /// Keys carry their `#` or `:`. The parse functions check that they are well formed.
  Placeholders(std::map<std::string, std::string, std::less<>> names,
               std::map<std::string, Value, std::less<>> values);

  /// Null when there is none of that name. Marks it as used.
  const std::string* UseName(std::string_view placeholder);
  const Value* UseValue(std::string_view placeholder);

  /// Fails if a key is not `#` or `:` followed by letters, digits and underscores, or if a name is
  /// empty or too long. The parse functions call it.
  Status CheckKeys() const;

  /// Fails if a name or value was given that no expression used. Call after parsing all of them.
  Status CheckAllUsed() const;

 private:
  template <typename T>
  struct Entry {
    T value;
    bool used = false;
  };
  std::map<std::string, Entry<std::string>, std::less<>> names_;
  std::map<std::string, Entry<Value>, std::less<>> values_;
};

/// Each parses one expression or fails with DynamoDB's words, "Invalid ConditionExpression: ...".
Result<Condition> ParseConditionExpression(std::string_view text, Placeholders& placeholders);
Result<Condition> ParseFilterExpression(std::string_view text, Placeholders& placeholders);
Result<KeyCondition> ParseKeyConditionExpression(std::string_view text, Placeholders& placeholders);
Result<Update> ParseUpdateExpression(std::string_view text, Placeholders& placeholders);
Result<Projection> ParseProjectionExpression(std::string_view text, Placeholders& placeholders);

/// True for the 573 words that cannot be written as an attribute name without a placeholder, in any
/// case.
bool IsReservedWord(std::string_view word);

}  // namespace tintype::tables
