#include "access/policy/internal/pattern.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"

namespace tintype::access::internal {
namespace {

/// The bytes of the character that begins at `at`, in UTF-8.
size_t CharacterBytes(std::string_view text, size_t at) {
  size_t end = at + 1;
  while (end < text.size() && (static_cast<uint8_t>(text[end]) & 0xc0) == 0x80) {
    ++end;
  }
  return end - at;
}

}  // namespace

std::optional<std::string_view> Pattern::TextOf(const Piece& piece, RequestValues& values) {
  if (piece.kind == Kind::kText) {
    return piece.text;
  }
  if (const std::optional<std::string_view> value = values.Variable(piece.key)) {
    return value;
  }
  return piece.has_default ? std::optional<std::string_view>(piece.text) : std::nullopt;
}

bool Pattern::StartsWith(std::string_view text, std::string_view prefix) const {
  return ignore_case_ ? EqualsIgnoreCase(text.substr(0, prefix.size()), prefix)
                      : text.starts_with(prefix);
}

bool Pattern::HasLongestText(std::string_view text) const {
  if (longest_text_ == 0 || ignore_case_) {
    return true;
  }
  const std::string& longest = pieces_[longest_text_].text;
  return longest_text_ + 1 == pieces_.size() ? text.ends_with(longest)
                                             : text.find(longest) != std::string_view::npos;
}

// Only the last `*` is ever tried again: what stands before it was matched as far to the left as
// possible, and no other way to match that leaves more of the text. A `*` that stops at colons
// comes first, since it can only make up for what follows it; when it is exhausted, the last `*`
// without such a bound moves on. So there is no trying of all combinations.
bool Pattern::Matches(std::string_view text, RequestValues& values) const {
  struct Retry {
    size_t piece = 0;  // The one after the `*`; 0 when there is none.
    size_t at = 0;
  };
  Retry many;
  Retry many_in_part;
  size_t piece = 0;
  size_t at = 0;
  // Goes on after the last `*`, which takes at least all before `many.at`: at once to where the
  // text after it is found, if that is what follows. False when it is nowhere.
  const auto resume = [&] {
    const Piece& next = pieces_[many.piece];
    if (next.kind == Kind::kText && !ignore_case_) {
      many.at = text.find(next.text, many.at);
      if (many.at == std::string_view::npos) {
        return false;
      }
    }
    many_in_part = {};
    piece = many.piece;
    at = many.at;
    return true;
  };
  if (!HasLongestText(text)) {
    return false;
  }
  while (true) {
    bool matched = false;
    if (piece == pieces_.size()) {
      if (at == text.size()) {
        return true;
      }
    } else {
      const Piece& next = pieces_[piece];
      switch (next.kind) {
        case Kind::kText:
        case Kind::kVariable: {
          const std::optional<std::string_view> expected = TextOf(next, values);
          if (!expected) {
            return false;
          }
          matched = StartsWith(text.substr(at), *expected);
          at += matched ? expected->size() : 0;
          break;
        }
        case Kind::kOne:
        case Kind::kOneInPart:
          matched = at < text.size() && (next.kind == Kind::kOne || text[at] != ':');
          at += matched ? CharacterBytes(text, at) : 0;
          break;
        case Kind::kMany:
          if (piece + 1 == pieces_.size()) {
            return true;
          }
          many = {piece + 1, at};
          if (!resume()) {
            return false;
          }
          continue;
        case Kind::kManyInPart:
          many_in_part = {piece + 1, at};
          matched = true;
          break;
      }
    }
    if (matched) {
      ++piece;
    } else if (many_in_part.piece > 0 && many_in_part.at < text.size() &&
               text[many_in_part.at] != ':') {
      piece = many_in_part.piece;
      at = ++many_in_part.at;
    } else if (many.piece > 0 && many.at < text.size()) {
      ++many.at;
      if (!resume()) {
        return false;
      }
    } else {
      return false;
    }
  }
}

const std::string* Pattern::literal() const {
  static const std::string empty;
  if (pieces_.empty()) {
    return &empty;
  }
  return pieces_.size() == 1 && pieces_[0].kind == Kind::kText ? &pieces_[0].text : nullptr;
}

bool Pattern::matches_all() const { return pieces_.size() == 1 && pieces_[0].kind == Kind::kMany; }

bool Pattern::LacksValue(RequestValues& values) const {
  return has_variables_ && std::ranges::any_of(pieces_, [&](const Piece& piece) {
           return piece.kind == Kind::kVariable && !TextOf(piece, values);
         });
}

void Pattern::AddKeys(uint32_t& keys) const {
  for (const Piece& piece : pieces_) {
    if (piece.kind == Kind::kVariable) {
      keys |= uint32_t{1} << static_cast<unsigned>(piece.key);
    }
  }
}

}  // namespace tintype::access::internal
