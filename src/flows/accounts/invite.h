#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/identity/accounts/invitation.h"
#include "flows/parts.h"

/// Invitations, by which people make accounts where sign-up is not open to everybody.
namespace tintype::flows {

/// An invitation that somebody wants.
struct NewInvitation {
  std::optional<std::string> email = {};  // In any spelling. Nothing: for whoever has the link.
  bool administrator = false;             // What the account becomes.
  std::chrono::hours kept{0};
  std::string created_by = {};  // The id of an account; empty for the command line.
};

using InviteParts = Uses<DatabasePart, ClockPart>;

/// Errors: kValidation for an email that can be none; kInUse when there are too many.
Result<contexts::identity::CreatedInvitation> Invite(const InviteParts& parts,
                                                     const NewInvitation& wanted);
/// Those that nobody has used, newest first. On other services the list may be a moment behind.
Result<std::vector<contexts::identity::Invitation>> ListInvitations(const InviteParts& parts);
/// Errors: kNotFound.
Status TakeInvitationBack(const InviteParts& parts, std::string_view id);

}  // namespace tintype::flows
