#include "contexts/identity/tokens.h"

#include <optional>
#include <utility>

#include "base/base64.h"
#include "base/random.h"
#include "base/strings.h"
#include "contexts/common/expression.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"
#include "contexts/identity/reasons.h"
#include "json/jwt.h"
#include "json/writer.h"

namespace tintype::contexts::identity {
namespace {

constexpr std::string_view kAudience = "tintype";
constexpr std::string_view kSealedFor = "access-token-key";
constexpr size_t kTokenBytesMax = 4096;
/// How far clocks of those who issue and those who check may be apart.
constexpr int64_t kLeewaySeconds = 60;

tables::Item SigningKeyKey() {
  return ItemBuilder().Text("PK", "KEY#access-tokens").Text("SK", "KEY").Build();
}

Error NotValid() { return {kNotLoggedIn, "The access token is not valid."}; }

/// The stored key, if there is one.
Result<std::optional<SigningKey>> LoadKey(tables::BlockingDatabase& database,
                                          const Key256& sealing_key) {
  ASSIGN_OR_RETURN(const auto found, database.GetItem({.table = std::string(kSystemTable),
                                                       .key = SigningKeyKey(),
                                                       .projection = {},
                                                       .consistent_read = true}));
  if (!found.item) {
    return std::optional<SigningKey>();
  }
  // Anything else than base64 is no sealed text either.
  const std::string sealed = ParseBase64Url(ItemReader(*found.item).Text("sealed")).value_or("");
  ASSIGN_OR_RETURN(const std::string serialized, Unseal(sealing_key, kSealedFor, sealed));
  ASSIGN_OR_RETURN(SigningKey key, SigningKey::Parse(serialized));
  return std::optional<SigningKey>(std::move(key));
}

/// Stores a new key unless there is one.
Status StoreNewKey(tables::BlockingDatabase& database, const Key256& sealing_key) {
  tables::PutItemRequest put;
  put.table = std::string(kSystemTable);
  put.item = ItemBuilder()
                 .Text("PK", "KEY#access-tokens")
                 .Text("SK", "KEY")
                 .Text("sealed",
                       Base64Url(Seal(sealing_key, kSealedFor, SigningKey::Generate().Serialize())))
                 .Build();
  put.options.condition = ConditionOf("attribute_not_exists(PK)", {});
  const auto stored = database.PutItem(std::move(put));
  if (!stored.ok() && stored.error().kind() != ErrorKind::kConditionFailed) {
    return stored.error();
  }
  return OkStatus();
}

}  // namespace

Result<std::unique_ptr<Tokens>> Tokens::Open(TokensConfig config, const Key256& sealing_key,
                                             tables::Database& database, const Clock& clock) {
  tables::BlockingDatabase blocking(database);
  ASSIGN_OR_RETURN(std::optional<SigningKey> key, LoadKey(blocking, sealing_key));
  if (!key) {
    RETURN_IF_ERROR(StoreNewKey(blocking, sealing_key));
    ASSIGN_OR_RETURN(key, LoadKey(blocking, sealing_key));
  }
  if (!key) {
    return Error::Internal("the key for access tokens vanished");
  }
  return std::unique_ptr<Tokens>(new Tokens(std::move(config), clock, *std::move(key)));
}

Status Tokens::CheckSealingKey(const Key256& sealing_key, tables::Database& database) {
  tables::BlockingDatabase blocking(database);
  const auto key = LoadKey(blocking, sealing_key);
  return key.ok() || key.error().Is(ErrorKind::kNotFound) ? OkStatus() : Status(key.error());
}

Tokens::Tokens(TokensConfig config, const Clock& clock, SigningKey key)
    : config_(std::move(config)), clock_(clock), key_(std::move(key)) {}

std::string Tokens::Issue(const Account& account, std::string_view session_id) const {
  const int64_t now_s = clock_.NowMs() / 1000;
  json::Writer header;
  header.OpenObject();
  header.Text("alg", "ES256");
  header.Text("typ", "JWT");
  header.Text("kid", key_.id());
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
  return StrCat(text, ".", Base64Url(key_.Sign(text)));
}

Result<AccessClaims> Tokens::Verify(std::string_view token) const {
  if (token.size() > kTokenBytesMax) {
    return NotValid();
  }
  std::optional<AccessClaims> claims = verified_.Find(token);
  if (!claims) {
    ASSIGN_OR_RETURN(claims, VerifySignature(token));
    verified_.Add(token, *claims);
  }
  // Each time, since what was good a moment ago may have expired.
  const int64_t now_s = clock_.NowMs() / 1000;
  if (claims->issued_s > now_s + kLeewaySeconds) {
    return NotValid();
  }
  if (claims->expires_s + kLeewaySeconds < now_s) {
    return Error(kNotLoggedIn, "The access token has expired.");
  }
  return *std::move(claims);
}

Result<AccessClaims> Tokens::VerifySignature(std::string_view token) const {
  const Result<json::Jwt> jwt = json::ParseJwt(token, kTokenBytesMax);
  // The header decides nothing: it has to say what is known already.
  if (!jwt.ok() || TextOf(jwt->header, "alg") != "ES256" ||
      TextOf(jwt->header, "kid") != key_.id() || jwt->header.Find("crit") != nullptr ||
      !key_.Verify(jwt->signed_text, jwt->signature)) {
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

std::string Tokens::Jwks() const { return StrCat(R"({"keys":[)", key_.PublicJwk(), "]}"); }

}  // namespace tintype::contexts::identity
