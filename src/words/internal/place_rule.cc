#include <algorithm>
#include <array>

#include "words/internal/entity_rules.h"
#include "words/internal/place_table.h"

namespace tintype::words::internal {
namespace {

constexpr double kCountryScore = 0.9;
constexpr double kPartScore = 0.7;
// Where nothing shows where a word begins or ends.
constexpr double kWithinScore = 0.2;

struct NamedPlace {
  size_t bytes = 0;
  bool is_country = false;
};

/// The first of [low, high) that a predicate does not hold for, which holds for all before; `high`
/// if there is none.
template <typename Holds>
size_t FirstNot(size_t low, size_t high, const Holds& holds) {
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (holds(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The longest name that a text begins with, of those that `ends` there, and none if there is none.
/// Narrows the table down byte by byte: no name has more than a hundred.
template <typename Ends>
NamedPlace LongestPlace(std::string_view text, const Ends& ends) {
  static const PlaceTable table = Places();
  NamedPlace longest;
  size_t low = 0;
  size_t high = table.size();
  for (size_t bytes = 1; bytes <= text.size(); ++bytes) {
    const auto wanted = static_cast<unsigned char>(text[bytes - 1]);
    const auto before = [&](size_t index) {
      const std::string_view name = table.Name(index);
      return name.size() < bytes || static_cast<unsigned char>(name[bytes - 1]) < wanted;
    };
    const auto not_behind = [&](size_t index) {
      const std::string_view name = table.Name(index);
      return name.size() < bytes || static_cast<unsigned char>(name[bytes - 1]) <= wanted;
    };
    low = FirstNot(low, high, before);
    high = FirstNot(low, high, not_behind);
    if (low == high) {
      break;
    }
    if (table.Name(low).size() == bytes && ends(bytes)) {
      longest = {bytes, table.IsCountry(low)};
    }
  }
  return longest;
}

RuleMatch MatchOf(const RuleInput& input, size_t at, uint32_t skip, const NamedPlace& place) {
  RuleMatch match = MatchUpTo(input, at, input.tokens[at].begin + skip + place.bytes);
  match.type = EntityType::kLocation;
  match.score = place.is_country ? kCountryScore : kPartScore;
  match.skip_bytes = skip;
  return match;
}

RuleResult MatchInRun(const RuleInput& input, size_t at, uint32_t offset) {
  const TextToken& token = input.tokens[at];
  const std::string_view run = token.In(input.text);
  while (offset < run.size()) {
    const std::string_view rest = run.substr(offset);
    const NamedPlace place = LongestPlace(rest, [](size_t) { return true; });
    if (place.bytes != 0) {
      RuleMatch match = MatchOf(input, at, offset, place);
      match.score -= kWithinScore;
      match.last = at;
      match.last_bytes = offset + static_cast<uint32_t>(place.bytes);
      return match;
    }
    offset += DecodeFirst(rest).bytes;
  }
  return std::nullopt;
}

/// The letter that is written together with the next word: "and", "in", "to"; 0 for none.
uint32_t PrefixBytes(std::string_view word) {
  constexpr auto kPrefixes = std::to_array<std::string_view>(
      {"ו", "ב", "ל", "מ", "ה", "ש", "כ", "و", "ب", "ل", "ف", "ك", "لل"});
  const auto prefix = std::ranges::find_if(
      kPrefixes, [&](std::string_view each) { return word.starts_with(each); });
  return prefix == kPrefixes.end() ? 0 : static_cast<uint32_t>(prefix->size());
}

}  // namespace

bool IsWordEnd(std::string_view text, size_t end) {
  if (end >= text.size()) {
    return true;
  }
  const char32_t next = DecodeFirst(text.substr(end)).character;
  return ScriptOf(next) == Script::kNone && !(next >= '0' && next <= '9');
}

RuleResult MatchPlace(const RuleInput& input, size_t at, uint32_t offset) {
  const TextToken& token = input.tokens[at];
  if (!token.is_word()) {
    return std::nullopt;
  }
  if (IsUnspaced(token.script)) {
    return MatchInRun(input, at, offset);
  }
  const bool has_case = token.script == Script::kLatin || token.script == Script::kGreek ||
                        token.script == Script::kCyrillic;
  const std::string_view rest = input.text.substr(token.begin);
  if (has_case && !BeginsUpper(rest)) {
    return std::nullopt;
  }
  const auto whole = [](std::string_view text) {
    return [text](size_t bytes) { return IsWordEnd(text, bytes); };
  };
  if (token.script == Script::kHangul) {
    // Particles follow without a blank.
    const NamedPlace place = LongestPlace(token.In(input.text), [](size_t) { return true; });
    return place.bytes == 0 ? RuleResult() : MatchOf(input, at, 0, place);
  }
  const NamedPlace place = LongestPlace(rest, whole(rest));
  if (place.bytes != 0) {
    return MatchOf(input, at, 0, place);
  }
  const bool has_prefixes = token.script == Script::kHebrew || token.script == Script::kArabic;
  const uint32_t skip = has_prefixes ? PrefixBytes(token.In(input.text)) : 0;
  if (skip == 0) {
    return std::nullopt;
  }
  const NamedPlace behind = LongestPlace(rest.substr(skip), whole(rest.substr(skip)));
  if (behind.bytes == 0) {
    return std::nullopt;
  }
  RuleMatch match = MatchOf(input, at, skip, behind);
  match.score -= kWithinScore;
  return match;
}

}  // namespace tintype::words::internal
