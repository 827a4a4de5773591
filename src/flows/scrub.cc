#include "flows/scrub.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "flows/delete_image.h"
#include "flows/develop.h"
#include "flows/media_keys.h"
#include "flows/reconcile.h"
#include "flows/upload.h"

namespace tintype::flows {
namespace {

using contexts::catalog::Image;
using contexts::catalog::ImageVersion;
using contexts::catalog::ProcessingStatus;

/// One run: what it looks at, what it has seen, whom it tells.
class Scrubber {
 public:
  Scrubber(Product& product, const std::function<void(const Finding&)>& report,
           const std::function<bool(const ScrubResult&)>& progress)
      : product_(product), report_(report), progress_(progress) {}

  Result<ScrubResult> Run() {
    RETURN_IF_ERROR(CheckImages());
    RETURN_IF_ERROR(CheckBlobs(product_.config.images_bucket));
    RETURN_IF_ERROR(CheckBlobs(product_.config.uploads_bucket));
    return result_;
  }

 private:
  void Find(std::string kind, std::string_view id, std::string detail) {
    ++result_.findings;
    report_({std::move(kind), std::string(id), std::move(detail)});
  }

  Status GoOn() {
    return progress_(result_) ? OkStatus()
                              : Status(Error(ErrorCode::kUnavailable, "The scrub was stopped."));
  }

  /// Whether background work will change what is there, so that nothing can be said now.
  Result<bool> IsInProgress(std::string_view id) {
    for (const std::string_view type : {kDevelopWork, kDeleteWork, kReconcileWork, kAbandonWork}) {
      ASSIGN_OR_RETURN(const auto work, product_.backlog.Find(StrCat(type, "-", id)));
      // What lies in the trash waits for its deletion, and is whole until then. What is dead is not
      // going to change.
      const bool waits =
          work && type == kDeleteWork && work->status == contexts::backlog::WorkStatus::kDelayed;
      if (work && !waits && work->status != contexts::backlog::WorkStatus::kDead) {
        return true;
      }
    }
    return false;
  }

  Status CheckImages() {
    std::optional<tables::Item> after;
    do {
      ASSIGN_OR_RETURN(auto page, product_.catalog.ListAll(after));
      for (const Image& image : page.images) {
        ++result_.images;
        ASSIGN_OR_RETURN(const bool in_progress, IsInProgress(image.id));
        if (in_progress) {
          ++result_.in_progress;
          continue;
        }
        RETURN_IF_ERROR(CheckImage(image));
      }
      RETURN_IF_ERROR(GoOn());
      after = std::move(page.last_evaluated_key);
    } while (after);
    return OkStatus();
  }

  Status CheckImage(const Image& image) {
    RETURN_IF_ERROR(NeedBlob(image.id, StoredKey(image.id, 0, Size::kOriginal)));
    if (image.processing_status == ProcessingStatus::kCompleted) {
      RETURN_IF_ERROR(NeedRenditions(image.id, 0));
    }
    ASSIGN_OR_RETURN(const std::vector<ImageVersion> versions,
                     product_.catalog.ListVersions(image.id));
    for (const ImageVersion& version : versions) {
      if (version.completed) {
        RETURN_IF_ERROR(NeedBlob(image.id, version.s3_key));
        RETURN_IF_ERROR(NeedRenditions(image.id, version.revision));
      }
    }
    for (const std::string& tag : contexts::catalog::PostedTags(image.tags)) {
      ASSIGN_OR_RETURN(const bool posted, product_.catalog.HasPosting(image, tag));
      if (!posted) {
        Find("missing-posting", image.id, StrCat("the tag ", tag, " has no posting"));
      }
    }
    return CheckCopies(image);
  }

  Status NeedBlob(std::string_view id, const std::string& key) {
    ASSIGN_OR_RETURN(const auto info, product_.blobs.Head({product_.config.images_bucket, key}));
    if (!info) {
      Find("missing-blob", id, key);
    }
    return OkStatus();
  }

  Status NeedRenditions(std::string_view id, int64_t revision) {
    for (const SizeSpec& spec : kSizes) {
      if (spec.size != Size::kOriginal) {
        RETURN_IF_ERROR(NeedBlob(id, StoredKey(id, revision, spec.size)));
      }
    }
    return OkStatus();
  }

  /// The records of the other contexts.
  Status CheckCopies(const Image& image) {
    ASSIGN_OR_RETURN(const auto account, product_.accounts.Find(image.user_id));
    if (!account) {
      Find("missing-account", image.id, StrCat("there is no account ", image.user_id));
      return OkStatus();
    }
    ASSIGN_OR_RETURN(const auto photo, product_.intake.Find(account->username, image.id));
    if (!photo) {
      Find("missing-record", image.id, "not in photos");
    } else if (photo->description != image.description.value_or("")) {
      Find("differing-copy", image.id, "photos.description");
    }
    ASSIGN_OR_RETURN(const auto sparks, product_.people.FindImage(image.id, account->email));
    if (!sparks) {
      Find("missing-record", image.id, "not in sparks");
    } else if (sparks->tags != image.tags) {
      Find("differing-copy", image.id, "sparks.tags");
    } else if (sparks->trashed != image.is_trashed()) {
      Find("differing-copy", image.id, "sparks.entityType");
    }
    ASSIGN_OR_RETURN(const auto ingest, product_.analysis.FindIngest(image.id));
    if (!ingest) {
      Find("missing-record", image.id, "no ingest record");
    }
    if (!image.sha256.empty()) {
      ASSIGN_OR_RETURN(const auto posted,
                       product_.intake.FindByChecksum(image.user_id, image.sha256));
      if (posted != image.id) {
        Find("missing-posting", image.id, "its checksum is not posted");
      }
    }
    return OkStatus();
  }

  Status CheckBlobs(const std::string& bucket) {
    blobs::ListRequest request;
    request.bucket = bucket;
    request.limit = blobs::kListLimitMax;
    std::string known;  // Keys of one image follow each other.
    while (true) {
      ASSIGN_OR_RETURN(const blobs::BlobList page, product_.blobs.List(request));
      for (const blobs::ListedBlob& blob : page.blobs) {
        ++result_.blobs;
        RETURN_IF_ERROR(CheckBlob(bucket, blob.key, known));
      }
      RETURN_IF_ERROR(GoOn());
      if (!page.more || page.blobs.empty()) {
        return OkStatus();
      }
      request.after = page.blobs.back().key;
    }
  }

  Status CheckBlob(const std::string& bucket, const std::string& key, std::string& known) {
    const std::string id = OwnerOf(key);
    if (id.empty()) {
      Find("unknown-blob", "", StrCat(bucket, "/", key));
      return OkStatus();
    }
    if (id == known) {
      return OkStatus();
    }
    ASSIGN_OR_RETURN(const auto image, product_.catalog.Find(id));
    ASSIGN_OR_RETURN(const auto upload, product_.intake.FindUpload(id));
    ASSIGN_OR_RETURN(const auto job, product_.jobs.Find(id));
    ASSIGN_OR_RETURN(const bool in_progress, IsInProgress(id));
    if (image || upload || job || in_progress) {
      known = id;
    } else {
      Find("orphaned-blob", id, StrCat(bucket, "/", key));
    }
    return OkStatus();
  }

  /// The image, upload or job that a stored key belongs to; empty when it is none of ours.
  static std::string OwnerOf(std::string_view key) {
    for (const std::string_view folder : {"images/", "uploads/", "jobs/"}) {
      if (key.starts_with(folder)) {
        key.remove_prefix(folder.size());
        return std::string(key.substr(0, key.find('/')));
      }
    }
    // What analysis wrote is in a folder named by the image.
    const size_t slash = key.find('/');
    return slash == std::string_view::npos ? "" : std::string(key.substr(0, slash));
  }

  Product& product_;
  const std::function<void(const Finding&)>& report_;
  const std::function<bool(const ScrubResult&)>& progress_;
  ScrubResult result_;
};

}  // namespace

Result<ScrubResult> Scrub(Product& product, const std::function<void(const Finding&)>& report,
                          const std::function<bool(const ScrubResult&)>& progress) {
  return Scrubber(product, report, progress).Run();
}

}  // namespace tintype::flows
