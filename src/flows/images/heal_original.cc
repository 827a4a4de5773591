#include "flows/images/heal_original.h"

#include <cstdint>

#include "base/logging.h"
#include "base/strings.h"
#include "blobs/blob_store.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/transaction.h"
#include "flows/config.h"
#include "flows/media_keys.h"
#include "flows/upkeep/rebuild.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::catalog::Catalog;
using contexts::catalog::Image;
using contexts::intake::Upload;

blobs::BlobKey OriginalBlob(const HealParts& parts, const Image& image) {
  return {parts.config.images_bucket, StoredKey(image.id, 0, Size::kOriginal)};
}
blobs::BlobKey UploadedBlob(const HealParts& parts, std::string_view id) {
  return {parts.config.uploads_bucket, UploadKey(id)};
}

Result<bool> IsWhole(const HealParts& parts, const Image& image, const blobs::BlobKey& key) {
  ASSIGN_OR_RETURN(const auto info, parts.blobs.Head(key));
  return info && info->bytes == static_cast<uint64_t>(image.file_size);
}

/// Whether nobody has the image's bytes, nor is about to put them in their place.
Result<bool> IsLost(const HealParts& parts, const Image& image) {
  ASSIGN_OR_RETURN(const bool kept, IsWhole(parts, image, OriginalBlob(parts, image)));
  if (kept) {
    return false;
  }
  ASSIGN_OR_RETURN(const bool waits, IsWhole(parts, image, UploadedBlob(parts, image.id)));
  ASSIGN_OR_RETURN(const bool being_developed, IsBeingDeveloped(parts, image));
  if (waits && being_developed) {
    return false;
  }
  // It may have got to its place since the first look.
  ASSIGN_OR_RETURN(const bool placed, IsWhole(parts, image, OriginalBlob(parts, image)));
  return !placed;
}

}  // namespace

Status HealOriginal(const HealParts& parts, const Image& image, const Upload& upload) {
  ASSIGN_OR_RETURN(const bool lost, IsLost(parts, image));
  if (!lost) {
    return OkStatus();
  }
  const blobs::BlobKey from = UploadedBlob(parts, upload.id);
  const blobs::BlobKey to = UploadedBlob(parts, image.id);
  const Status moved = parts.blobs.Move(from, to);
  if (!moved.ok()) {
    // A call before this one may have come so far that the original is in its place by now.
    ASSIGN_OR_RETURN(const bool still_lost, IsLost(parts, image));
    return still_lost ? moved : OkStatus();
  }
  contexts::backlog::Work rebuild = RebuildImageWork(image);
  // As an upload, not as one of many that nobody waits for.
  rebuild.priority = contexts::backlog::Priority::kNormal;
  Status queued = Transaction(StrCat("heal ", image.id, " ", upload.id))
                      .Add(Catalog::CheckPresent(image.id))
                      .Add(parts.backlog.Enqueue(std::move(rebuild)))
                      .Commit(parts.database, parts.retries);
  if (queued.ok()) {
    LogInfo("a lost original was uploaded again", {{"image", image.id}});
    return OkStatus();
  }
  if (queued.error().kind() == ErrorKind::kNotFound) {
    Status back = parts.blobs.Move(to, from);
    // A deletion of the image may have found them there.
    if (!back.ok() && back.error().kind() != ErrorKind::kNotFound) {
      return back;
    }
  }
  return queued;
}

}  // namespace tintype::flows
