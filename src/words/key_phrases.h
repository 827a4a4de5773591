#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tintype::words {

struct KeyPhrase {
  std::string text;  ///< As it is where it is first mentioned.
  /// 0 to 1, 1 for the first: how much of a key phrase it is in comparison with the others. No
  /// probability.
  double score = 0;
  int64_t begin = 0;  ///< Of the first mention, in Unicode characters.
  int64_t end = 0;
  int64_t count = 0;  ///< How often it is mentioned, in upper or lower case.

  bool operator==(const KeyPhrase&) const = default;
};

inline constexpr size_t kKeyPhrasesMax = 100;

/// The phrases that say what a text is about, best first, by RAKE (rapid automatic keyword
/// extraction): phrases are the words between stop words, numbers and punctuation, up to four of
/// them; a word counts by how long the phrases are that it is in, and a phrase by its words and by
/// how often it is mentioned.
///
/// `language` is an ISO 639-1 code, or empty. Where there are no stop words for it
/// (stop_words.h), words of fewer than four letters take their place. What is written without
/// blanks is not taken apart into words: in Chinese, phrases are the characters between frequent
/// particles and pronouns, in Japanese runs of kanji or of katakana, in Thai the letters between
/// frequent function words. These are not always words, and those of more than twelve characters
/// are left out.
///
/// Takes time and memory in proportion to the text, of which it looks at kTextBytesMax.
std::vector<KeyPhrase> FindKeyPhrases(std::string_view text, std::string_view language);

}  // namespace tintype::words
