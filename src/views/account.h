#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/identity/accounts/account.h"
#include "views/sources.h"

/// What people are told about accounts.
namespace tintype::views {

/// Whether the first account has been made. Anybody may know.
Result<bool> IsSetUp(const Sources& sources);

/// How many more images the viewer may upload; nothing when there is no limit.
Result<std::optional<int64_t>> FindUploadLimit(const Sources& sources, const Viewer& viewer);

/// A profile picture: whose it is, and which of theirs.
struct ProfilePicture {
  std::string account_id;
  int64_t revision = 0;
};
/// Nothing when the account has none.
std::optional<ProfilePicture> PictureOf(const contexts::identity::Account& account);

/// The account that is meant by an email or an id, as keys of profile pictures have them. Nothing
/// when there is none, or it is being deleted.
Result<std::optional<contexts::identity::Account>> FindPictured(const Sources& sources,
                                                                std::string_view name);

/// Whether a link to a profile picture is good now: it is the account's.
Result<bool> IsPictureLinkGood(const Sources& sources, const ProfilePicture& picture);

}  // namespace tintype::views
