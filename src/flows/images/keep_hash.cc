#include "flows/images/keep_hash.h"

#include "base/strings.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/catalog/similarity.h"
#include "tables/language/database.h"

namespace tintype::flows {

using contexts::Transaction;
using contexts::catalog::Catalog;
using contexts::catalog::Image;
using contexts::catalog::ImageHash;
using contexts::catalog::SimilarityIndex;

Status KeepHash(const HashParts& parts, const contexts::backlog::Work& work,
                std::optional<uint64_t> hash) {
  ASSIGN_OR_RETURN(const std::optional<ImageHash> before,
                   SimilarityIndex(parts.database).Find(work.uuid));
  if (!hash && !before) {
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const std::optional<Image> image, parts.catalog.Find(work.uuid));
  if (!image) {
    return Error::NotFound("The image was deleted.");
  }
  // While the record is there: its deletion looks for what is to go with it when it is gone.
  Transaction keep(StrCat("keep-look ", work.uuid));
  keep.Add(parts.backlog.Fence(work)).Add(Catalog::CheckPresent(work.uuid));
  keep.Add(hash ? SimilarityIndex::Put({image->id, image->user_id, *hash}, before)
                : SimilarityIndex::Remove(*before));
  return keep.Commit(parts.database, parts.retries);
}

}  // namespace tintype::flows
