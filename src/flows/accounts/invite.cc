#include "flows/accounts/invite.h"

#include <utility>

#include "base/clock.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/identity/accounts/invitations.h"

namespace tintype::flows {

using contexts::identity::CreatedInvitation;
using contexts::identity::Invitation;
using contexts::identity::Invitations;

Result<CreatedInvitation> Invite(const InviteParts& parts, const NewInvitation& wanted) {
  Invitation described;
  if (wanted.email) {
    ASSIGN_OR_RETURN(described.email, contexts::identity::CheckEmail(*wanted.email));
  }
  described.administrator = wanted.administrator;
  described.created_by = wanted.created_by;
  described.expires_ms = parts.clock.NowMs() + std::chrono::milliseconds(wanted.kept).count();
  return Invitations(parts.database, parts.clock).Create(std::move(described));
}

Result<std::vector<Invitation>> ListInvitations(const InviteParts& parts) {
  return Invitations(parts.database, parts.clock).List();
}

Status TakeInvitationBack(const InviteParts& parts, std::string_view id) {
  return Invitations(parts.database, parts.clock).Delete(id);
}

}  // namespace tintype::flows
