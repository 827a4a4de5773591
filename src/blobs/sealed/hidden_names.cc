#include "blobs/sealed/hidden_names.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/strings.h"
#include "crypto/digest.h"
#include "crypto/gcm.h"

namespace tintype::blobs {
namespace {

constexpr char kMark = '~';
/// A file's name has at most 255 bytes: a longer one goes on in further components.
constexpr size_t kPartBytes = 240;

std::vector<std::string_view> SplitAtSlashes(std::string_view key) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= key.size();) {
    const size_t end = std::min(key.find('/', begin), key.size());
    parts.push_back(key.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<std::string> OpenComponent(const crypto::SecretKey& key, std::string_view text) {
  const auto sealed = ParseBase64Url(text);
  if (!sealed || sealed->size() < crypto::kGcmNonceBytes + crypto::kGcmTagBytes) {
    return std::nullopt;
  }
  const std::string_view bytes = *sealed;
  return crypto::OpenGcm(key.bytes(), bytes.substr(0, crypto::kGcmNonceBytes), "",
                         bytes.substr(crypto::kGcmNonceBytes));
}

}  // namespace

HiddenNames::HiddenNames(const SealingKeys& keys)
    : HiddenNames(crypto::DeriveSecretKeys(keys.oldest().key, "", "tintype blob names")) {}

std::string HiddenNames::HideComponent(std::string_view component) const {
  // Of the text itself: the same text has the same name, and no nonce is used for two.
  const auto digest = crypto::HmacSha256(for_nonce_.bytes(), component);
  const std::string_view nonce = crypto::Bytes(digest).substr(0, crypto::kGcmNonceBytes);
  const std::string text =
      Base64Url(StrCat(nonce, crypto::SealGcm(for_text_.bytes(), nonce, "", component)));
  std::string name;
  for (size_t at = 0; at < text.size(); at += kPartBytes) {
    StrAppend(name, at == 0 ? "" : "/", std::string_view(&kMark, 1), text.substr(at, kPartBytes));
  }
  return name;
}

std::string HiddenNames::Hide(std::string_view key) const {
  if (!HidesAnyOf(key)) {
    return std::string(key);
  }
  std::string name;
  for (const std::string_view component : SplitAtSlashes(key)) {
    StrAppend(name, name.empty() ? "" : "/",
              HidesAnyOf(component) ? HideComponent(component) : std::string(component));
  }
  return name;
}

std::string HiddenNames::Show(std::string_view name) const {
  if (name.find(kMark) == std::string_view::npos) {
    return std::string(name);
  }
  const std::vector<std::string_view> parts = SplitAtSlashes(name);
  std::vector<std::string> shown;
  for (size_t i = 0; i < parts.size(); ++i) {
    // All parts of one text but the last are as long as they may be.
    std::string text;
    size_t end = i;
    while (end < parts.size() && parts[end].starts_with(kMark)) {
      StrAppend(text, parts[end].substr(1));
      if (parts[end++].size() <= kPartBytes) {
        break;
      }
    }
    const auto opened = text.empty() ? std::nullopt : OpenComponent(for_text_, text);
    shown.push_back(opened ? *opened : std::string(parts[i]));
    i = opened ? end - 1 : i;
  }
  return StrJoin(shown, "/");
}

}  // namespace tintype::blobs
