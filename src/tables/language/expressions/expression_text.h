#pragma once

#include <map>
#include <string>
#include <string_view>

#include "tables/language/expressions/condition.h"
#include "tables/language/expressions/key_condition.h"
#include "tables/language/expressions/projection.h"
#include "tables/language/expressions/update.h"

namespace tintype::tables {

/// From parsed expressions back to text: the inverse of expressions.h, for sending a request on.
/// One writer serves all expressions of a request, which then share their placeholders.
///
/// Every name and value gets a placeholder, `#0` and `:0`, because a name may be a reserved word or
/// no word at all. Equal ones share theirs, and no blank is written that is not needed: the text
/// has a limit (limits::kExpressionBytes), and should not pass it where the original did not.
///
/// Legacy parameters come out as the expressions that mean the same.
/// Not thread-safe.
class ExpressionWriter {
 public:
  std::string Write(const Condition& condition);
  std::string Write(const KeyCondition& condition);
  /// REQUIRES: !update.empty().
  std::string Write(const Update& update);
  std::string Write(const Projection& projection);

  /// The number of its placeholder, by name: `#` and the number stand for it.
  const std::map<std::string, size_t>& names() const { return names_; }
  /// The same for values, by their stored form.
  const std::map<std::string, size_t>& values() const { return values_; }

 private:
  void Append(const Condition& condition);
  void AppendJoined(const Condition& condition, std::string_view separator);
  void AppendCall(std::string_view function, const Condition& condition);
  void AppendInParentheses(const Condition& condition, bool wanted);
  void Append(const Operand& operand);
  void Append(const UpdateOperand& operand);
  void AppendSets(const Update& update);
  void Append(const Path& path);
  void Append(const Value& value);
  std::string Take();

  std::map<std::string, size_t> names_;
  std::map<std::string, size_t> values_;
  std::string text_;  // Of the expression that is being written.
};

}  // namespace tintype::tables
