#pragma once

#include <optional>
#include <string>
#include <string_view>

/// `%XX`, as URLs and their like write bytes. A plus stays a plus.
namespace tintype {

/// Text as a part of a path or query: all but letters, digits and `-_.~` as %XX (RFC 3986). A path
/// keeps its slashes.
void AppendPercentEncoded(std::string& out, std::string_view text, bool keep_slash = false);
std::string PercentEncoded(std::string_view text, bool keep_slash = false);

/// Nothing when a percent sign is not followed by two hexadecimal digits.
std::optional<std::string> PercentDecode(std::string_view text);

/// The same, but leaves such a percent sign where it is.
std::string PercentDecodeLenient(std::string_view text);

}  // namespace tintype
