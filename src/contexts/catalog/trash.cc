#include <utility>

#include "base/strings.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/item.h"
#include "contract/limits.h"

// The postings of the trash: part of Catalog.

namespace tintype::contexts::catalog {
namespace {

using tables::Value;

constexpr std::string_view kTrashPrefix = "TRASH#";
/// Longer than any time that the server writes. Others may have written anything.
constexpr size_t kTrashedAtMax = 64;

bool MakesTrashKey(const Image& image) {
  return image.is_trashed() && image.trashed_at->size() <= kTrashedAtMax &&
         image.user_id.size() <= limits::kId.max && image.id.size() <= limits::kId.max;
}

std::string TrashPartition(std::string_view user_id) { return StrCat(kTrashPrefix, user_id); }

tables::Item TrashKey(const Image& image) {
  return ItemBuilder()
      .Text("PK", TrashPartition(image.user_id))
      .Text("SK", StrCat(*image.trashed_at, "#", image.id))
      .Build();
}

TrashPosting TrashPostingFromItem(const tables::Item& item) {
  const ItemReader read(item);
  const std::string sort = read.Text("SK");
  TrashPosting posting;
  posting.user_id = read.Text("PK").substr(kTrashPrefix.size());
  posting.image_id = read.Text("imageId");
  posting.deletes_ms = read.Integer("deletesAt");
  if (sort.ends_with(StrCat("#", posting.image_id))) {
    posting.trashed_at = sort.substr(0, sort.size() - posting.image_id.size() - 1);
  } else {
    // Others wrote it, and it is of no image.
    posting.image_id.clear();
  }
  return posting;
}

TrashPage TrashPageOf(tables::ReadResponse response) {
  TrashPage page;
  page.postings.reserve(response.items.size());
  for (const tables::Item& item : response.items) {
    page.postings.push_back(TrashPostingFromItem(item));
  }
  page.last_evaluated_key = std::move(response.last_evaluated_key);
  return page;
}

}  // namespace

Result<TrashPage> Catalog::ListTrash(std::string_view user_id, int64_t limit,
                                     const std::optional<tables::Item>& after) {
  tables::QueryRequest query;
  query.table = std::string(kSystemTable);
  query.key_condition =
      KeyConditionOf("PK = :user", {{}, {{":user", Value::String(TrashPartition(user_id))}}});
  query.forward = false;
  query.options.limit = limit;
  query.options.consistent_read = true;
  query.options.exclusive_start_key = after;
  ASSIGN_OR_RETURN(auto response, database_.Query(std::move(query)));
  return TrashPageOf(std::move(response));
}

Result<TrashPage> Catalog::ListTrashUntil(std::string_view user_id, std::string_view until,
                                          int64_t limit, std::string_view after) {
  tables::QueryRequest query;
  query.table = std::string(kSystemTable);
  query.key_condition = KeyConditionOf("PK = :user AND SK < :end",
                                       {{},
                                        {{":user", Value::String(TrashPartition(user_id))},
                                         // `$` sorts right behind the `#` that ends a time.
                                         {":end", Value::String(StrCat(until, "$"))}}});
  query.options.limit = limit;
  query.options.consistent_read = true;
  if (!after.empty()) {
    query.options.exclusive_start_key =
        ItemBuilder().Text("PK", TrashPartition(user_id)).Text("SK", after).Build();
  }
  ASSIGN_OR_RETURN(auto response, database_.Query(std::move(query)));
  return TrashPageOf(std::move(response));
}

Result<TrashPage> Catalog::ListAllTrash(const std::optional<tables::Item>& after) {
  tables::ScanRequest scan;
  scan.table = std::string(kSystemTable);
  scan.options.filter =
      ConditionOf("begins_with(PK, :trash)", {{}, {{":trash", Value::String(kTrashPrefix)}}});
  scan.options.consistent_read = true;
  scan.options.exclusive_start_key = after;
  ASSIGN_OR_RETURN(auto response, database_.Scan(std::move(scan)));
  return TrashPageOf(std::move(response));
}

Result<std::optional<TrashPosting>> Catalog::FindTrashPosting(const Image& image) {
  if (!MakesTrashKey(image)) {
    return std::optional<TrashPosting>();
  }
  ASSIGN_OR_RETURN(const auto response, database_.GetItem({.table = std::string(kSystemTable),
                                                           .key = TrashKey(image),
                                                           .projection = {},
                                                           .consistent_read = true}));
  return response.item ? std::optional(TrashPostingFromItem(*response.item)) : std::nullopt;
}

Pieces Catalog::PostTrash(const Image& image, int64_t deletes_ms) {
  if (!MakesTrashKey(image)) {
    return {};
  }
  return {
      PutPiece(std::string(kSystemTable), ItemBuilder()
                                              .Text("PK", TrashPartition(image.user_id))
                                              .Text("SK", StrCat(*image.trashed_at, "#", image.id))
                                              .Text("imageId", image.id)
                                              .Integer("deletesAt", deletes_ms)
                                              .Build())};
}

Pieces Catalog::UnpostTrash(const Image& image) {
  return MakesTrashKey(image) ? Pieces{DeletePiece(std::string(kSystemTable), TrashKey(image))}
                              : Pieces{};
}

}  // namespace tintype::contexts::catalog
