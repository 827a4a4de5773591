#include "words/characters.h"

#include <algorithm>
#include <array>

namespace tintype::words {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct ScriptRange {
  char32_t first;
  char32_t last;
  Script script;
};

// Sorted. What is in none is no letter.
constexpr std::array kScriptRanges = {
    ScriptRange{'A', 'Z', Script::kLatin},
    ScriptRange{'a', 'z', Script::kLatin},
    ScriptRange{0xAA, 0xAA, Script::kLatin},
    ScriptRange{0xB5, 0xB5, Script::kLatin},
    ScriptRange{0xBA, 0xBA, Script::kLatin},
    ScriptRange{0xC0, 0xD6, Script::kLatin},
    ScriptRange{0xD8, 0xF6, Script::kLatin},
    ScriptRange{0xF8, 0x2AF, Script::kLatin},
    ScriptRange{0x300, 0x36F, Script::kLatin},
    ScriptRange{0x370, 0x373, Script::kGreek},
    ScriptRange{0x376, 0x377, Script::kGreek},
    ScriptRange{0x37B, 0x37D, Script::kGreek},
    ScriptRange{0x37F, 0x37F, Script::kGreek},
    ScriptRange{0x386, 0x386, Script::kGreek},
    ScriptRange{0x388, 0x3FF, Script::kGreek},
    ScriptRange{0x400, 0x481, Script::kCyrillic},
    ScriptRange{0x483, 0x52F, Script::kCyrillic},
    ScriptRange{0x531, 0x556, Script::kOther},  // Armenian.
    ScriptRange{0x561, 0x587, Script::kOther},
    ScriptRange{0x591, 0x5BD, Script::kHebrew},
    ScriptRange{0x5BF, 0x5BF, Script::kHebrew},
    ScriptRange{0x5C1, 0x5C2, Script::kHebrew},
    ScriptRange{0x5C4, 0x5C5, Script::kHebrew},
    ScriptRange{0x5D0, 0x5F2, Script::kHebrew},
    ScriptRange{0x620, 0x65F, Script::kArabic},
    ScriptRange{0x66E, 0x6D3, Script::kArabic},
    ScriptRange{0x6D5, 0x6DC, Script::kArabic},
    ScriptRange{0x6E5, 0x6E6, Script::kArabic},
    ScriptRange{0x6FA, 0x6FF, Script::kArabic},
    ScriptRange{0x750, 0x77F, Script::kArabic},
    ScriptRange{0x8A0, 0x8FF, Script::kArabic},
    ScriptRange{0x900, 0x963, Script::kDevanagari},
    ScriptRange{0x971, 0x97F, Script::kDevanagari},
    ScriptRange{0x980, 0xDFF, Script::kOther},  // India's and Sri Lanka's other scripts.
    ScriptRange{0xE01, 0xE3A, Script::kThai},
    ScriptRange{0xE40, 0xE4E, Script::kThai},
    ScriptRange{0xE81, 0xEDF, Script::kOther},    // Lao.
    ScriptRange{0x10A0, 0x10FA, Script::kOther},  // Georgian.
    ScriptRange{0x1100, 0x11FF, Script::kHangul},
    ScriptRange{0x1200, 0x135F, Script::kOther},  // Ethiopic.
    ScriptRange{0x1780, 0x17D3, Script::kOther},  // Khmer.
    ScriptRange{0x1E00, 0x1EFF, Script::kLatin},
    ScriptRange{0x1F00, 0x1FFE, Script::kGreek},
    ScriptRange{0x3005, 0x3005, Script::kHan},
    ScriptRange{0x3041, 0x3096, Script::kHiragana},
    ScriptRange{0x309D, 0x309F, Script::kHiragana},
    ScriptRange{0x30A1, 0x30FA, Script::kKatakana},
    ScriptRange{0x30FC, 0x30FF, Script::kKatakana},
    ScriptRange{0x3131, 0x318E, Script::kHangul},
    ScriptRange{0x31F0, 0x31FF, Script::kKatakana},
    ScriptRange{0x3400, 0x4DBF, Script::kHan},
    ScriptRange{0x4E00, 0x9FFF, Script::kHan},
    ScriptRange{0xAC00, 0xD7A3, Script::kHangul},
    ScriptRange{0xF900, 0xFAFF, Script::kHan},
    ScriptRange{0xFB1D, 0xFB4F, Script::kHebrew},
    ScriptRange{0xFB50, 0xFDFB, Script::kArabic},
    ScriptRange{0xFE70, 0xFEFC, Script::kArabic},
    ScriptRange{0xFF21, 0xFF3A, Script::kLatin},
    ScriptRange{0xFF41, 0xFF5A, Script::kLatin},
    ScriptRange{0xFF66, 0xFF9D, Script::kKatakana},
    ScriptRange{0x20000, 0x323AF, Script::kHan},
};

}  // namespace

Decoded DecodeFirst(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) {
    return {first, 1};
  }
  const uint32_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes) {
    return {kReplacement, 1};
  }
  char32_t character = first & (0xFFU >> (bytes + 1));
  for (uint32_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80) {
      return {kReplacement, 1};
    }
    character = (character << 6U) | (next & 0x3FU);
  }
  const bool too_long = (bytes == 3 && character < 0x800) || (bytes == 4 && character < 0x10000);
  const bool is_none = character > 0x10FFFF || (character >= 0xD800 && character <= 0xDFFF);
  return too_long || is_none ? Decoded{kReplacement, 1} : Decoded{character, bytes};
}

std::string_view Bounded(std::string_view text) {
  if (text.size() <= kTextBytesMax) {
    return text;
  }
  // A character has four bytes at most: it begins in one of the last three, or is whole.
  for (size_t begin = kTextBytesMax - 3; begin < kTextBytesMax; ++begin) {
    if (begin + DecodeFirst(text.substr(begin)).bytes > kTextBytesMax) {
      return text.substr(0, begin);
    }
  }
  return text.substr(0, kTextBytesMax);
}

Script ScriptOf(char32_t character) {
  const auto* const after =
      std::ranges::upper_bound(kScriptRanges, character, {}, &ScriptRange::first);
  if (after == kScriptRanges.begin()) {
    return Script::kNone;
  }
  const ScriptRange& range = *(after - 1);
  return character <= range.last ? range.script : Script::kNone;
}

bool IsUnspaced(Script script) {
  return script == Script::kHan || script == Script::kHiragana || script == Script::kKatakana ||
         script == Script::kThai;
}

bool IsBlank(char32_t character) {
  return character == ' ' || (character >= '\t' && character <= '\r') || character == 0xA0 ||
         (character >= 0x2000 && character <= 0x200B) || character == 0x202F ||
         character == 0x3000 || character == 0xFEFF;
}

char32_t ToLower(char32_t c) {
  if (c < 0x80) {
    return c >= 'A' && c <= 'Z' ? c + 0x20 : c;
  }
  if ((c >= 0xC0 && c <= 0xDE && c != 0xD7) || (c >= 0x391 && c <= 0x3AB) ||
      (c >= 0x410 && c <= 0x42F)) {
    return c + 0x20;
  }
  if (c == 0x130) {
    return 'i';
  }
  if (c == 0x178) {
    return 0xFF;
  }
  // Pairs whose capital comes first: in some stretches it has the even number, in others the odd.
  const bool even_first = (c >= 0x100 && c <= 0x137) || (c >= 0x14A && c <= 0x177) ||
                          (c >= 0x1DE && c <= 0x1EF) || (c >= 0x1F8 && c <= 0x21F) ||
                          (c >= 0x222 && c <= 0x233) || (c >= 0x460 && c <= 0x481) ||
                          (c >= 0x48A && c <= 0x4BF) || (c >= 0x4D0 && c <= 0x52F) ||
                          (c >= 0x1E00 && c <= 0x1E95) || (c >= 0x1EA0 && c <= 0x1EFF);
  if (even_first) {
    return c | 1U;
  }
  const bool odd_first = (c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E) ||
                         (c >= 0x1CD && c <= 0x1DC) || (c >= 0x4C1 && c <= 0x4CE);
  if (odd_first) {
    return c % 2 == 1 ? c + 1 : c;
  }
  if (c >= 0x400 && c <= 0x40F) {
    return c + 0x50;
  }
  switch (c) {
    case 0x386:
      return 0x3AC;
    case 0x388:
    case 0x389:
    case 0x38A:
      return c + 0x25;
    case 0x38C:
      return 0x3CC;
    case 0x38E:
    case 0x38F:
      return c + 0x3F;
    case 0x4C0:
      return 0x4CF;
    case 0x1E9E:
      return 0xDF;
    default:
      return c >= 0xFF21 && c <= 0xFF3A ? c + 0x20 : c;
  }
}

void AppendUtf8(std::string& out, char32_t c) {
  const auto put = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0U | (c >> 6U));
    put(0x80U | (c & 0x3FU));
  } else if (c < 0x10000) {
    put(0xE0U | (c >> 12U));
    put(0x80U | ((c >> 6U) & 0x3FU));
    put(0x80U | (c & 0x3FU));
  } else {
    put(0xF0U | (c >> 18U));
    put(0x80U | ((c >> 12U) & 0x3FU));
    put(0x80U | ((c >> 6U) & 0x3FU));
    put(0x80U | (c & 0x3FU));
  }
}

std::string Lowered(std::string_view text) {
  std::string lowered;
  lowered.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = DecodeFirst(text.substr(at));
    const char32_t lower = ToLower(decoded.character);
    if (lower == decoded.character) {
      lowered.append(text.substr(at, decoded.bytes));
    } else {
      AppendUtf8(lowered, lower);
    }
    at += decoded.bytes;
  }
  return lowered;
}

bool BeginsUpper(std::string_view text) {
  if (text.empty()) {
    return false;
  }
  const char32_t first = DecodeFirst(text).character;
  return ToLower(first) != first;
}

}  // namespace tintype::words
