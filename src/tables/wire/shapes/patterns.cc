#include "tables/wire/internal/patterns.h"

#include <algorithm>

#include "tables/wire/internal/table_name.h"

namespace tintype::tables::wire {

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsAlphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c);
}

bool MatchesBucket(std::string_view text) {
  return text.size() >= 2 && IsAlphanumeric(text.front()) && IsAlphanumeric(text.back()) &&
         std::ranges::all_of(
             text, [](char c) { return IsAlphanumeric(c) || c == '.' || c == '-' || c == '_'; });
}

bool IsCsvHeaderCharacter(char c) { return c >= ' ' && c <= '~' && c != '"' && c != ','; }

/// Groups of 16 digits.
bool MatchesImportToken(std::string_view text) {
  return !text.empty() && text.size() % 16 == 0 &&
         std::ranges::all_of(text, [](char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); });
}

}  // namespace

bool Matches(std::string_view text, Pattern pattern) {
  switch (pattern) {
    case Pattern::kAny:
      return true;
    case Pattern::kName:
      return MatchesNamePattern(text);
    case Pattern::kTableName:
      return MatchesNamePattern(TableNameOf(text));
    case Pattern::kClientToken:
      return !text.empty() && text.find('$') == std::string_view::npos;
    case Pattern::kBucket:
      return MatchesBucket(text);
    case Pattern::kAccount:
      return text.size() == 12 && std::ranges::all_of(text, IsDigit);
    case Pattern::kCsvDelimiter:
      return text.size() == 1 &&
             std::string_view(",;:|\t ").find(text[0]) != std::string_view::npos;
    case Pattern::kCsvHeader:
      return std::ranges::all_of(text, IsCsvHeaderCharacter);
    case Pattern::kImportToken:
      return MatchesImportToken(text);
  }
  return false;
}

std::string_view PatternText(Pattern pattern) {
  switch (pattern) {
    case Pattern::kClientToken:
      return R"(^[^\$]+$)";
    case Pattern::kBucket:
      return R"(^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$)";
    case Pattern::kAccount:
      return "[0-9]{12}";
    case Pattern::kCsvDelimiter:
      return R"([,;:|\t ])";
    case Pattern::kCsvHeader:
      return R"([\x20-\x21\x23-\x2B\x2D-\x7E]*)";
    case Pattern::kImportToken:
      return "([0-9a-f]{16})+";
    default:
      return "[a-zA-Z0-9_.-]+";
  }
}

}  // namespace tintype::tables::wire
