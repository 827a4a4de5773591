#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/policy/context.h"
#include "access/policy/internal/request_values.h"
#include "base/result.h"

namespace tintype::access::internal {

/// What a text of a policy is, and so what its wildcards match.
enum class PatternForm : uint8_t {
  /// Every character is itself.
  kLiteral,
  /// `*` is any characters, `?` one character.
  kWildcards,
  /// An ARN of `Resource`. Within its first five parts, those before the fifth colon, a wildcard
  /// matches no colon, but a `*` at the end of a part may go on beyond it. Missing parts are `*`.
  /// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html
  kResource,
  /// An ARN of a condition: the same, but each of the six parts is compared for itself.
  kArn,
};

struct PatternOptions {
  PatternForm form = PatternForm::kLiteral;
  /// Whether `${...}` is a policy variable. Version 2008-10-17 has none.
  bool variables = false;
  /// Of ASCII letters.
  bool ignore_case = false;
};

/// A text of a policy, taken apart: literal text, wildcards and policy variables. Immutable.
class Pattern {
 public:
  /// Errors: kValidation, with what is wrong.
  static Result<Pattern> Parse(std::string_view text, const PatternOptions& options);

  /// Takes at most as many steps as the text has bytes for each `*`. A variable without a value is
  /// equal to nothing; a value's `*` and `?` are themselves.
  bool Matches(std::string_view text, RequestValues& values) const;

  /// The literal text, when it is nothing else; otherwise null.
  const std::string* literal() const;
  /// Whether it matches everything, being nothing but `*`.
  bool matches_all() const;
  bool ignores_case() const { return ignore_case_; }

  /// Whether it has variables, and one of them has no value in the request.
  bool LacksValue(RequestValues& values) const;
  /// Adds the keys that its variables read to a set of bits.
  void AddKeys(uint32_t& keys) const;

 private:
  friend class PatternParser;

  enum class Kind : uint8_t {
    kText,
    kVariable,
    kOne,         ///< `?`
    kOneInPart,   ///< `?` that is no colon.
    kMany,        ///< `*`
    kManyInPart,  ///< `*` without colons.
  };
  struct Piece {
    Kind kind = Kind::kText;
    ConditionKey key = ConditionKey::kUnknown;
    /// The variable's default counts when it has no value.
    bool has_default = false;
    /// The literal text, or the variable's default.
    std::string text;
  };

  /// Of a text or variable. Nothing for a variable without a value.
  static std::optional<std::string_view> TextOf(const Piece& piece, RequestValues& values);
  bool StartsWith(std::string_view text, std::string_view prefix) const;
  /// False for most texts that do not match, at the price of one search.
  bool HasLongestText(std::string_view text) const;

  std::vector<Piece> pieces_;
  // The piece after the first that has the longest literal text; 0 when none has any.
  size_t longest_text_ = 0;
  bool ignore_case_ = false;
  bool has_variables_ = false;
};

}  // namespace tintype::access::internal
