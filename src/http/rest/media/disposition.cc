#include "http/rest/media/disposition.h"

#include "base/strings.h"

namespace tintype::http::rest {

std::string Disposition(Presentation presentation, std::string_view filename) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string plain;
  std::string encoded;
  for (const char c : filename) {
    const auto byte = static_cast<unsigned char>(c);
    const bool word = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                      c == '.' || c == '-' || c == '_';
    plain.push_back(word ? c : '_');
    if (word) {
      encoded.push_back(c);
    } else {
      StrAppend(encoded, '%', kDigits[byte >> 4], kDigits[byte & 0x0F]);
    }
  }
  return StrCat(presentation == Presentation::kInline ? "inline" : "attachment", "; filename=\"",
                plain, "\"; filename*=UTF-8''", encoded);
}

std::string RenamedFor(std::string_view filename, std::string_view media_type) {
  const std::string_view kind = media_type.substr(media_type.find('/') + 1);
  const size_t dot = filename.rfind('.');
  // A dot in front begins a name, not an extension.
  const std::string_view stem =
      dot == std::string_view::npos || dot == 0 ? filename : filename.substr(0, dot);
  return StrCat(stem, ".", kind == "jpeg" ? "jpg" : kind);
}

}  // namespace tintype::http::rest
