#include "views/access.h"

namespace tintype::views {

using contexts::people::Visibility;

Visibility VisibilityOf(const std::optional<contexts::people::Sharing>& sharing) {
  return sharing ? sharing->visibility : Visibility::kPrivate;
}

Sight SightOf(const contexts::identity::Account& viewer, const ImageFacts& facts) {
  if (facts.record != nullptr && facts.record->is_trashed()) {
    return Sight::kNothing;
  }
  if (facts.record != nullptr && facts.record->user_id == viewer.id) {
    return Sight::kEverything;
  }
  const bool shared = facts.sharing && !facts.sharing->trashed &&
                      VisibilityOf(facts.sharing) == Visibility::kShared;
  return shared ? Sight::kRenditions : Sight::kNothing;
}

Sight SightInTrash(const contexts::identity::Account& viewer,
                   const contexts::catalog::Image& record) {
  return record.is_trashed() && record.user_id == viewer.id ? Sight::kEverything : Sight::kNothing;
}

std::string NameShown(const contexts::identity::Account& viewer, const Uploader& uploader,
                      bool show_addresses) {
  const bool oneself = uploader.email == viewer.email;
  return oneself || show_addresses ? uploader.email : uploader.username.value_or("");
}

}  // namespace tintype::views
