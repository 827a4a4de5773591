#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "contexts/catalog/image.h"
#include "contexts/identity/accounts/account.h"
#include "contexts/jobs/job.h"
#include "contexts/people/image.h"

/// Who may see what. Nothing else decides it: lists, records and links ask here.
namespace tintype::views {

/// How much of an image somebody sees.
enum class Sight {
  kNothing,     ///< Not even that it exists.
  kRenditions,  ///< It is shared: what the feed shows, and every size but the full ones.
  kEverything,  ///< It is the viewer's own.
};

/// What the tables say of one image. Anybody with a key writes them, so either part may be missing.
struct ImageFacts {
  /// Null when somebody put the image into the table sparks alone.
  const contexts::catalog::Image* record = nullptr;
  /// By the item of the image's owner, never of anybody else.
  std::optional<contexts::people::Sharing> sharing;
  /// Whether the account is disabled whose image it is.
  bool owner_disabled = false;
};

/// An image without an item in the table sparks is private, whatever visibility uploads get by
/// default: only what somebody shared is shared.
contexts::people::Visibility VisibilityOf(const std::optional<contexts::people::Sharing>& sharing);

/// The one rule about images. Nobody sees one that is in the trash. Its owner sees all of it, and
/// everybody else the renditions if its owner shares it.
Sight SightOf(const contexts::identity::Account& viewer, const ImageFacts& facts);

/// The one exception: in the list of their trash, owners see their images that are in it.
Sight SightInTrash(const contexts::identity::Account& viewer,
                   const contexts::catalog::Image& record);

/// Whether there are links to the original, with all that a camera wrote into it, and to edits in
/// full size.
inline bool MaySeeOriginal(Sight sight) { return sight == Sight::kEverything; }

/// For whom a signed link was made. Nothing else is known of who follows it, so it is good only
/// while the image is as it was when the link was made. Access that an owner has by being signed in
/// ends when the account is disabled, and so do the links made for that. Shared images stay shared.
enum class LinkAudience {
  kOwner,   ///< While the image is there and not in the trash, and its owner is let in.
  kViewer,  ///< While the image is there, not in the trash, and shared.
  kTrash,   ///< For the list of the owner's trash: while the image is in it, and the owner let in.
  kPeople,  ///< Of a profile picture: while it is the account's. Of no image.
};
/// As it stands in links: `owner`, `viewer`, `trash`, `people`.
std::string_view NameOf(LinkAudience audience);
/// Nothing for any other text.
std::optional<LinkAudience> LinkAudienceOf(std::string_view name);

/// For whom the links are that a viewer gets with an image that they see.
LinkAudience AudienceOf(Sight sight, const contexts::catalog::Image& record);
/// Whether links for this audience are good.
bool MayFollow(LinkAudience audience, const ImageFacts& facts);

/// Who uploaded an image: the e-mail address and, where it is known, the username.
struct Uploader {
  std::string email;
  std::optional<std::string> username;
};

/// How a viewer sees an uploader: oneself by one's address, others by their usernames, unless the
/// operator shows addresses. Empty for others whose username is not known.
std::string NameShown(const contexts::identity::Account& viewer, const Uploader& uploader,
                      bool show_addresses);

/// A job is its owner's alone.
inline bool MaySee(const contexts::identity::Account& viewer, const contexts::jobs::Job& job) {
  return job.user_id == viewer.id;
}

}  // namespace tintype::views
