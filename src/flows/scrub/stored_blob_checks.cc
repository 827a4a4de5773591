#include <string>
#include <string_view>

#include "base/strings.h"
#include "blobs/blob_store.h"
#include "contexts/backlog/backlog.h"
#include "contexts/intake/intake.h"
#include "contexts/jobs/jobs.h"
#include "flows/config.h"
#include "flows/media_keys.h"
#include "flows/scrub/record_checks.h"
#include "flows/uploads/upload.h"

/// Files of images, uploads and jobs that do not exist.
namespace tintype::flows::scrub {
namespace {

/// The image, upload or job that a stored key belongs to; empty when it is none of ours.
std::string OwnerOf(std::string_view key) {
  for (const std::string_view folder : {"images/", "uploads/", "direct/", "jobs/"}) {
    if (key.starts_with(folder)) {
      key.remove_prefix(folder.size());
      return std::string(key.substr(0, key.find('/')));
    }
  }
  // Blobs that analysis wrote are in a folder named by the image.
  const size_t slash = key.find('/');
  return slash == std::string_view::npos ? "" : std::string(key.substr(0, slash));
}

Status CheckBlob(Run& run, const std::string& bucket, const std::string& key) {
  if (IsPersonKey(key)) {
    return OkStatus();  // Of persons, who have no part in this.
  }
  if (const auto owner = ProfilePictureOwner(key)) {
    return CheckPictureBlob(run, key, *owner);
  }
  const std::string place = StrCat(bucket, "/", key);
  const std::string id = OwnerOf(key);
  if (id.empty()) {
    run.Report({{"unknown-blob", "", place, "no part of the gallery: look at it, and remove it"}});
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const bool owned, run.HasOwner(id));
  if (owned) {
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const auto upload, run.parts.intake.FindUpload(id));
  ASSIGN_OR_RETURN(const auto job, run.parts.jobs.Find(id));
  // Bytes that came by a link after their upload had ended go with that work.
  ASSIGN_OR_RETURN(const auto sweep, run.parts.backlog.Find(SweepWorkId(id)));
  if (!upload && !job && !sweep) {
    // Unless it was deleted since it was listed.
    ASSIGN_OR_RETURN(const auto info, run.parts.blobs.Head({bucket, key}));
    if (info) {
      run.Report(
          {{"orphaned-blob", id, place, "it belongs to no image: look at it, and remove it"}});
    }
  }
  return OkStatus();
}

Status CheckBucket(Run& run, const std::string& bucket, const Place& place) {
  blobs::ListRequest request;
  request.bucket = bucket;
  request.limit = blobs::kListLimitMax;
  const auto after = place.find("after");
  request.after = after == place.end() ? "" : after->second;
  while (true) {
    ASSIGN_OR_RETURN(const blobs::BlobList page, run.parts.blobs.List(request));
    for (const blobs::ListedBlob& blob : page.blobs) {
      ++run.counts().blobs;
      RETURN_IF_ERROR(CheckBlob(run, bucket, blob.key));
      RETURN_IF_ERROR(run.Advance({{"after", blob.key}}));
    }
    if (!page.more || page.blobs.empty()) {
      return OkStatus();
    }
    request.after = page.after();
  }
}

}  // namespace

Status CheckImagesBucket(Run& run, const Place& place) {
  return CheckBucket(run, run.parts.config.images_bucket, place);
}

Status CheckUploadsBucket(Run& run, const Place& place) {
  return CheckBucket(run, run.parts.config.uploads_bucket, place);
}

}  // namespace tintype::flows::scrub
