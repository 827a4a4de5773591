#include "flows/images/trash_postings.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/strings.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/item.h"
#include "flows/config.h"
#include "flows/images/delete_image.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Pieces;
using contexts::Transaction;
using contexts::backlog::Work;
using contexts::catalog::Catalog;
using contexts::catalog::Image;

/// Items of the table that one turn of the upgrade looks at.
constexpr int64_t kTurnItems = 500;

/// What the upgrade works with, under the names that parts are made from.
struct UpgradeProduct {
  const ProductConfig& config;
  const Clock& clock;
  contexts::catalog::Catalog& catalog;
  contexts::backlog::Backlog& backlog;
};

Status PostOld(const TrashPostingParts& parts, const UpgradeParts& upgrade, const Image& image) {
  ASSIGN_OR_RETURN(Pieces missing, FindMissingTrashPosting(parts, image));
  if (missing.empty()) {
    return OkStatus();
  }
  const Status posted = Transaction(StrCat("post-trash ", image.id))
                            .Add(Catalog::CheckUnchanged(image))
                            .Add(std::move(missing))
                            .Commit(upgrade.database, upgrade.retries);
  // A change meanwhile has posted it, restored it or deleted it.
  const bool overtaken = !posted.ok() && (posted.error().kind() == ErrorKind::kConditionFailed ||
                                          posted.error().kind() == ErrorKind::kInUse);
  return overtaken ? OkStatus() : posted;
}

}  // namespace

Pieces QueueDeletion(const Uses<ClockPart, BacklogPart>& parts, const Image& image, Work deletion) {
  // As the backlog has it: nothing is due before it is queued.
  const int64_t deletes_ms = std::max(deletion.due_ms, parts.clock.NowMs());
  Pieces pieces = Catalog::PostTrash(image, deletes_ms);
  pieces.push_back(parts.backlog.EnqueueUnlessBegun(std::move(deletion)));
  return pieces;
}

Result<Pieces> FindMissingTrashPosting(const TrashPostingParts& parts, const Image& image) {
  if (!image.is_trashed()) {
    return Pieces();
  }
  ASSIGN_OR_RETURN(const auto posting, parts.catalog.FindTrashPosting(image));
  if (posting) {
    return Pieces();
  }
  ASSIGN_OR_RETURN(const std::optional<Work> deletion, parts.backlog.Find(DeleteWorkId(image.id)));
  if (deletion) {
    return Catalog::PostTrash(image, deletion->due_ms);
  }
  const int64_t due_ms =
      parts.clock.NowMs() + std::chrono::milliseconds(parts.config.trash_kept).count();
  return QueueDeletion(parts, image, DeleteWork(image, due_ms));
}

Result<std::optional<UpgradePosition>> PostOldTrash(const UpgradeParts& parts,
                                                    const UpgradePosition& from) {
  std::optional<tables::Item> after;
  if (const auto place = from.find("PK"); place != from.end()) {
    after = contexts::ItemBuilder().Text("PK", place->second).Text("SK", from.at("SK")).Build();
  }
  Catalog catalog(parts.database);
  const UpgradeProduct product{parts.config, parts.clock, catalog, parts.backlog};
  ASSIGN_OR_RETURN(const auto page, catalog.ListAll(after, kTurnItems));
  for (const Image& image : page.images) {
    RETURN_IF_ERROR(PostOld(product, parts, image));
  }
  if (!page.last_evaluated_key) {
    return std::optional<UpgradePosition>();
  }
  const contexts::ItemReader key(*page.last_evaluated_key);
  UpgradePosition place;
  place.emplace("PK", key.Text("PK"));
  place.emplace("SK", key.Text("SK"));
  return std::optional(std::move(place));
}

}  // namespace tintype::flows
