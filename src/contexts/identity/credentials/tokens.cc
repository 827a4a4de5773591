#include "contexts/identity/credentials/tokens.h"

#include <algorithm>
#include <optional>

#include "base/base64.h"
#include "base/random.h"
#include "base/strings.h"
#include "contexts/identity/reasons.h"
#include "json/jwt.h"
#include "json/writer.h"

namespace tintype::contexts::identity {
namespace {

constexpr std::string_view kAudience = "tintype";
constexpr size_t kTokenBytesMax = 4096;
/// How far clocks of those who issue and those who check may be apart.
constexpr int64_t kLeewaySeconds = 60;

Error NotValid() { return {kNotLoggedIn, "The access token is not valid."}; }

}  // namespace

Result<std::unique_ptr<Tokens>> Tokens::Open(TokensConfig config, KeyRing& ring,
                                             const Clock& clock) {
  ASSIGN_OR_RETURN(const RingKeys keys, ring.ReadOrMake(MakeSecret));
  std::unique_ptr<Tokens> tokens(new Tokens(std::move(config), clock));
  RETURN_IF_ERROR(tokens->Take(keys));
  return tokens;
}

std::string Tokens::MakeSecret() { return SigningKey::Generate().Serialize(); }

std::chrono::seconds Tokens::LongestOf(const TokensConfig& config) {
  return config.kept + std::chrono::seconds(kLeewaySeconds);
}

Status Tokens::Take(const RingKeys& keys) {
  if (const auto before = known(); before != nullptr && before->ring == keys) {
    return OkStatus();
  }
  auto taken = std::make_shared<Known>();
  taken->ring = keys;
  for (const RingKey& key : keys) {
    ASSIGN_OR_RETURN(SigningKey parsed, SigningKey::Parse(key.secret));
    taken->keys.push_back(std::move(parsed));
  }
  {
    const MutexLock lock(mutex_);
    known_ = std::move(taken);
  }
  // Tokens signed by a key that was taken away are remembered as good.
  verified_.Clear();
  return OkStatus();
}

std::shared_ptr<const Tokens::Known> Tokens::known() const {
  const MutexLock lock(mutex_);
  return known_;
}

std::string Tokens::Issue(const Account& account, std::string_view session_id) const {
  const int64_t now_ms = clock_.NowMs();
  const int64_t now_s = now_ms / 1000;
  const auto keys = known();
  const SigningKey& key = keys->keys[SigningPlace(keys->ring, now_ms)];
  json::Writer header;
  header.OpenObject();
  header.Text("alg", "ES256");
  header.Text("typ", "JWT");
  header.Text("kid", key.id());
  header.CloseObject();
  json::Writer claims;
  claims.OpenObject();
  claims.Text("iss", config_.issuer);
  claims.Text("sub", account.id);
  claims.Text("aud", kAudience);
  claims.Integer("iat", now_s);
  claims.Integer("exp", now_s + config_.kept.count());
  claims.Text("jti", RandomUuid());
  claims.Text("sid", session_id);
  claims.Text("email", account.email);
  claims.Text("username", account.username);
  claims.Bool("admin", account.administrator);
  claims.CloseObject();
  const std::string text =
      StrCat(Base64Url(std::move(header).Take()), ".", Base64Url(std::move(claims).Take()));
  return StrCat(text, ".", Base64Url(key.Sign(text)));
}

Result<AccessClaims> Tokens::Verify(std::string_view token) const {
  if (token.size() > kTokenBytesMax) {
    return NotValid();
  }
  std::optional<AccessClaims> claims = verified_.Find(token);
  if (!claims) {
    const auto keys = known();
    ASSIGN_OR_RETURN(claims, VerifySignature(*keys, token));
    verified_.Add(token, *claims);
    if (known() != keys) {
      verified_.Clear();  // Perhaps the key was taken away meanwhile.
    }
  }
  // Each time, since a token that was good a moment ago may have expired.
  const int64_t now_s = clock_.NowMs() / 1000;
  if (claims->issued_s > now_s + kLeewaySeconds) {
    return NotValid();
  }
  if (claims->expires_s + kLeewaySeconds < now_s) {
    return Error(kNotLoggedIn, "The access token has expired.");
  }
  return *std::move(claims);
}

Result<AccessClaims> Tokens::VerifySignature(const Known& keys, std::string_view token) const {
  const Result<json::Jwt> jwt = json::ParseJwt(token, kTokenBytesMax);
  // The header decides nothing but by which of the keys: it has to say what is known already.
  if (!jwt.ok() || TextOf(jwt->header, "alg") != "ES256" || jwt->header.Find("crit") != nullptr) {
    return NotValid();
  }
  const auto named = std::ranges::find(keys.keys, TextOf(jwt->header, "kid"), &SigningKey::id);
  if (named == keys.keys.end()) {
    return NotValid();
  }
  const auto place = static_cast<size_t>(named - keys.keys.begin());
  if (!IsHonoured(keys.ring[place], clock_.NowMs()) ||
      !named->Verify(jwt->signed_text, jwt->signature)) {
    return NotValid();
  }
  const json::Value& claims = jwt->claims;
  if (TextOf(claims, "iss") != config_.issuer || TextOf(claims, "aud") != kAudience ||
      TextOf(claims, "sub").empty()) {
    return NotValid();
  }
  AccessClaims access;
  access.account.id = TextOf(claims, "sub");
  access.account.email = TextOf(claims, "email");
  access.account.username = TextOf(claims, "username");
  const json::Value* admin = claims.Find("admin");
  access.account.administrator = admin != nullptr && admin->boolean().value_or(false);
  access.session_id = TextOf(claims, "sid");
  access.issued_s = IntegerOf(claims, "iat");
  access.expires_s = IntegerOf(claims, "exp");
  return access;
}

std::string Tokens::Jwks() const {
  const auto keys = known();
  std::string listed;
  for (size_t i = 0; i < keys->keys.size(); ++i) {
    if (IsHonoured(keys->ring[i], clock_.NowMs())) {
      StrAppend(listed, listed.empty() ? "" : ",", keys->keys[i].PublicJwk());
    }
  }
  return StrCat(R"({"keys":[)", listed, "]}");
}

}  // namespace tintype::contexts::identity
