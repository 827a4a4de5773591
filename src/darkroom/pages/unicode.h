#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tintype::darkroom::pages {

/// The character that stands for what cannot be read.
inline constexpr char32_t kReplacement = 0xFFFD;

/// Characters of UTF-16, with kReplacement for surrogates without a partner.
std::u32string DecodeUtf16(std::u16string_view units);
/// Characters of UTF-8, or nothing when it is none. A character that the end cuts is left out.
std::u32string DecodeUtf8(std::string_view bytes);

/// Appends what a text may have: tab and line feed as they are, a space for any other control
/// character.
void AppendUtf8(std::string& text, char32_t character);

bool IsControl(char32_t character);

}  // namespace tintype::darkroom::pages
