#include "http/rest/media/accept.h"

#include <algorithm>

#include "base/strings.h"

namespace tintype::http::rest {
namespace {

/// The first part of `text` up to a separator, which is taken off it with that.
std::string_view TakePart(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = Trim(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

/// A weight in thousandths: `1`, `0.85`. Anything else counts as 0.
int WeightOf(std::string_view text) {
  constexpr size_t kBytesMax = 5;  // "0.123"
  if (text.empty() || text.size() > kBytesMax || (text[0] != '0' && text[0] != '1') ||
      (text.size() > 1 && text[1] != '.')) {
    return 0;
  }
  int weight = (text[0] - '0') * 1000;
  int unit = 100;
  for (size_t i = 2; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') {
      return 0;
    }
    weight += (text[i] - '0') * unit;
    unit /= 10;
  }
  return std::min(weight, 1000);
}

/// How much a client wants just this type; 0 when it does not name it.
int WeightOfType(std::string_view accept, std::string_view type) {
  while (!accept.empty()) {
    std::string_view range = TakePart(accept, ',');
    if (!EqualsIgnoreCase(TakePart(range, ';'), type)) {
      continue;
    }
    int weight = 1000;
    while (!range.empty()) {
      std::string_view value = TakePart(range, ';');
      if (EqualsIgnoreCase(TakePart(value, '='), "q")) {
        weight = WeightOf(Trim(value));
      }
    }
    return weight;
  }
  return 0;
}

}  // namespace

darkroom::OutputFormat ChooseFormat(std::string_view accept) {
  const int webp = WeightOfType(accept, "image/webp");
  const int avif = WeightOfType(accept, "image/avif");
  const int jpeg = WeightOfType(accept, "image/jpeg");
  if (avif > webp && avif >= jpeg) {
    return darkroom::OutputFormat::kAvif;
  }
  return webp > 0 && webp >= jpeg ? darkroom::OutputFormat::kWebp : darkroom::OutputFormat::kJpeg;
}

}  // namespace tintype::http::rest
