#pragma once

#include <span>
#include <string_view>
#include <unordered_set>

namespace tintype::words {

/// The words of a language that hold its sentences together: they say which language it is, and
/// not what a text is about. In lower case.
struct StopWordList {
  std::string_view language;  // ISO 639-1.
  std::string_view words;     // With blanks between them.
};

/// A list for each language that is written with blanks between words and that we know.
std::span<const StopWordList> StopWordLists();

using StopWordSet = std::unordered_set<std::string_view>;
/// Those of one language; null for one without a list.
const StopWordSet* FindStopWords(std::string_view language);

}  // namespace tintype::words
