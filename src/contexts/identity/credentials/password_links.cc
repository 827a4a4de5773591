#include "contexts/identity/credentials/password_links.h"

#include <optional>
#include <utility>

#include "base/check.h"
#include "base/strings.h"
#include "contexts/common/expression.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"
#include "contexts/identity/credentials/secret_token.h"
#include "contexts/identity/reasons.h"

namespace tintype::contexts::identity {
namespace {

tables::Item PasswordLinkKey(std::string_view account_id) {
  return ItemBuilder()
      .Text("PK", StrCat("PASSWORDLINK#", account_id))
      .Text("SK", "PASSWORDLINK")
      .Build();
}

Error LinkNotGood() {
  return {kInvalidOneTimeLink,
          "This link has been used, has expired, or was replaced by a newer one. Ask for another "
          "one."};
}

}  // namespace

Result<PasswordLink> PasswordLinks::Create(std::string_view account_id, int64_t expires_ms) {
  const SecretToken token = SecretToken::Make(std::string(account_id));
  tables::Item item = ItemBuilder()
                          .Text("PK", StrCat("PASSWORDLINK#", account_id))
                          .Text("SK", "PASSWORDLINK")
                          .Text("secretHash", token.Hash())
                          .Integer("expiresAt", expires_ms)
                          .Integer("ttl", expires_ms / 1000)
                          .Build();
  RETURN_IF_ERROR(database_.PutItem({std::string(kSystemTable), std::move(item), {}}));
  return PasswordLink{token.Text(), expires_ms};
}

Result<std::string> PasswordLinks::FindAccount(std::string_view token_text) {
  const std::optional<SecretToken> token = SecretToken::Parse(token_text);
  if (!token) {
    return LinkNotGood();
  }
  ASSIGN_OR_RETURN(const auto found, database_.GetItem({.table = std::string(kSystemTable),
                                                        .key = PasswordLinkKey(token->id),
                                                        .projection = {},
                                                        .consistent_read = true}));
  if (!found.item || !token->Matches(ItemReader(*found.item).Text("secretHash")) ||
      ItemReader(*found.item).Integer("expiresAt") <= clock_.NowMs()) {
    return LinkNotGood();
  }
  return token->id;
}

Piece PasswordLinks::Use(std::string_view token_text) {
  const std::optional<SecretToken> token = SecretToken::Parse(token_text);
  CHECK(token.has_value());
  return DeletePiece(
      std::string(kSystemTable), PasswordLinkKey(token->id),
      ConditionOf("secretHash = :hash", {{}, {{":hash", tables::Value::String(token->Hash())}}}),
      LinkNotGood());
}

Piece PasswordLinks::Remove(std::string_view account_id) {
  return DeletePiece(std::string(kSystemTable), PasswordLinkKey(account_id));
}

}  // namespace tintype::contexts::identity
