#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sigv4/sigv4.h"

/// What signing and verifying share beyond sigv4.h.
namespace tintype::sigv4 {

inline constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
inline constexpr std::string_view kTerminator = "aws4_request";

/// The scope as it stands in credentials and strings to sign.
void AppendScope(std::string& out, const SigningScope& scope);

/// The names of all headers, in ascending order, each once. Views into `headers`.
std::vector<std::string_view> NamesOf(const HeaderList& headers);

// Calls `use` with each part of `text` between separators.
template <typename Use>
void Split(std::string_view text, char separator, Use use) {
  for (;;) {
    const size_t end = text.find(separator);
    use(text.substr(0, end));
    if (end == std::string_view::npos) {
      return;
    }
    text.remove_prefix(end + 1);
  }
}

}  // namespace tintype::sigv4
