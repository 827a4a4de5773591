#include "contexts/identity/credentials/api_keys.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/logging.h"
#include "base/random.h"
#include "base/strings.h"
#include "contexts/common/expression.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"
#include "contexts/identity/accounts/account_index.h"
#include "contexts/identity/credentials/secret_token.h"
#include "contexts/identity/reasons.h"

namespace tintype::contexts::identity {
namespace {

using tables::Value;

constexpr std::string_view kKeyPrefix = "APIKEY#";
/// How exactly the last use is known. More often would be a write for every request.
constexpr int64_t kUseKnownMs = int64_t{60} * 60 * 1000;

tables::Item ApiKeyKey(std::string_view id) {
  return ItemBuilder().Text("PK", StrCat(kKeyPrefix, id)).Text("SK", "APIKEY").Build();
}

ApiKey ApiKeyFromItem(const ItemReader& read) {
  return {read.Text("PK").substr(std::min(kKeyPrefix.size(), read.Text("PK").size())),
          read.Text("accountId"),
          read.Text("name"),
          read.TextList("scopes"),
          read.Integer("createdAt"),
          read.OptionalInteger("expiresAt"),
          read.OptionalInteger("lastUsedAt")};
}

}  // namespace

Result<CreatedApiKey> ApiKeys::Create(const Account& account, const NewApiKey& key) {
  ASSIGN_OR_RETURN(const std::vector<ApiKey> others, List(account.id));
  // Two at the same moment may both be the last one: the bound keeps lists short, no more.
  if (others.size() >= kKeysMax) {
    return Error(kTooManyApiKeys,
                 StrCat("You have ", kKeysMax, " API keys already. Delete one that is not used."));
  }
  const SecretToken token = SecretToken::Make(RandomUuid());
  ApiKey made{token.id, account.id, key.name, key.scopes, clock_.NowMs(), key.expires_ms, {}};
  ItemBuilder item;
  item.Text("PK", StrCat(kKeyPrefix, made.id))
      .Text("SK", "APIKEY")
      .Text("GSI1PK", AccountPartition(account.id))
      .Text("GSI1SK", StrCat(kKeyPrefix, made.id))
      .Text("accountId", account.id)
      .Text("name", made.name)
      .TextList("scopes", made.scopes)
      .Text("secretHash", token.Hash())
      .Integer("createdAt", made.created_ms)
      .MaybeInteger("expiresAt", made.expires_ms);
  if (made.expires_ms) {
    item.Integer("ttl", *made.expires_ms / 1000);
  }
  RETURN_IF_ERROR(database_.PutItem({std::string(kSystemTable), item.Build(), {}}));
  return CreatedApiKey{std::move(made), StrCat(kApiKeyPrefix, token.Text())};
}

Result<std::vector<ApiKey>> ApiKeys::List(std::string_view account_id) {
  ASSIGN_OR_RETURN(const auto items, ListOfAccount(database_, account_id, kKeyPrefix));
  std::vector<ApiKey> keys;
  keys.reserve(items.size());
  for (const tables::Item& item : items) {
    keys.push_back(ApiKeyFromItem(ItemReader(item)));
  }
  std::ranges::sort(keys, std::ranges::greater(), &ApiKey::created_ms);
  return keys;
}

Status ApiKeys::Delete(const Account& account, std::string_view id) {
  tables::DeleteItemRequest request{std::string(kSystemTable), ApiKeyKey(id), {}};
  request.options.condition =
      ConditionOf("accountId = :account", {{}, {{":account", Value::String(account.id)}}});
  const auto deleted = database_.DeleteItem(std::move(request));
  if (!deleted.ok() && deleted.error().kind() == ErrorKind::kConditionFailed) {
    return Error::NotFound("There is no such API key.");
  }
  return deleted.ok() ? OkStatus() : Status(deleted.error());
}

Result<ApiKey> ApiKeys::Find(std::string_view text) {
  const Error not_valid{kNotLoggedIn, "The API key is not valid, or has expired."};
  const std::optional<SecretToken> token =
      LooksLikeApiKey(text) ? SecretToken::Parse(text.substr(kApiKeyPrefix.size())) : std::nullopt;
  if (!token) {
    return not_valid;
  }
  ASSIGN_OR_RETURN(const auto found, database_.GetItem({.table = std::string(kSystemTable),
                                                        .key = ApiKeyKey(token->id),
                                                        .projection = {},
                                                        .consistent_read = true}));
  if (!found.item || !token->Matches(ItemReader(*found.item).Text("secretHash"))) {
    return not_valid;
  }
  ApiKey key = ApiKeyFromItem(ItemReader(*found.item));
  const int64_t now_ms = clock_.NowMs();
  if (key.expires_ms && *key.expires_ms <= now_ms) {
    return not_valid;
  }
  if (now_ms - key.last_used_ms.value_or(0) >= kUseKnownMs) {
    UpdateWithCondition update =
        UpdateIf("SET lastUsedAt = :now", "attribute_exists(PK)",
                 {{}, {{":now", Value::Integer(now_ms - now_ms % kUseKnownMs)}}});
    tables::UpdateItemRequest use{
        std::string(kSystemTable), ApiKeyKey(key.id), std::move(update.update), {}};
    use.options.condition = std::move(update.condition);
    // The key is good whether or not its use could be noted, on a full disk for example.
    if (const auto noted = database_.UpdateItem(std::move(use)); !noted.ok()) {
      Log(LogLevel::kDebug, "use of an API key not noted",
          {{"id", key.id}, {"error", noted.error().message()}});
    }
  }
  return key;
}

}  // namespace tintype::contexts::identity
