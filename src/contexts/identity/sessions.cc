#include "contexts/identity/sessions.h"

#include <utility>

#include "base/base64.h"
#include "base/random.h"
#include "base/strings.h"
#include "contexts/common/expression.h"
#include "contexts/common/item.h"
#include "contexts/common/secrets.h"
#include "contexts/common/tables.h"
#include "contexts/identity/reasons.h"
#include "crypto/digest.h"

namespace tintype::contexts::identity {
namespace {

using tables::Value;

constexpr size_t kSecretBytes = 32;

tables::Item SessionKey(std::string_view id) {
  return ItemBuilder().Text("PK", StrCat("SESSION#", id)).Text("SK", "SESSION").Build();
}

Error NotLoggedIn() { return {kNotLoggedIn, "The session has ended. Log in again."}; }

/// `id.secret`, as a client holds it.
struct Token {
  std::string session_id;
  std::string secret;
};

Result<Token> ParseToken(std::string_view text) {
  constexpr size_t kTokenBytesMax = 128;
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos || text.size() > kTokenBytesMax) {
    return NotLoggedIn();
  }
  return Token{std::string(text.substr(0, dot)), std::string(text.substr(dot + 1))};
}

std::string HashOfSecret(std::string_view secret) { return crypto::Sha256Hex(secret); }

}  // namespace

Sessions::Sessions(SessionsConfig config, const Key256& key, tables::Database& database,
                   const Clock& clock)
    : config_(config), key_(key), database_(database), clock_(clock) {}

std::string Sessions::NextSecret(std::string_view session_id, std::string_view secret) const {
  return Base64Url(Hmac(key_, StrCat(session_id, ".", secret)));
}

int64_t Sessions::ExpirySeconds() const {
  return clock_.NowMs() / 1000 + std::chrono::seconds(config_.kept).count();
}

Result<Session> Sessions::Begin(const Account& account) {
  const std::string id = RandomUuid();
  const std::string secret = Base64Url(RandomBytes(kSecretBytes));
  tables::Item item = ItemBuilder()
                          .Text("PK", StrCat("SESSION#", id))
                          .Text("SK", "SESSION")
                          .Text("accountId", account.id)
                          .Integer("generation", account.session_generation)
                          .Text("tokenHash", HashOfSecret(secret))
                          .Integer("createdAt", clock_.NowMs())
                          .Integer("ttl", ExpirySeconds())
                          .Build();
  RETURN_IF_ERROR(database_.PutItem({std::string(kSystemTable), std::move(item), {}}));
  return Session{id, account.id, StrCat(id, ".", secret), account.session_generation};
}

Result<Session> Sessions::Refresh(std::string_view refresh_token) {
  ASSIGN_OR_RETURN(const Token token, ParseToken(refresh_token));
  ASSIGN_OR_RETURN(const auto found, database_.GetItem({.table = std::string(kSystemTable),
                                                        .key = SessionKey(token.session_id),
                                                        .projection = {},
                                                        .consistent_read = true}));
  const int64_t now_ms = clock_.NowMs();
  if (!found.item || ItemReader(*found.item).Integer("ttl") * 1000 <= now_ms) {
    return NotLoggedIn();
  }
  const ItemReader read(*found.item);
  const std::string hash = HashOfSecret(token.secret);
  const std::string next = NextSecret(token.session_id, token.secret);
  const Session session{token.session_id, read.Text("accountId"),
                        StrCat(token.session_id, ".", next), read.Integer("generation")};
  const bool replaced_just_now =
      crypto::EqualInConstantTime(hash, read.Text("previousHash")) &&
      now_ms - read.Integer("replacedAt") <= std::chrono::milliseconds(config_.grace).count();
  if (replaced_just_now) {
    return session;
  }
  if (!crypto::EqualInConstantTime(hash, read.Text("tokenHash"))) {
    RETURN_IF_ERROR(EndById(token.session_id));
    return NotLoggedIn();
  }
  const Status replaced = Replace(token.session_id, hash, next);
  // Whoever was quicker with the same token got the same next one.
  if (!replaced.ok() && replaced.error().kind() != ErrorKind::kConditionFailed) {
    return replaced.error();
  }
  return session;
}

Status Sessions::Replace(std::string_view session_id, std::string_view current_hash,
                         std::string_view secret) {
  UpdateWithCondition update =
      UpdateIf("SET tokenHash = :new, previousHash = :current, replacedAt = :now, #ttl = :ttl",
               "tokenHash = :current",
               {{{"#ttl", "ttl"}},
                {{":new", Value::String(HashOfSecret(secret))},
                 {":current", Value::String(current_hash)},
                 {":now", Value::Integer(clock_.NowMs())},
                 {":ttl", Value::Integer(ExpirySeconds())}}});
  tables::UpdateItemRequest request{
      std::string(kSystemTable), SessionKey(session_id), std::move(update.update), {}};
  request.options.condition = std::move(update.condition);
  RETURN_IF_ERROR(database_.UpdateItem(std::move(request)));
  return OkStatus();
}

Status Sessions::EndById(std::string_view session_id) {
  RETURN_IF_ERROR(database_.DeleteItem({std::string(kSystemTable), SessionKey(session_id), {}}));
  return OkStatus();
}

}  // namespace tintype::contexts::identity
