#pragma once

#include <optional>
#include <string>
#include <string_view>

/// `%XX`, as URLs and their like write bytes. A plus stays a plus.
namespace tintype {

/// Nothing when a percent sign is not followed by two hexadecimal digits.
std::optional<std::string> PercentDecode(std::string_view text);

/// The same, but leaves such a percent sign where it is.
std::string PercentDecodeLenient(std::string_view text);

}  // namespace tintype
