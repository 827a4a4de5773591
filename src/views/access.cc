#include "views/access.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tintype::views {

using contexts::people::Visibility;

Visibility VisibilityOf(const std::optional<contexts::people::Sharing>& sharing) {
  return sharing ? sharing->visibility : Visibility::kPrivate;
}

namespace {

constexpr std::array<std::pair<LinkAudience, std::string_view>, 4> kAudiences = {{
    {LinkAudience::kOwner, "owner"},
    {LinkAudience::kViewer, "viewer"},
    {LinkAudience::kTrash, "trash"},
    {LinkAudience::kPeople, "people"},
}};

bool IsShared(const std::optional<contexts::people::Sharing>& sharing) {
  return sharing && !sharing->trashed && VisibilityOf(sharing) == Visibility::kShared;
}

}  // namespace

Sight SightOf(const contexts::identity::Account& viewer, const ImageFacts& facts) {
  if (facts.record != nullptr && facts.record->is_trashed()) {
    return Sight::kNothing;
  }
  if (facts.record != nullptr && facts.record->user_id == viewer.id) {
    return Sight::kEverything;
  }
  return IsShared(facts.sharing) ? Sight::kRenditions : Sight::kNothing;
}

Sight SightInTrash(const contexts::identity::Account& viewer,
                   const contexts::catalog::Image& record) {
  return record.is_trashed() && record.user_id == viewer.id ? Sight::kEverything : Sight::kNothing;
}

std::string_view NameOf(LinkAudience audience) {
  return std::ranges::find(kAudiences, audience, &std::pair<LinkAudience, std::string_view>::first)
      ->second;
}

std::optional<LinkAudience> LinkAudienceOf(std::string_view name) {
  for (const auto& [audience, text] : kAudiences) {
    if (text == name) {
      return audience;
    }
  }
  return std::nullopt;
}

LinkAudience AudienceOf(Sight sight, const contexts::catalog::Image& record) {
  if (sight != Sight::kEverything) {
    return LinkAudience::kViewer;
  }
  return record.is_trashed() ? LinkAudience::kTrash : LinkAudience::kOwner;
}

bool MayFollow(LinkAudience audience, const ImageFacts& facts) {
  if (facts.record == nullptr) {
    return false;
  }
  switch (audience) {
    case LinkAudience::kOwner:
      return !facts.record->is_trashed() && !facts.owner_disabled;
    case LinkAudience::kViewer:
      return !facts.record->is_trashed() && IsShared(facts.sharing);
    case LinkAudience::kTrash:
      return facts.record->is_trashed() && !facts.owner_disabled;
    case LinkAudience::kPeople:
      return false;
  }
  return false;
}

std::string NameShown(const contexts::identity::Account& viewer, const Uploader& uploader,
                      bool show_addresses) {
  const bool oneself = uploader.email == viewer.email;
  return oneself || show_addresses ? uploader.email : uploader.username.value_or("");
}

}  // namespace tintype::views
