#include "flows/looks.h"

#include <utility>

#include "base/strings.h"
#include "flows/images.h"

namespace tintype::flows {

using contexts::Transaction;
using contexts::catalog::Catalog;
using contexts::catalog::Image;
using contexts::catalog::Look;
using contexts::catalog::Looks;

Status KeepLook(Product& product, const contexts::backlog::Work& work,
                std::optional<uint64_t> hash) {
  ASSIGN_OR_RETURN(const std::optional<Look> before, Looks(product.database).Find(work.uuid));
  if (!hash && !before) {
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const std::optional<Image> image, product.catalog.Find(work.uuid));
  if (!image) {
    return Error::NotFound("The image was deleted.");
  }
  // While the record is there: its deletion looks for what is to go with it when it is gone.
  Transaction keep(StrCat("keep-look ", work.uuid));
  keep.Add(product.backlog.Fence(work)).Add(Catalog::CheckPresent(work.uuid));
  keep.Add(hash ? Looks::Put({image->id, image->user_id, *hash}, before) : Looks::Remove(*before));
  return keep.Commit(product.database, product.retries);
}

Result<SimilarImages> FindSimilarImages(Product& product, const Account& account,
                                        std::string_view id, int distance, size_t limit) {
  ASSIGN_OR_RETURN(const Image image, FindOwnImage(product, account, id));
  if (image.is_trashed()) {
    return Error::NotFound("The image is in the trash.");
  }
  SimilarImages similar;
  if (!image.perceptual_hash) {
    return similar;
  }
  ASSIGN_OR_RETURN(const auto found,
                   Looks(product.database)
                       .FindSimilar({image.id, account.id, *image.perceptual_hash}, distance));
  similar.complete = found.complete;
  for (const contexts::catalog::SimilarLook& look : found.looks) {
    if (similar.images.size() == limit) {
      break;
    }
    ASSIGN_OR_RETURN(std::optional<Image> other, product.catalog.Find(look.image_id));
    if (other && other->user_id == account.id && !other->is_trashed()) {
      similar.images.push_back({*std::move(other), look.distance});
    }
  }
  return similar;
}

}  // namespace tintype::flows
