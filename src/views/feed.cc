#include "views/feed.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "views/access.h"

namespace tintype::views {
namespace {

using contexts::catalog::Image;
using contexts::identity::Account;
using contexts::people::Sharing;
using contexts::people::SparksImage;

using Records = std::unordered_map<std::string, Image>;
using Owners = std::unordered_map<std::string, Account>;

Result<Owners> FindOwners(const Sources& sources, const Records& records) {
  std::vector<std::string> ids;
  ids.reserve(records.size());
  for (const auto& [id, record] : records) {
    ids.push_back(record.user_id);
  }
  return sources.accounts.FindAll(ids);
}

/// How its owner shares an image: not at all if somebody else put it into the table sparks.
std::optional<Sharing> SharingByOwner(const SparksImage& shared, const Image& record,
                                      const Owners& owners) {
  const auto owner = owners.find(record.user_id);
  if (owner == owners.end() || owner->second.email != shared.uploaded_by) {
    return std::nullopt;
  }
  return shared.sharing();
}

}  // namespace

Result<Feed> ListFeed(const Sources& sources, const Viewer& viewer, const PageRequest& page) {
  ASSIGN_OR_RETURN(auto found, sources.people.Feed(page.limit, page.after));
  std::vector<std::string> ids;
  ids.reserve(found.images.size());
  for (const SparksImage& shared : found.images) {
    ids.push_back(shared.id);
  }
  ASSIGN_OR_RETURN(const Records records, sources.catalog.FindAll(ids));
  ASSIGN_OR_RETURN(const Owners owners, FindOwners(sources, records));
  Feed feed;
  feed.next = std::move(found.last_evaluated_key);
  feed.images.reserve(found.images.size());
  for (SparksImage& shared : found.images) {
    const auto record = records.find(shared.id);
    ImageFacts facts{nullptr, shared.sharing()};
    if (record != records.end()) {
      facts = {&record->second, SharingByOwner(shared, record->second, owners)};
    }
    if (SightOf(viewer, facts) == Sight::kNothing) {
      continue;
    }
    FeedImage& shown = feed.images.emplace_back();
    shown.shared = std::move(shared);
    if (record != records.end()) {
      shown.record = record->second;
      if (const auto owner = owners.find(record->second.user_id); owner != owners.end()) {
        shown.username = owner->second.username;
        shown.display_name = owner->second.display_name;
        shown.picture = PictureOf(owner->second);
      }
    }
    shown.shared.uploaded_by =
        NameShown(viewer, {shown.shared.uploaded_by, shown.username}, sources.config.addresses);
  }
  return feed;
}

}  // namespace tintype::views
