#include "base/percent.h"

#include "base/numbers.h"

namespace tintype {
namespace {

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
