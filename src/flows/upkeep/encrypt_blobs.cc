#include "flows/upkeep/encrypt_blobs.h"

#include <utility>

#include "base/strings.h"
#include "blobs/blob_store.h"
#include "blobs/disk_room.h"
#include "flows/config.h"

namespace tintype::flows {
namespace {

constexpr size_t kFailuresShown = 100;
/// A file may move from the bucket of uploads to that of images while this looks elsewhere: once a
/// round has found nothing in plain, there is nothing.
constexpr int kRoundsMax = 3;

using Visit = std::function<Status(const blobs::BlobKey& key, uint64_t bytes)>;

/// Calls `visit` with every blob of both buckets, uploads first. Stops at its first error.
Status ForEachBlob(const EncryptBlobsParts& parts, const Visit& visit) {
  for (const std::string& bucket : {parts.config.uploads_bucket, parts.config.images_bucket}) {
    blobs::ListRequest request{.bucket = bucket, .limit = blobs::kListLimitMax};
    for (bool more = true; more;) {
      ASSIGN_OR_RETURN(const blobs::BlobList page, parts.blobs.List(request));
      for (const blobs::ListedBlob& blob : page.blobs) {
        RETURN_IF_ERROR(visit(blobs::BlobKey{bucket, blob.key}, blob.info.bytes));
      }
      more = page.more && !page.blobs.empty();
      if (more) {
        request.after = page.after();
      }
    }
  }
  return OkStatus();
}

Status Stopped() { return Error(ErrorKind::kUnavailable, "Nobody waits for it any more"); }

/// Files that were not there when they were counted, or are gone, change the total.
Status Count(const EncryptBlobsParts& parts, const EncryptBlobsReport& report,
             EncryptBlobsProgress& progress) {
  const Status counted = ForEachBlob(parts, [&](const blobs::BlobKey&, uint64_t) -> Status {
    ++progress.seen;
    return report(progress) ? OkStatus() : Stopped();
  });
  RETURN_IF_ERROR(counted);
  progress.total = std::exchange(progress.seen, 0);
  return OkStatus();
}

Status EncryptOne(const EncryptBlobsParts& parts, const blobs::BlobKey& key, uint64_t bytes,
                  EncryptBlobsProgress& progress) {
  // It is there twice for a moment.
  if (!parts.room.HasForCopy(bytes)) {
    return Error(ErrorKind::kUnavailable,
                 StrCat("The disk has no room for another file of ", bytes,
                        " bytes. Encrypted files stay encrypted. Make room, and begin again"));
  }
  const auto sealed = parts.blobs.Seal(key);
  ++progress.seen;
  if (sealed.ok()) {
    progress.encrypted += sealed->has_value() ? 1 : 0;
    progress.bytes += sealed->value_or(0);
    return OkStatus();
  }
  if (sealed.error().kind() == ErrorKind::kValidation) {
    return sealed.error();
  }
  ++progress.failed;
  if (progress.failures.size() < kFailuresShown) {
    progress.failures.push_back(
        {StrCat(key.bucket, "/", key.key), std::string(sealed.error().message())});
  }
  return OkStatus();
}

}  // namespace

Result<EncryptBlobsProgress> EncryptBlobs(const EncryptBlobsParts& parts,
                                          const EncryptBlobsReport& report) {
  EncryptBlobsProgress progress;
  RETURN_IF_ERROR(Count(parts, report, progress));
  for (int round = 1; round <= kRoundsMax; ++round) {
    const uint64_t before = progress.encrypted;
    progress.seen = 0;
    progress.failed = 0;
    progress.failures.clear();
    const Status ended =
        ForEachBlob(parts, [&](const blobs::BlobKey& key, uint64_t bytes) -> Status {
          RETURN_IF_ERROR(EncryptOne(parts, key, bytes, progress));
          return report(progress) ? OkStatus() : Stopped();
        });
    RETURN_IF_ERROR(ended);
    if (progress.encrypted == before) {
      break;
    }
  }
  return progress;
}

}  // namespace tintype::flows
