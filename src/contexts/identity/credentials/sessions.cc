#include "contexts/identity/credentials/sessions.h"

#include <algorithm>
#include <utility>

#include "base/base64.h"
#include "base/random.h"
#include "base/strings.h"
#include "contexts/common/expression.h"
#include "contexts/common/item.h"
#include "contexts/common/secrets.h"
#include "contexts/common/tables.h"
#include "contexts/identity/accounts/account_index.h"
#include "contexts/identity/reasons.h"

namespace tintype::contexts::identity {
namespace {

using tables::Value;

constexpr std::string_view kSessionPrefix = "SESSION#";
/// Enough to tell browsers apart.
constexpr size_t kUserAgentBytesMax = 300;

Error NotLoggedIn() { return {kNotLoggedIn, "The session has ended. Log in again."}; }

/// What is kept of the name that a client gives itself, which may be anything: printable ASCII.
std::string KeptUserAgent(std::string_view text) {
  std::string kept(text.substr(0, kUserAgentBytesMax));
  std::erase_if(kept, [](char c) { return c < ' ' || c > '~'; });
  return kept;
}

/// When the session ends at the latest. Those from before ends were recorded have the one of a
/// session that begins when it is asked for.
int64_t EndOf(const ItemReader& session, const SessionsConfig& config, int64_t now_ms) {
  return session.Integer("endsAt", now_ms + std::chrono::milliseconds(config.age_max).count());
}

}  // namespace

Sessions::Sessions(SessionsConfig config, const Key256& key, tables::Database& database,
                   const Clock& clock)
    : config_(config), key_(key), database_(database), clock_(clock) {}

tables::Item Sessions::KeyOf(std::string_view session_id) {
  return ItemBuilder().Text("PK", StrCat(kSessionPrefix, session_id)).Text("SK", "SESSION").Build();
}

bool Sessions::IsLive(const ItemReader& session, const Account& account, int64_t now_ms) {
  return session.Text("accountId") == account.id &&
         session.Integer("generation") == account.session_generation &&
         session.Integer("ttl") * 1000 > now_ms;
}

SecretToken Sessions::NextToken(const SecretToken& token) const {
  return {token.id, Base64Url(Hmac(key_, token.Text()))};
}

int64_t Sessions::ExpirySeconds(int64_t ends_ms) const {
  const int64_t unused_s = clock_.NowMs() / 1000 + std::chrono::seconds(config_.kept).count();
  return std::min(unused_s, ends_ms / 1000);
}

Result<Session> Sessions::Begin(const Account& account, const SessionUse& use) {
  const SecretToken token = SecretToken::Make(RandomUuid());
  const int64_t now_ms = clock_.NowMs();
  const int64_t ends_ms = now_ms + std::chrono::milliseconds(config_.age_max).count();
  tables::Item item = ItemBuilder()
                          .Text("PK", StrCat(kSessionPrefix, token.id))
                          .Text("SK", "SESSION")
                          .Text("GSI1PK", AccountPartition(account.id))
                          .Text("GSI1SK", StrCat(kSessionPrefix, token.id))
                          .Text("accountId", account.id)
                          .Integer("generation", account.session_generation)
                          .Text("tokenHash", token.Hash())
                          .Integer("createdAt", now_ms)
                          .Integer("lastUsedAt", now_ms)
                          .Integer("endsAt", ends_ms)
                          .Text("address", use.address)
                          .Text("userAgent", KeptUserAgent(use.user_agent))
                          .Integer("ttl", ExpirySeconds(ends_ms))
                          .Build();
  RETURN_IF_ERROR(database_.PutItem({std::string(kSystemTable), std::move(item), {}}));
  return Session{token.id, account.id, token.Text(), account.session_generation};
}

Result<Session> Sessions::Refresh(std::string_view refresh_token, const SessionUse& use) {
  const std::optional<SecretToken> token = SecretToken::Parse(refresh_token);
  if (!token) {
    return NotLoggedIn();
  }
  ASSIGN_OR_RETURN(const auto found, database_.GetItem({.table = std::string(kSystemTable),
                                                        .key = KeyOf(token->id),
                                                        .projection = {},
                                                        .consistent_read = true}));
  const int64_t now_ms = clock_.NowMs();
  if (!found.item || ItemReader(*found.item).Integer("ttl") * 1000 <= now_ms) {
    return NotLoggedIn();
  }
  const ItemReader read(*found.item);
  const SecretToken next = NextToken(*token);
  const Session session{token->id, read.Text("accountId"), next.Text(), read.Integer("generation")};
  const bool replaced_just_now =
      token->Matches(read.Text("previousHash")) &&
      now_ms - read.Integer("replacedAt") <= std::chrono::milliseconds(config_.grace).count();
  if (replaced_just_now) {
    return session;
  }
  if (!token->Matches(read.Text("tokenHash"))) {
    RETURN_IF_ERROR(EndById(token->id));
    return NotLoggedIn();
  }
  const Status replaced = Replace(next, token->Hash(), read, use);
  // A caller that was quicker with the same token got the same next one.
  if (!replaced.ok() && replaced.error().kind() != ErrorKind::kConditionFailed) {
    return replaced.error();
  }
  return session;
}

Status Sessions::Replace(const SecretToken& next, std::string_view current_hash,
                         const ItemReader& session, const SessionUse& use) {
  const int64_t now_ms = clock_.NowMs();
  const int64_t ends_ms = EndOf(session, config_, now_ms);
  // The keys of the index too: sessions from before have none.
  UpdateWithCondition update = UpdateIf(
      "SET tokenHash = :new, previousHash = :current, replacedAt = :now, #ttl = :ttl, "
      "lastUsedAt = :now, endsAt = :ends, address = :address, userAgent = :agent, "
      "GSI1PK = :account, GSI1SK = :session",
      "tokenHash = :current",
      {{{"#ttl", "ttl"}},
       {{":new", Value::String(next.Hash())},
        {":current", Value::String(current_hash)},
        {":now", Value::Integer(now_ms)},
        {":ttl", Value::Integer(ExpirySeconds(ends_ms))},
        {":ends", Value::Integer(ends_ms)},
        {":address", Value::String(use.address)},
        {":agent", Value::String(KeptUserAgent(use.user_agent))},
        {":account", Value::String(AccountPartition(session.Text("accountId")))},
        {":session", Value::String(StrCat(kSessionPrefix, next.id))}}});
  tables::UpdateItemRequest request{
      std::string(kSystemTable), KeyOf(next.id), std::move(update.update), {}};
  request.options.condition = std::move(update.condition);
  RETURN_IF_ERROR(database_.UpdateItem(std::move(request)));
  return OkStatus();
}

Result<int64_t> Sessions::BeganAt(std::string_view session_id) {
  ASSIGN_OR_RETURN(const auto found, database_.GetItem({.table = std::string(kSystemTable),
                                                        .key = KeyOf(session_id),
                                                        .projection = {},
                                                        .consistent_read = true}));
  if (!found.item) {
    return NotLoggedIn();
  }
  return ItemReader(*found.item).Integer("createdAt");
}

Status Sessions::EndById(std::string_view session_id) {
  RETURN_IF_ERROR(database_.DeleteItem({std::string(kSystemTable), KeyOf(session_id), {}}));
  return OkStatus();
}

Result<std::vector<tables::Item>> Sessions::ListItems(std::string_view account_id) {
  return ListOfAccount(database_, account_id, kSessionPrefix);
}

Result<std::vector<ListedSession>> Sessions::List(const Account& account) {
  ASSIGN_OR_RETURN(const auto items, ListItems(account.id));
  const int64_t now_ms = clock_.NowMs();
  std::vector<ListedSession> listed;
  for (const tables::Item& item : items) {
    const ItemReader read(item);
    if (IsLive(read, account, now_ms)) {
      listed.push_back({read.Text("PK").substr(kSessionPrefix.size()),
                        read.Integer("createdAt"),
                        read.Integer("lastUsedAt"),
                        read.Integer("endsAt"),
                        {read.Text("address"), read.Text("userAgent")}});
    }
  }
  std::ranges::sort(listed, std::ranges::greater(), &ListedSession::created_ms);
  return listed;
}

Status Sessions::End(const Account& account, std::string_view session_id) {
  tables::DeleteItemRequest request{std::string(kSystemTable), KeyOf(session_id), {}};
  request.options.condition =
      ConditionOf("accountId = :account", {{}, {{":account", Value::String(account.id)}}});
  const auto ended = database_.DeleteItem(std::move(request));
  if (!ended.ok() && ended.error().kind() == ErrorKind::kConditionFailed) {
    return Error::NotFound("There is no such session.");
  }
  return ended.ok() ? OkStatus() : Status(ended.error());
}

Status Sessions::EndAll(std::string_view account_id, std::string_view except) {
  ASSIGN_OR_RETURN(const auto items, ListItems(account_id));
  for (const tables::Item& item : items) {
    const std::string id = ItemReader(item).Text("PK").substr(kSessionPrefix.size());
    if (id != except) {
      RETURN_IF_ERROR(EndById(id));
    }
  }
  return OkStatus();
}

Piece Sessions::KeepIn(std::string_view session_id, int64_t generation) {
  return UpdatePiece(std::string(kSystemTable), KeyOf(session_id),
                     UpdateIf("SET generation = :generation", "attribute_exists(PK)",
                              {{}, {{":generation", Value::Integer(generation)}}}),
                     NotLoggedIn());
}

}  // namespace tintype::contexts::identity
