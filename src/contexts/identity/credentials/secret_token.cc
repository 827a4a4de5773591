#include "contexts/identity/credentials/secret_token.h"

#include <utility>

#include "base/base64.h"
#include "base/random.h"
#include "base/strings.h"
#include "crypto/digest.h"

namespace tintype::contexts::identity {
namespace {

constexpr size_t kSecretBytes = 32;
constexpr size_t kTokenTextMax = 128;

}  // namespace

SecretToken SecretToken::Make(std::string id) {
  return {std::move(id), Base64Url(RandomBytes(kSecretBytes))};
}

std::optional<SecretToken> SecretToken::Parse(std::string_view text) {
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == text.size() ||
      text.size() > kTokenTextMax) {
    return std::nullopt;
  }
  return SecretToken{std::string(text.substr(0, dot)), std::string(text.substr(dot + 1))};
}

std::string SecretToken::Text() const { return StrCat(id, ".", secret); }

std::string SecretToken::Hash() const { return crypto::Sha256Hex(secret); }

bool SecretToken::Matches(std::string_view hash) const {
  return crypto::EqualInConstantTime(Hash(), hash);
}

}  // namespace tintype::contexts::identity
