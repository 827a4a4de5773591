#include "darkroom/vision/speech/vocabulary.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/numbers.h"
#include "darkroom/failure.h"

namespace tintype::darkroom::vision {
namespace {

// In the order of their tokens. Javanese and Hebrew have the codes of today.
constexpr std::array<std::string_view, kLanguageCount> kLanguages = {
    "en", "zh", "de", "es",  "ru", "ko", "fr", "ja", "pt", "tr", "pl", "ca", "nl", "ar", "sv",
    "it", "id", "hi", "fi",  "vi", "he", "uk", "el", "ms", "cs", "ro", "da", "hu", "ta", "no",
    "th", "ur", "hr", "bg",  "lt", "la", "mi", "ml", "cy", "sk", "te", "fa", "lv", "bn", "sr",
    "az", "sl", "kn", "et",  "mk", "br", "eu", "is", "hy", "ne", "mn", "bs", "kk", "sq", "sw",
    "gl", "mr", "pa", "si",  "km", "sn", "yo", "so", "af", "oc", "ka", "be", "tg", "sd", "gu",
    "am", "yi", "lo", "uz",  "fo", "ht", "ps", "tk", "nn", "mt", "sa", "lb", "my", "bo", "tl",
    "mg", "as", "tt", "haw", "ln", "ha", "ba", "jv", "su"};
constexpr std::array<std::string_view, 6> kWithoutBlanks = {"zh", "ja", "th", "lo", "my", "km"};

// What Whisper's authors keep it from writing, alone and after a blank.
constexpr std::string_view kUnspoken[] = {
    "\"", "#", "(", ")", "*", "+", "/", ":", ";", "<", "=", ">", "@", "[", "\\", "]", "^", "_", "`",
    "{", "|", "}", "~", "「", "」", "『", "』", "<<", ">>", "<<<", ">>>", "--", "---", "-(", "-[",
    "('", "(\"", "((", "))", "(((", ")))", "[[", "]]", "{{", "}}", "♪♪", "♪♪♪", "♩", "♪", "♫", "♬",
    "♭", "♮", "♯",
    // How all of the latter begin.
    "\xE2\x99"};
constexpr std::string_view kUnspokenAfterBlank[] = {" -", " '"};

/// Reads the letters of a JSON string one after the other.
class Letters {
 public:
  /// `text` begins behind the opening quotation mark.
  explicit Letters(std::string_view text) : rest_(text) {}

  /// The next one; nothing at the closing mark, or where the text makes no sense.
  std::optional<uint32_t> Next() {
    if (rest_.empty() || rest_.front() == '"') {
      return std::nullopt;
    }
    return rest_.front() == '\\' ? Escaped() : Plain();
  }
  /// What is not read yet.
  std::string_view rest() const { return rest_; }

 private:
  std::optional<uint32_t> Escaped() {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (rest_.size() < 2) {
      return std::nullopt;
    }
    const char name = rest_[1];
    if (const size_t place = kNames.find(name); place != std::string_view::npos) {
      rest_.remove_prefix(2);
      return static_cast<unsigned char>(kMeanings[place]);
    }
    const std::string_view digits = rest_.substr(2, 4);
    const auto letter = ParseInteger<uint32_t>(digits, 16);
    if (name != 'u' || digits.size() != 4 || !letter) {
      return std::nullopt;
    }
    rest_.remove_prefix(6);
    return letter;
  }

  // Every byte has a letter below U+0800, so there are two bytes at most.
  std::optional<uint32_t> Plain() {
    const auto first = static_cast<unsigned char>(rest_[0]);
    if (first < 0x80) {
      rest_.remove_prefix(1);
      return first;
    }
    if ((first & 0xE0) != 0xC0 || rest_.size() < 2) {
      return std::nullopt;
    }
    const auto second = static_cast<unsigned char>(rest_[1]);
    rest_.remove_prefix(2);
    return ((first & 0x1FU) << 6) | (second & 0x3FU);
  }

  std::string_view rest_;
};

/// Which byte a letter stands for: those that can be printed for themselves, the others for letters
/// from U+0100 on.
std::map<uint32_t, char> BytesOfLetters() {
  std::map<uint32_t, char> bytes;
  uint32_t others = 0x100;
  for (uint32_t byte = 0; byte < 0x100; ++byte) {
    const bool prints = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) ||
                        (byte >= 0xAE && byte <= 0xFF);
    bytes[prints ? byte : others++] = static_cast<char>(byte);
  }
  return bytes;
}

void SkipBlanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

bool Skip(std::string_view& text, char expected) {
  SkipBlanks(text);
  if (!text.starts_with(expected)) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

/// The next token and its number, or nothing when there is something else.
std::optional<std::pair<std::string, int32_t>> ReadToken(std::string_view& json,
                                                         const std::map<uint32_t, char>& bytes) {
  if (!Skip(json, '"')) {
    return std::nullopt;
  }
  std::string text;
  Letters letters(json);
  while (const auto letter = letters.Next()) {
    const auto byte = bytes.find(*letter);
    if (byte == bytes.end()) {
      return std::nullopt;
    }
    text += byte->second;
  }
  json = letters.rest();
  if (!Skip(json, '"') || !Skip(json, ':')) {
    return std::nullopt;
  }
  SkipBlanks(json);
  const size_t digits = std::min(json.find_first_not_of("0123456789"), json.size());
  const auto number = ParseDigits<int32_t>(json.substr(0, digits));
  json.remove_prefix(digits);
  if (!number || *number >= kTokenCount) {
    return std::nullopt;
  }
  return std::pair(std::move(text), *number);
}

}  // namespace

std::string_view LanguageOf(int32_t token) {
  const int32_t place = token - kFirstLanguageToken;
  return place >= 0 && place < kLanguageCount ? kLanguages[static_cast<size_t>(place)] : "";
}

std::optional<int32_t> TokenOfLanguage(std::string_view language) {
  const auto found = std::ranges::find(kLanguages, language);
  return found == kLanguages.end()
             ? std::nullopt
             : std::optional(kFirstLanguageToken +
                             static_cast<int32_t>(found - kLanguages.begin()));
}

bool HasNoBlanks(std::string_view language) {
  return std::ranges::find(kWithoutBlanks, language) != kWithoutBlanks.end();
}

Result<Vocabulary> Vocabulary::Parse(std::string_view json) {
  const Error wrong =
      MakeFailure(FailureKind::kNotRunning, "The vocabulary of a model cannot be read");
  const std::map<uint32_t, char> bytes = BytesOfLetters();
  Vocabulary vocabulary;
  vocabulary.texts_.resize(static_cast<size_t>(kEndToken));
  std::map<std::string, int32_t, std::less<>> numbers;
  if (!Skip(json, '{')) {
    return wrong;
  }
  do {
    auto token = ReadToken(json, bytes);
    if (!token) {
      return wrong;
    }
    if (token->second < kEndToken) {
      vocabulary.texts_[static_cast<size_t>(token->second)] = token->first;
      numbers.insert(std::move(*token));
    }
  } while (Skip(json, ','));
  if (!Skip(json, '}')) {
    return wrong;
  }
  const auto forbid = [&](std::string_view text) {
    if (const auto found = numbers.find(text); found != numbers.end()) {
      vocabulary.unspoken_.push_back(found->second);
    }
  };
  for (const std::string_view text : kUnspoken) {
    forbid(text);
    forbid(std::string(" ").append(text));
  }
  std::ranges::for_each(kUnspokenAfterBlank, forbid);
  std::ranges::sort(vocabulary.unspoken_);
  return vocabulary;
}

const std::string& Vocabulary::TextOf(int32_t token) const {
  static const std::string none;
  const auto place = static_cast<size_t>(token);
  return token >= 0 && place < texts_.size() ? texts_[place] : none;
}

}  // namespace tintype::darkroom::vision
