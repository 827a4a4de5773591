#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Base64 (RFC 4648): with the usual digits and padding, or for URLs and without.
namespace tintype {

void AppendBase64(std::string& out, std::string_view bytes);
std::string Base64(std::string_view bytes);
/// The last digit has bits that no byte takes.
enum class StrayBits {
  kRefused,  ///< They are zero: one value has one text.
  kIgnored,  ///< They are anything, as in texts that people made.
};
/// The bytes again; nothing for anything that is no digit. Padding may be missing, but not wrong.
std::optional<std::string> ParseBase64(std::string_view text,
                                       StrayBits stray = StrayBits::kRefused);

/// With `-` and `_` instead of `+` and `/`, and without padding (section 5).
std::string Base64Url(std::string_view bytes);
/// Nothing for anything that Base64Url does not write.
std::optional<std::string> ParseBase64Url(std::string_view text);

}  // namespace tintype
