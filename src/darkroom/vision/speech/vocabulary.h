#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tintype::darkroom::vision {

// Tokens of Whisper's multilingual models. Those before kEndToken are pieces of text.
inline constexpr int32_t kEndToken = 50257;
inline constexpr int32_t kStartToken = 50258;
inline constexpr int32_t kFirstLanguageToken = 50259;
inline constexpr int32_t kTranscribeToken = 50359;
inline constexpr int32_t kNoSpeechToken = 50362;
/// Times in a window, in steps of 20 milliseconds.
inline constexpr int32_t kFirstTimeToken = 50364;
inline constexpr int32_t kTimesPerSecond = 50;
inline constexpr int32_t kTokenCount = 51865;

/// What the model calls a language, as Transcript has it. Empty for a token that is none.
std::string_view LanguageOf(int32_t token);
/// Nothing for a language that the model does not know.
std::optional<int32_t> TokenOfLanguage(std::string_view language);
inline constexpr int32_t kLanguageCount = 99;
/// Whether words are written without blanks between them.
bool HasNoBlanks(std::string_view language);

/// What tokens stand for. Immutable; thread-safe.
class Vocabulary {
 public:
  /// Reads Whisper's vocab.json: an object of tokens, in which each byte is a letter. Errors: it is
  /// none.
  static Result<Vocabulary> Parse(std::string_view json);

  /// The bytes of a token; none of one that is no text. A character may have several tokens.
  const std::string& TextOf(int32_t token) const;
  /// Tokens of what nobody says: brackets around what is heard, notes of music.
  const std::vector<int32_t>& unspoken() const { return unspoken_; }

 private:
  std::vector<std::string> texts_;
  std::vector<int32_t> unspoken_;
};

}  // namespace tintype::darkroom::vision
