#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/invitation.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::identity {

/// Owns the invitations in the table tintype: `INVITATION#id`, of which only a hash of the secret
/// is stored. Thread-safe; keeps nothing.
class Invitations {
 public:
  /// How many there may be that nobody has used.
  static constexpr size_t kInvitationsMax = 1000;

  Invitations(tables::Database& database, const Clock& clock)
      : database_(database), clock_(clock) {}

  /// `described` without an id and a time of its making. Errors: kInUse when there are too many.
  Result<CreatedInvitation> Create(Invitation described);
  /// Newest first.
  Result<std::vector<Invitation>> List();
  /// Errors: kNotFound.
  Status Delete(std::string_view id);

  /// The invitation of that token, if it is good for an account of this email. Errors:
  /// kInvalidInvitation.
  Result<Invitation> Find(std::string_view token, std::string_view email);
  /// Uses it up. Refused with kInvalidInvitation when somebody else has.
  static Piece Use(const Invitation& invitation);

 private:
  tables::BlockingDatabase database_;
  const Clock& clock_;
};

}  // namespace tintype::contexts::identity
