#include "http/rest/uploads/tus.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/strings.h"
#include "contexts/common/secrets.h"

namespace tintype::http::rest {
namespace {

/// Base64 with its usual digits; that padding is missing is forgiven.
Result<std::string> FromBase64(std::string_view text) {
  const size_t end = std::min(text.find_last_not_of('=') + 1, text.size());
  if (text.size() - end > 2) {
    return Error::Validation("This is not base64.");
  }
  std::string digits(text.substr(0, end));
  if (digits.find_first_of("-_") != std::string::npos) {
    return Error::Validation("This is not base64.");
  }
  std::ranges::replace(digits, '+', '-');
  std::ranges::replace(digits, '/', '_');
  return contexts::FromBase64Url(digits);
}

/// What stands before the first `separator`, which is taken away with it.
std::string_view Next(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

}  // namespace

Result<TusMetadata> ParseTusMetadata(std::string_view header) {
  TusMetadata metadata;
  header = Trim(header);
  while (!header.empty()) {
    std::string_view pair = Trim(Next(header, ','));
    const std::string name(Next(pair, ' '));
    if (name.empty()) {
      return Error::Validation("Upload-Metadata has a value without a name.");
    }
    if (std::ranges::any_of(name, [](unsigned char c) { return c <= ' ' || c == 0x7F; })) {
      return Error::Validation("Upload-Metadata has a name with blanks in it.");
    }
    Result<std::string> value = FromBase64(Trim(pair));
    if (!value.ok()) {
      return Error::Validation(StrCat("Upload-Metadata: `", name, "` is not in base64."));
    }
    if (!metadata.emplace(name, *std::move(value)).second) {
      return Error::Validation(StrCat("Upload-Metadata has `", name, "` twice."));
    }
  }
  return metadata;
}

Result<TusChecksum> ParseTusChecksum(std::string_view header) {
  header = Trim(header);
  const std::string algorithm(Next(header, ' '));
  Result<std::string> digest = FromBase64(Trim(header));
  if (algorithm.empty() || !digest.ok() || digest->empty()) {
    return Error::Validation("Upload-Checksum is the name of an algorithm and a value in base64.");
  }
  return TusChecksum{algorithm, *std::move(digest)};
}

std::optional<int64_t> ParseTusNumber(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool digits = !text.empty() && text.front() >= '0' && text.front() <= '9';
  return digits && error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                            : std::nullopt;
}

}  // namespace tintype::http::rest
