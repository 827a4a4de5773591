#pragma once

#include "base/result.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/people/people.h"
#include "flows/parts.h"

/// What people tell of themselves. Identity masters it; the USER item of Sparks has a copy, written
/// in the same transaction. Pictures are in profile_picture.h.
namespace tintype::flows {

using contexts::identity::ProfileChange;

/// The USER item that an account begins with.
contexts::people::User NewUser(const Account& account);

using ProfileParts = Uses<DatabasePart, ClockPart>;

/// Answers the account as it is then. A change of nothing is fine. Errors: kValidation;
/// identity::kAccountDeleting.
Result<Account> ChangeProfile(const ProfileParts& parts, const Account& account,
                              const ProfileChange& change);

}  // namespace tintype::flows
