#pragma once

#include <string>
#include <string_view>

namespace tintype::http::rest {

enum class Presentation { kInline, kAttachment };

/// The value of `Content-Disposition` (RFC 6266): with the name in full as RFC 8187 encodes it, and
/// for those who do not read that, in letters, digits and underscores.
std::string Disposition(Presentation presentation, std::string_view filename);

/// The name of a file that was made of another: the same with the extension of its type,
/// `image/jpeg` and so on.
std::string RenamedFor(std::string_view filename, std::string_view media_type);

}  // namespace tintype::http::rest
