#include "contexts/identity/accounts/invitations.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

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

constexpr std::string_view kInvitationPrefix = "INVITATION#";
/// Of the index: all invitations are in one partition, since administrators see all of them.
constexpr std::string_view kInvitationsPartition = "INVITATIONS";

tables::Item InvitationKey(std::string_view id) {
  return ItemBuilder().Text("PK", StrCat(kInvitationPrefix, id)).Text("SK", "INVITATION").Build();
}

Invitation InvitationFromItem(const ItemReader& read) {
  return {read.Text("id"),        read.OptionalText("email"), read.Bool("administrator"),
          read.Text("createdBy"), read.Integer("createdAt"),  read.Integer("expiresAt")};
}

Error NotGood() {
  return {kInvalidInvitation,
          "This invitation has been used or taken back, has expired, or is for another email "
          "address. Ask for another one."};
}

}  // namespace

Result<CreatedInvitation> Invitations::Create(Invitation described) {
  ASSIGN_OR_RETURN(const auto others, List());
  if (others.size() >= kInvitationsMax) {
    return Error(ErrorKind::kInUse, StrCat("There are ", kInvitationsMax,
                                           " invitations that nobody has used. Take some back."));
  }
  const SecretToken token = SecretToken::Make(RandomUuid());
  described.id = token.id;
  described.created_ms = clock_.NowMs();
  tables::Item item = ItemBuilder()
                          .Text("PK", StrCat(kInvitationPrefix, described.id))
                          .Text("SK", "INVITATION")
                          .Text("GSI1PK", kInvitationsPartition)
                          .Text("GSI1SK", StrCat(kInvitationPrefix, described.id))
                          .Text("id", described.id)
                          .Text("secretHash", token.Hash())
                          .MaybeText("email", described.email)
                          .Bool("administrator", described.administrator)
                          .Text("createdBy", described.created_by)
                          .Integer("createdAt", described.created_ms)
                          .Integer("expiresAt", described.expires_ms)
                          .Integer("ttl", described.expires_ms / 1000)
                          .Build();
  RETURN_IF_ERROR(database_.PutItem({std::string(kSystemTable), std::move(item), {}}));
  return CreatedInvitation{std::move(described), token.Text()};
}

Result<std::vector<Invitation>> Invitations::List() {
  ASSIGN_OR_RETURN(const auto items,
                   ListPartition(database_, kInvitationsPartition, kInvitationPrefix));
  const int64_t now_ms = clock_.NowMs();
  std::vector<Invitation> listed;
  for (const tables::Item& item : items) {
    Invitation invitation = InvitationFromItem(ItemReader(item));
    if (invitation.expires_ms > now_ms) {
      listed.push_back(std::move(invitation));
    }
  }
  std::ranges::sort(listed, std::ranges::greater(), &Invitation::created_ms);
  return listed;
}

Status Invitations::Delete(std::string_view id) {
  tables::DeleteItemRequest request{std::string(kSystemTable), InvitationKey(id), {}};
  request.options.condition = ConditionOf("attribute_exists(PK)", {});
  const auto deleted = database_.DeleteItem(std::move(request));
  if (!deleted.ok() && deleted.error().kind() == ErrorKind::kConditionFailed) {
    return Error::NotFound("There is no such invitation; it may have been used.");
  }
  return deleted.ok() ? OkStatus() : Status(deleted.error());
}

Result<Invitation> Invitations::Find(std::string_view token_text, std::string_view email) {
  const std::optional<SecretToken> token = SecretToken::Parse(token_text);
  if (!token) {
    return NotGood();
  }
  ASSIGN_OR_RETURN(const auto found, database_.GetItem({.table = std::string(kSystemTable),
                                                        .key = InvitationKey(token->id),
                                                        .projection = {},
                                                        .consistent_read = true}));
  if (!found.item || !token->Matches(ItemReader(*found.item).Text("secretHash"))) {
    return NotGood();
  }
  Invitation invitation = InvitationFromItem(ItemReader(*found.item));
  if (invitation.expires_ms <= clock_.NowMs() || (invitation.email && *invitation.email != email)) {
    return NotGood();
  }
  return invitation;
}

Piece Invitations::Use(const Invitation& invitation) {
  return DeletePiece(std::string(kSystemTable), InvitationKey(invitation.id),
                     ConditionOf("attribute_exists(PK)", {}), NotGood());
}

}  // namespace tintype::contexts::identity
