#include "flows/scrub.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "blobs/blob_store.h"
#include "blobs/spool.h"
#include "contexts/analysis/analysis.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/catalog/similarity.h"
#include "contexts/identity/accounts.h"
#include "contexts/intake/intake.h"
#include "contexts/jobs/jobs.h"
#include "contexts/people/people.h"
#include "flows/config.h"
#include "flows/delete_image.h"
#include "flows/develop.h"
#include "flows/media_keys.h"
#include "flows/rebuild.h"
#include "flows/reconcile.h"
#include "flows/upload.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::catalog::Image;
using contexts::catalog::ImageVersion;
using contexts::catalog::ProcessingStatus;

/// What does not fit in one image: its blobs, its postings, and its copies in the other contexts.
class ImageCheck {
 public:
  ImageCheck(const ScrubParts& parts, const Image& image) : parts_(parts), image_(image) {}

  Result<std::vector<Finding>> Findings() && {
    RETURN_IF_ERROR(Check());
    return std::move(findings_);
  }

 private:
  void Find(std::string kind, std::string detail) {
    findings_.push_back({std::move(kind), image_.id, std::move(detail)});
  }

  Status Check() {
    RETURN_IF_ERROR(NeedBlob(StoredKey(image_.id, 0, Size::kOriginal), image_.file_size));
    if (image_.processing_status == ProcessingStatus::kCompleted) {
      RETURN_IF_ERROR(NeedRenditions(0));
    }
    ASSIGN_OR_RETURN(const std::vector<ImageVersion> versions,
                     parts_.catalog.ListVersions(image_.id));
    for (const ImageVersion& version : versions) {
      // A revert shows the pictures of another, which is looked at too.
      if (version.completed && !version.reverted_to) {
        RETURN_IF_ERROR(NeedBlob(version.s3_key, version.file_size));
        RETURN_IF_ERROR(NeedRenditions(version.revision));
      }
    }
    for (const std::string& tag : contexts::catalog::PostedTags(image_.tags)) {
      ASSIGN_OR_RETURN(const bool posted, parts_.catalog.HasPosting(image_, tag));
      if (!posted) {
        Find("missing-posting", StrCat("the tag ", tag, " has no posting"));
      }
    }
    RETURN_IF_ERROR(CheckHash());
    return CheckCopies();
  }

  Status CheckHash() {
    if (!image_.perceptual_hash) {
      return OkStatus();
    }
    ASSIGN_OR_RETURN(const bool posted,
                     contexts::catalog::SimilarityIndex(parts_.database)
                         .IsPosted({image_.id, image_.user_id, *image_.perceptual_hash}));
    if (!posted) {
      Find("missing-posting", "its perceptual hash is not posted");
    }
    return OkStatus();
  }

  /// `bytes` is what its record says, 0 when that is not known. What has no bytes is no picture.
  Status NeedBlob(const std::string& key, int64_t bytes) {
    ASSIGN_OR_RETURN(const auto info, parts_.blobs.Head({parts_.config.images_bucket, key}));
    if (!info || info->bytes == 0) {
      Find("missing-blob", info ? StrCat(key, " (it is empty)") : key);
    } else if (bytes > 0 && info->bytes != static_cast<uint64_t>(bytes)) {
      Find("damaged-blob", StrCat(key, " (", info->bytes, " bytes instead of ", bytes, ")"));
    }
    return OkStatus();
  }

  Status NeedRenditions(int64_t revision) {
    for (const SizeSpec& spec : kSizes) {
      if (spec.size != Size::kOriginal) {
        RETURN_IF_ERROR(NeedBlob(StoredKey(image_.id, revision, spec.size), 0));
      }
    }
    return OkStatus();
  }

  /// The records of the other contexts.
  Status CheckCopies() {
    ASSIGN_OR_RETURN(const auto account, parts_.accounts.Find(image_.user_id));
    if (!account) {
      Find("missing-account", StrCat("there is no account ", image_.user_id));
      return OkStatus();
    }
    ASSIGN_OR_RETURN(const auto photo, parts_.intake.Find(account->username, image_.id));
    if (!photo) {
      Find("missing-record", "not in photos");
    } else if (photo->description != image_.description.value_or("")) {
      Find("differing-copy", "photos.description");
    }
    ASSIGN_OR_RETURN(const auto sparks, parts_.people.FindImage(image_.id, account->email));
    if (!sparks) {
      Find("missing-record", "not in sparks");
    } else if (sparks->tags != image_.tags) {
      Find("differing-copy", "sparks.tags");
    } else if (sparks->trashed != image_.is_trashed()) {
      Find("differing-copy", "sparks.entityType");
    }
    ASSIGN_OR_RETURN(const auto ingest, parts_.analysis.FindIngest(image_.id));
    if (!ingest) {
      Find("missing-record", "no ingest record");
    }
    if (!image_.sha256.empty()) {
      ASSIGN_OR_RETURN(const auto posted,
                       parts_.intake.FindByChecksum(image_.user_id, image_.sha256));
      if (posted != image_.id) {
        Find("missing-posting", "its checksum is not posted");
      }
    }
    return OkStatus();
  }

  const ScrubParts& parts_;
  const Image& image_;
  std::vector<Finding> findings_;
};

/// A function that lists the images that some records are about.
using ListOwners =
    std::function<Result<contexts::OwnersPage>(const std::optional<tables::Item>& after)>;

/// One run: what it looks at, what it has seen, whom it tells.
class Scrubber {
 public:
  Scrubber(const ScrubParts& parts, const std::function<void(const Finding&)>& report,
           const std::function<bool(const ScrubResult&)>& progress)
      : parts_(parts), report_(report), progress_(progress) {}

  Result<ScrubResult> Run() {
    RETURN_IF_ERROR(CheckImages());
    RETURN_IF_ERROR(CheckOwners(
        "photos", [&](const auto& after) { return parts_.intake.ListPhotoOwners(after); }));
    RETURN_IF_ERROR(CheckOwners(
        "sparks", [&](const auto& after) { return parts_.people.ListImageOwners(after); }));
    RETURN_IF_ERROR(CheckOwners(
        "ingest", [&](const auto& after) { return parts_.analysis.ListIngestOwners(after); }));
    RETURN_IF_ERROR(CheckOwners(
        "version", [&](const auto& after) { return parts_.catalog.ListVersionOwners(after); }));
    RETURN_IF_ERROR(CheckOwners(
        "posting", [&](const auto& after) { return parts_.catalog.ListPostingOwners(after); }));
    RETURN_IF_ERROR(CheckOwners("look", [&](const auto& after) {
      return contexts::catalog::SimilarityIndex(parts_.database).ListOwners(after);
    }));
    RETURN_IF_ERROR(CheckOwners(
        "checksum", [&](const auto& after) { return parts_.intake.ListChecksumOwners(after); }));
    RETURN_IF_ERROR(CheckBlobs(parts_.config.images_bucket));
    RETURN_IF_ERROR(CheckBlobs(parts_.config.uploads_bucket));
    RETURN_IF_ERROR(CheckSpool());
    return result_;
  }

 private:
  void Report(const std::vector<Finding>& findings) {
    result_.findings += static_cast<int64_t>(findings.size());
    std::ranges::for_each(findings, report_);
  }

  Status GoOn() {
    return progress_(result_) ? OkStatus()
                              : Status(Error(ErrorKind::kUnavailable, "The scrub was stopped."));
  }

  /// Whether background work will change what is there, so that nothing can be said now.
  Result<bool> IsInProgress(std::string_view id) {
    for (const std::string_view type :
         {kDevelopWork, kDeleteWork, kReconcileWork, kAbandonWork, kRebuildImageWork}) {
      ASSIGN_OR_RETURN(const auto work, parts_.backlog.Find(StrCat(type, "-", id)));
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
      ASSIGN_OR_RETURN(auto page, parts_.catalog.ListAll(after));
      for (const Image& image : page.images) {
        ++result_.images;
        ASSIGN_OR_RETURN(const bool in_progress, IsInProgress(image.id));
        if (in_progress) {
          ++result_.in_progress;
          continue;
        }
        ASSIGN_OR_RETURN(const std::vector<Finding> findings, ImageCheck(parts_, image).Findings());
        ASSIGN_OR_RETURN(const bool settled, IsAsItWas(image));
        if (settled) {
          Report(findings);
        }
      }
      RETURN_IF_ERROR(GoOn());
      after = std::move(page.last_evaluated_key);
    } while (after);
    return OkStatus();
  }

  /// Whether nobody has begun to change the image since it was read.
  Result<bool> IsAsItWas(const Image& image) {
    ASSIGN_OR_RETURN(const bool in_progress, IsInProgress(image.id));
    ASSIGN_OR_RETURN(const auto now, parts_.catalog.Find(image.id));
    return !in_progress && now && now->version == image.version &&
           now->updated_at == image.updated_at;
  }

  /// Reports records of images that do not exist.
  Status CheckOwners(std::string_view what, const ListOwners& list) {
    std::optional<tables::Item> after;
    do {
      ASSIGN_OR_RETURN(contexts::OwnersPage page, list(after));
      result_.records += static_cast<int64_t>(page.ids.size());
      std::set<std::string> orphans;
      for (const std::string& id : page.ids) {
        if (!orphans.contains(id)) {
          ASSIGN_OR_RETURN(const bool owned, HasOwner(id));
          if (!owned) {
            orphans.insert(id);
          }
        }
      }
      if (!orphans.empty()) {
        // One whose image was deleted in between is gone by now.
        ASSIGN_OR_RETURN(page, list(after));
        std::ranges::sort(page.ids);
      }
      for (const std::string& id : orphans) {
        if (std::ranges::binary_search(page.ids, id)) {
          Report({{"orphaned-record", id, std::string(what)}});
        }
      }
      RETURN_IF_ERROR(GoOn());
      after = std::move(page.last_evaluated_key);
    } while (after);
    return OkStatus();
  }

  /// Whether there is an image of that id, or will be, or it is about to go with all it has.
  Result<bool> HasOwner(const std::string& id) {
    if (id == known_) {
      return true;
    }
    ASSIGN_OR_RETURN(const auto image, parts_.catalog.Find(id));
    ASSIGN_OR_RETURN(const bool in_progress, IsInProgress(id));
    if (image || in_progress) {
      known_ = id;
    }
    return image || in_progress;
  }

  Status CheckBlobs(const std::string& bucket) {
    blobs::ListRequest request;
    request.bucket = bucket;
    request.limit = blobs::kListLimitMax;
    while (true) {
      ASSIGN_OR_RETURN(const blobs::BlobList page, parts_.blobs.List(request));
      for (const blobs::ListedBlob& blob : page.blobs) {
        ++result_.blobs;
        RETURN_IF_ERROR(CheckBlob(bucket, blob.key));
      }
      RETURN_IF_ERROR(GoOn());
      if (!page.more || page.blobs.empty()) {
        return OkStatus();
      }
      request.after = page.blobs.back().key;
    }
  }

  /// Bytes on their way that belong to no upload. The next start removes them.
  Status CheckSpool() {
    ASSIGN_OR_RETURN(const std::vector<std::string> ids, parts_.spool.List());
    for (const std::string& id : ids) {
      ++result_.blobs;
      ASSIGN_OR_RETURN(const auto upload, parts_.intake.FindUpload(id));
      if (upload) {
        continue;
      }
      // Unless it is ending just now: the file goes last.
      ASSIGN_OR_RETURN(const auto in_progress, IsInProgress(id));
      const bool at_work = !parts_.spool.Take(id).ok();
      ASSIGN_OR_RETURN(const auto bytes, parts_.spool.Bytes(id));
      if (!in_progress && !at_work && bytes) {
        Report({{"orphaned-spool", id, "bytes of an upload that has ended"}});
      }
    }
    return GoOn();
  }

  Status CheckBlob(const std::string& bucket, const std::string& key) {
    const std::string id = OwnerOf(key);
    if (id.empty()) {
      Report({{"unknown-blob", "", StrCat(bucket, "/", key)}});
      return OkStatus();
    }
    ASSIGN_OR_RETURN(const bool owned, HasOwner(id));
    if (owned) {
      return OkStatus();
    }
    ASSIGN_OR_RETURN(const auto upload, parts_.intake.FindUpload(id));
    ASSIGN_OR_RETURN(const auto job, parts_.jobs.Find(id));
    // What came by a link after its upload had ended goes with that work.
    ASSIGN_OR_RETURN(const auto sweep, parts_.backlog.Find(SweepWorkId(id)));
    if (!upload && !job && !sweep) {
      // Unless it was deleted since it was listed.
      ASSIGN_OR_RETURN(const auto info, parts_.blobs.Head({bucket, key}));
      if (info) {
        Report({{"orphaned-blob", id, StrCat(bucket, "/", key)}});
      }
    }
    return OkStatus();
  }

  /// The image, upload or job that a stored key belongs to; empty when it is none of ours.
  static std::string OwnerOf(std::string_view key) {
    for (const std::string_view folder : {"images/", "uploads/", "direct/", "jobs/"}) {
      if (key.starts_with(folder)) {
        key.remove_prefix(folder.size());
        return std::string(key.substr(0, key.find('/')));
      }
    }
    // What analysis wrote is in a folder named by the image.
    const size_t slash = key.find('/');
    return slash == std::string_view::npos ? "" : std::string(key.substr(0, slash));
  }

  const ScrubParts& parts_;
  const std::function<void(const Finding&)>& report_;
  const std::function<bool(const ScrubResult&)>& progress_;
  ScrubResult result_;
  std::string known_;  // The last one that has an owner: keys of one image follow each other.
};

}  // namespace

Result<ScrubResult> Scrub(const ScrubParts& parts,
                          const std::function<void(const Finding&)>& report,
                          const std::function<bool(const ScrubResult&)>& progress) {
  return Scrubber(parts, report, progress).Run();
}

}  // namespace tintype::flows
