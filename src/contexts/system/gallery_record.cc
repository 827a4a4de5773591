#include "contexts/system/gallery_record.h"

#include <utility>

#include "base/strings.h"
#include "contexts/common/expression.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"

namespace tintype::contexts::system {
namespace {

using tables::Value;

constexpr std::string_view kGallery = "GALLERY";

tables::Item GalleryKey() {
  return ItemBuilder().Text("PK", kGallery).Text("SK", kGallery).Build();
}

}  // namespace

Result<std::optional<GalleryTerms>> GalleryRecord::Find() {
  const auto found = database_.GetItem({.table = std::string(kSystemTable),
                                        .key = GalleryKey(),
                                        .projection = {},
                                        .consistent_read = true});
  if (!found.ok() && found.error().kind() == ErrorKind::kNotFound) {
    return std::optional<GalleryTerms>();
  }
  if (!found.ok()) {
    return found.error();
  }
  if (!found->item) {
    return std::optional<GalleryTerms>();
  }
  const ItemReader read(*found->item);
  GalleryTerms terms;
  terms.blobs = read.OptionalText("blobs");
  terms.environment = read.Text("environment");
  terms.id = read.Text("id");
  terms.stack = read.Text("stack");
  if (terms.id.empty() || terms.stack.empty() || terms.environment.empty()) {
    return Error::Corruption(StrCat("The item GALLERY of the table ", kSystemTable,
                                    " lacks its id, stack or environment. Bring it back from a "
                                    "backup."));
  }
  return std::optional(std::move(terms));
}

Piece GalleryRecord::Create(const GalleryTerms& terms) const {
  tables::Item item = ItemBuilder()
                          .Text("PK", kGallery)
                          .Text("SK", kGallery)
                          .Text("id", terms.id)
                          .Text("stack", terms.stack)
                          .Text("environment", terms.environment)
                          .MaybeText("blobs", terms.blobs)
                          .Build();
  return PutPiece(std::string(kSystemTable), std::move(item),
                  ConditionOf("attribute_not_exists(PK)", {}),
                  Error(kGalleryRecorded, "Another node is making this gallery."));
}

Piece GalleryRecord::SetBlobs(const GalleryTerms& read, std::string_view blobs) const {
  Bindings bindings{{{"#id", "id"}, {"#blobs", "blobs"}},
                    {{":id", Value::String(read.id)}, {":blobs", Value::String(blobs)}}};
  std::string_view condition = "#id = :id AND attribute_not_exists(#blobs)";
  if (read.blobs) {
    condition = "#id = :id AND #blobs = :read";
    bindings.values.emplace(":read", Value::String(*read.blobs));
  }
  return UpdatePiece(
      std::string(kSystemTable), GalleryKey(), UpdateIf("SET #blobs = :blobs", condition, bindings),
      Error(kGalleryChanged, "Another node has recorded where the photos are. Start again."));
}

}  // namespace tintype::contexts::system
