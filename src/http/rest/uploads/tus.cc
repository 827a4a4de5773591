#include "http/rest/uploads/tus.h"

#include <algorithm>
#include <utility>

#include "base/base64.h"
#include "base/strings.h"
#include "contexts/common/secrets.h"

namespace tintype::http::rest {
namespace {

/// Base64 with its usual digits; that padding is missing is forgiven.
Result<std::string> FromBase64(std::string_view text) {
  std::optional<std::string> bytes = ParseBase64(text);
  if (!bytes) {
    return Error::Validation("This is not base64.");
  }
  return *std::move(bytes);
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

}  // namespace tintype::http::rest
