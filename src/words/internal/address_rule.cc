#include <algorithm>
#include <array>

#include "base/strings.h"
#include "words/internal/entity_rules.h"

namespace tintype::words::internal {
namespace {

constexpr size_t kUrlBytesMax = 2048;
constexpr size_t kLocalBytesMax = 64;
constexpr size_t kDomainBytesMax = 253;
constexpr double kAddressScore = 0.99;

bool IsAsciiLetter(char c) { return ToLower(c) >= 'a' && ToLower(c) <= 'z'; }
bool IsDomainPart(char c) { return IsAsciiLetter(c) || (c >= '0' && c <= '9') || c == '-'; }
bool IsLocalPart(char c) { return IsDomainPart(c) || c == '.' || c == '_' || c == '%' || c == '+'; }
bool IsOfUrl(char c) {
  return c > ' ' && c < 0x7F && std::string_view("<>\"`{}|\\^").find(c) == std::string_view::npos;
}

/// How long the domain is that a text begins with; 0 for none. It has a point, and letters behind
/// the last one.
size_t DomainBytes(std::string_view text) {
  text = text.substr(0, kDomainBytesMax);
  size_t end = 0;
  size_t points = 0;
  while (end < text.size() && (IsDomainPart(text[end]) || text[end] == '.')) {
    ++end;
  }
  while (end > 0 && (text[end - 1] == '.' || text[end - 1] == '-')) {
    --end;  // The end of a sentence.
  }
  for (size_t at = 0; at < end; ++at) {
    if (text[at] == '.') {
      ++points;
      if (at == 0 || text[at - 1] == '.') {
        return 0;
      }
    }
  }
  const std::string_view domain = text.substr(0, end);
  const std::string_view last = domain.substr(domain.rfind('.') + 1);
  return points > 0 && last.size() >= 2 && std::ranges::all_of(last, IsAsciiLetter) ? end : 0;
}

/// How long the address of a web page is that a text begins with; 0 for none.
size_t UrlBytes(std::string_view text) {
  constexpr auto kBegins =
      std::to_array<std::string_view>({"https://", "http://", "ftp://", "www."});
  text = text.substr(0, kUrlBytesMax);
  const auto* const begin = std::ranges::find_if(kBegins, [&](std::string_view each) {
    return text.size() > each.size() && EqualsIgnoreCase(text.substr(0, each.size()), each);
  });
  if (begin == kBegins.end() || !IsDomainPart(text[begin->size()]) ||
      (*begin == "www." && DomainBytes(text.substr(begin->size())) == 0)) {
    return 0;
  }
  size_t end = begin->size();
  while (end < text.size() && IsOfUrl(text[end])) {
    ++end;
  }
  // What ends a sentence, or a bracket around the address, is not of it.
  bool has_bracket = text.substr(0, end).find('(') != std::string_view::npos;
  while (std::string_view(".,;:!?'])*").find(text[end - 1]) != std::string_view::npos &&
         !(text[end - 1] == ')' && has_bracket)) {
    --end;
  }
  return end;
}

size_t EmailBytes(std::string_view text) {
  size_t at = 0;
  while (at < text.size() && at <= kLocalBytesMax && IsLocalPart(text[at])) {
    ++at;
  }
  if (at == 0 || at > kLocalBytesMax || at == text.size() || text[at] != '@') {
    return 0;
  }
  const size_t domain = DomainBytes(text.substr(at + 1));
  return domain == 0 ? 0 : at + 1 + domain;
}

}  // namespace

RuleMatch MatchUpTo(const RuleInput& input, size_t first, size_t end) {
  RuleMatch match;
  match.first = match.last = first;
  while (match.last + 1 < input.tokens.size() && input.tokens[match.last + 1].begin < end) {
    ++match.last;
  }
  const TextToken& last = input.tokens[match.last];
  match.last_bytes = last.end > end ? static_cast<uint32_t>(end - last.begin) : 0;
  return match;
}

RuleResult MatchAddress(const RuleInput& input, size_t at) {
  const TextToken& token = input.tokens[at];
  if (token.kind == TextToken::Kind::kMark) {
    return std::nullopt;
  }
  const std::string_view rest = input.text.substr(token.begin);
  size_t bytes = UrlBytes(rest);
  if (bytes == 0) {
    bytes = EmailBytes(rest);
  }
  if (bytes == 0) {
    return std::nullopt;
  }
  RuleMatch match = MatchUpTo(input, at, token.begin + bytes);
  match.type = EntityType::kOther;
  match.score = kAddressScore;
  return match;
}

}  // namespace tintype::words::internal
