#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "words/entities.h"
#include "words/text_tokens.h"

/// The rules by which entities are found. Each looks at the tokens from one place on, no further
/// than a bounded number of them.
namespace tintype::words::internal {

/// A text on which rules are tried.
struct RuleInput {
  std::string_view text;
  std::string_view language;
  const std::vector<TextToken>& tokens;

  /// Null behind the end.
  const TextToken* At(size_t index) const {
    return index < tokens.size() ? &tokens[index] : nullptr;
  }
  /// Empty behind the end.
  std::string_view Text(size_t index) const {
    return index < tokens.size() ? tokens[index].In(text) : std::string_view();
  }
  bool IsMark(size_t index, char mark) const {
    return index < tokens.size() && tokens[index].IsMark(text, mark);
  }
  bool IsNumber(size_t index) const {
    return index < tokens.size() && tokens[index].kind == TextToken::Kind::kNumber;
  }
  bool IsWord(size_t index) const { return index < tokens.size() && tokens[index].is_word(); }
  /// Whether nothing is between a token and the one before.
  bool Adjoins(size_t index) const { return index < tokens.size() && !tokens[index].after_blank; }
  /// What lies between the beginning of one token and the end of another.
  std::string_view Span(size_t first, size_t last) const {
    return text.substr(tokens[first].begin, tokens[last].end - tokens[first].begin);
  }
};

/// What a rule found: tokens, of which the first and the last may count in part.
struct RuleMatch {
  EntityType type = EntityType::kOther;
  double score = 0;
  size_t first = 0;
  size_t last = 0;
  uint32_t skip_bytes = 0;  ///< Of the first token.
  uint32_t last_bytes = 0;  ///< Of the last token, from its beginning on; 0: all.
};

using RuleResult = std::optional<RuleMatch>;

/// From the beginning of a token up to a byte of the text, behind that.
RuleMatch MatchUpTo(const RuleInput& input, size_t first, size_t end);
/// Whether a character before `end` of the text, and what follows, are not of one word.
bool IsWordEnd(std::string_view text, size_t end);

// Each tries what begins with the token `at`.
RuleResult MatchAddress(const RuleInput& input, size_t at);
RuleResult MatchDate(const RuleInput& input, size_t at);
RuleResult MatchQuantity(const RuleInput& input, size_t at);
RuleResult MatchPerson(const RuleInput& input, size_t at);
RuleResult MatchOrganization(const RuleInput& input, size_t at);
/// In a run without blanks, the first place from the byte `offset` of it on: `last_bytes` says
/// where it ends. Otherwise one that begins with the token.
RuleResult MatchPlace(const RuleInput& input, size_t at, uint32_t offset);

}  // namespace tintype::words::internal
