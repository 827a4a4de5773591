#include "views/account.h"

#include <utility>

namespace tintype::views {

Result<bool> IsSetUp(const Sources& sources) { return sources.accounts.IsSetUp(); }

Result<std::optional<int64_t>> FindUploadLimit(const Sources& sources, const Viewer& viewer) {
  ASSIGN_OR_RETURN(const std::optional<int64_t> limit, sources.people.FindLimit(viewer.email));
  const int64_t left = limit.value_or(0);
  return contexts::people::IsUnlimited(left) ? std::nullopt : std::optional(left);
}

std::optional<ProfilePicture> PictureOf(const contexts::identity::Account& account) {
  return account.picture_sha256
             ? std::optional(ProfilePicture{account.id, account.picture_revision})
             : std::nullopt;
}

Result<std::optional<contexts::identity::Account>> FindPictured(const Sources& sources,
                                                                std::string_view name) {
  std::optional<contexts::identity::Account> found;
  if (name.find('@') == std::string_view::npos) {
    ASSIGN_OR_RETURN(found, sources.accounts.Find(name));
  } else {
    ASSIGN_OR_RETURN(auto by_email, sources.accounts.FindForLogin(name));
    found = by_email ? std::optional(std::move(by_email->account)) : std::nullopt;
  }
  return found && !found->deleting ? std::move(found) : std::nullopt;
}

Result<bool> IsPictureLinkGood(const Sources& sources, const ProfilePicture& picture) {
  ASSIGN_OR_RETURN(const auto account, FindPictured(sources, picture.account_id));
  const auto current = account ? PictureOf(*account) : std::nullopt;
  return current && current->revision == picture.revision;
}

}  // namespace tintype::views
