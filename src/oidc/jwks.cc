#include "oidc/jwks.h"

#include <utility>

#include "base/base64.h"
#include "base/strings.h"
#include "json/jwt.h"
#include "oidc/metadata.h"
#include "oidc/reasons.h"

namespace tintype::oidc {
namespace {

std::string BytesOf(const json::Value& object, std::string_view name) {
  return ParseBase64Url(TextOf(object, name)).value_or("");
}

std::optional<crypto::PublicKey> PublicKeyOf(const json::Value& jwk) {
  const std::string type = TextOf(jwk, "kty");
  Result<crypto::PublicKey> key = Error::Validation("The key is of another type.");
  if (type == "RSA") {
    key = crypto::PublicKey::Rsa(BytesOf(jwk, "n"), BytesOf(jwk, "e"));
  } else if (type == "EC" && TextOf(jwk, "crv") == "P-256") {
    key = crypto::PublicKey::P256(BytesOf(jwk, "x"), BytesOf(jwk, "y"));
  }
  return key.ok() ? std::optional(*std::move(key)) : std::nullopt;
}

std::optional<IssuerKey> IssuerKeyOf(const json::Value& jwk) {
  const std::string use = TextOf(jwk, "use");
  if (!use.empty() && use != "sig") {
    return std::nullopt;
  }
  std::optional<crypto::PublicKey> key = PublicKeyOf(jwk);
  if (!key) {
    return std::nullopt;
  }
  const std::string algorithm = TextOf(jwk, "alg");
  IssuerKey issuer_key{TextOf(jwk, "kid"), SignatureKindOf(algorithm), *std::move(key)};
  // One for another algorithm is for nothing that is accepted here.
  return algorithm.empty() || issuer_key.only ? std::optional(std::move(issuer_key)) : std::nullopt;
}

}  // namespace

std::optional<crypto::SignatureKind> SignatureKindOf(std::string_view algorithm) {
  if (algorithm == "RS256") {
    return crypto::SignatureKind::kRs256;
  }
  if (algorithm == "PS256") {
    return crypto::SignatureKind::kPs256;
  }
  if (algorithm == "ES256") {
    return crypto::SignatureKind::kEs256;
  }
  return std::nullopt;
}

Result<std::vector<IssuerKey>> ParseJwks(std::string_view document) {
  const Result<json::Value> parsed = json::Parse(document, kDocumentBytesMax);
  const json::Value* listed = parsed.ok() ? parsed->Find("keys") : nullptr;
  const json::Value::Array* jwks = listed == nullptr ? nullptr : listed->array();
  if (jwks == nullptr) {
    return Error(kIssuerUnavailable, "The issuer's keys are no JWKS document.");
  }
  if (jwks->size() > kKeysMax) {
    return Error(kIssuerUnavailable, StrCat("The issuer has ", jwks->size(), " keys; at most ",
                                            kKeysMax, " are read."));
  }
  std::vector<IssuerKey> keys;
  for (const json::Value& jwk : *jwks) {
    if (auto key = IssuerKeyOf(jwk)) {
      keys.push_back(*std::move(key));
    }
  }
  return keys;
}

}  // namespace tintype::oidc
