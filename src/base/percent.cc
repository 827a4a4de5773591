#include "base/percent.h"

#include "base/numbers.h"

namespace tintype {
namespace {

bool IsUnreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == '~';
}

/// The byte that stands at the front of `text`, which begins with a percent sign.
std::optional<uint8_t> EscapedByte(std::string_view text) {
  return text.size() < 3 ? std::nullopt : ParseInteger<uint8_t>(text.substr(1, 2), 16);
}

/// Calls `malformed` for a percent sign that escapes nothing; stops if that returns false.
template <typename Malformed>
bool Decode(std::string_view text, std::string& out, const Malformed& malformed) {
  out.reserve(text.size());
  while (!text.empty()) {
    if (text[0] != '%') {
      out.push_back(text[0]);
      text.remove_prefix(1);
    } else if (const std::optional<uint8_t> byte = EscapedByte(text)) {
      out.push_back(static_cast<char>(*byte));
      text.remove_prefix(3);
    } else if (malformed()) {
      out.push_back('%');
      text.remove_prefix(1);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

void AppendPercentEncoded(std::string& out, std::string_view text, bool keep_slash) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  for (const char c : text) {
    if (IsUnreserved(c) || (keep_slash && c == '/')) {
      out.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out.push_back('%');
      out.push_back(kDigits[byte >> 4]);
      out.push_back(kDigits[byte & 15]);
    }
  }
}

std::string PercentEncoded(std::string_view text, bool keep_slash) {
  std::string out;
  AppendPercentEncoded(out, text, keep_slash);
  return out;
}

std::optional<std::string> PercentDecode(std::string_view text) {
  std::string out;
  return Decode(text, out, [] { return false; }) ? std::optional(std::move(out)) : std::nullopt;
}

std::string PercentDecodeLenient(std::string_view text) {
  std::string out;
  Decode(text, out, [] { return true; });
  return out;
}

}  // namespace tintype
