#include "contexts/identity/accounts/outside_identities.h"

#include <algorithm>
#include <utility>

#include "base/base64.h"
#include "base/strings.h"
#include "contexts/common/expression.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"
#include "contexts/identity/accounts/account_index.h"
#include "contexts/identity/reasons.h"
#include "crypto/digest.h"

namespace tintype::contexts::identity {
namespace {

constexpr std::string_view kIdentityPrefix = "IDENTITY#";

tables::Condition LeadsTo(std::string_view account_id) {
  return ConditionOf("accountId = :account",
                     {{}, {{":account", tables::Value::String(account_id)}}});
}

OutsideIdentity IdentityFromItem(const ItemReader& read) {
  return {read.Text("id"),        read.Text("issuer"),        read.Text("subject"),
          read.Text("accountId"), read.OptionalText("email"), read.Integer("createdAt")};
}

}  // namespace

std::string OutsideIdentities::IdOf(std::string_view issuer, std::string_view subject) {
  // The length keeps apart what would be the same when joined.
  return Base64Url(crypto::Bytes(crypto::Sha256(StrCat(issuer.size(), " ", issuer, " ", subject))));
}

tables::Item OutsideIdentities::KeyOf(std::string_view id) {
  return ItemBuilder().Text("PK", StrCat(kIdentityPrefix, id)).Text("SK", "IDENTITY").Build();
}

Result<std::optional<OutsideIdentity>> OutsideIdentities::Find(std::string_view issuer,
                                                               std::string_view subject) {
  ASSIGN_OR_RETURN(const auto found, database_.GetItem({.table = std::string(kSystemTable),
                                                        .key = KeyOf(IdOf(issuer, subject)),
                                                        .projection = {},
                                                        .consistent_read = true}));
  return found.item ? std::optional(IdentityFromItem(ItemReader(*found.item))) : std::nullopt;
}

Result<std::vector<OutsideIdentity>> OutsideIdentities::List(std::string_view account_id) {
  ASSIGN_OR_RETURN(const auto items, ListOfAccount(database_, account_id, kIdentityPrefix));
  std::vector<OutsideIdentity> identities;
  identities.reserve(items.size());
  for (const tables::Item& item : items) {
    identities.push_back(IdentityFromItem(ItemReader(item)));
  }
  std::ranges::sort(identities, {}, &OutsideIdentity::created_ms);
  return identities;
}

Piece OutsideIdentities::Link(const OutsideIdentity& identity) {
  const std::string id = IdOf(identity.issuer, identity.subject);
  tables::Item item = ItemBuilder()
                          .Text("PK", StrCat(kIdentityPrefix, id))
                          .Text("SK", "IDENTITY")
                          .Text("GSI1PK", AccountPartition(identity.account_id))
                          .Text("GSI1SK", StrCat(kIdentityPrefix, id))
                          .Text("id", id)
                          .Text("issuer", identity.issuer)
                          .Text("subject", identity.subject)
                          .Text("accountId", identity.account_id)
                          .MaybeText("email", identity.email)
                          .Integer("createdAt", identity.created_ms)
                          .Build();
  return PutPiece(std::string(kSystemTable), std::move(item),
                  ConditionOf("attribute_not_exists(PK)", {}),
                  Error(kIdentityTaken, "This sign-in belongs to an account already."));
}

Piece OutsideIdentities::Unlink(std::string_view account_id, std::string_view id) {
  return DeletePiece(std::string(kSystemTable), KeyOf(id), LeadsTo(account_id),
                     Error::NotFound("There is no such sign-in."));
}

Piece OutsideIdentities::CheckLinked(const OutsideIdentity& identity, Error refusal) {
  return CheckPiece(std::string(kSystemTable), KeyOf(identity.id), LeadsTo(identity.account_id),
                    std::move(refusal));
}

Piece OutsideIdentities::Forget(const OutsideIdentity& identity) {
  return DeletePiece(std::string(kSystemTable), KeyOf(identity.id),
                     ConditionOf("attribute_not_exists(PK) OR accountId = :account",
                                 {{}, {{":account", tables::Value::String(identity.account_id)}}}),
                     Error(kIdentityTaken, "This sign-in belongs to an account already."));
}

}  // namespace tintype::contexts::identity
