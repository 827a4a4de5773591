#include "flows/images/revert_image.h"

#include <string>
#include <utility>

#include "base/clock.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "blobs/blob_store.h"
#include "contexts/backlog/backlog.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/transaction.h"
#include "flows/config.h"
#include "flows/images/images.h"
#include "flows/images/versions.h"
#include "flows/media_keys.h"
#include "flows/upkeep/rebuild.h"
#include "json/value.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::catalog::Catalog;
using contexts::catalog::Image;
using contexts::catalog::ImageVersion;
using contexts::catalog::OriginalPicture;
using contexts::catalog::ProcessingStatus;

Status CheckRevertible(const Image& image, const RevertRequest& request) {
  if (image.is_trashed()) {
    return Error::NotFound("The image is in the trash. Restore it first.");
  }
  if (image.version != request.seen_version) {
    return Error(contexts::catalog::kVersionChanged,
                 StrCat("The image was changed meanwhile: it has version ", image.version,
                        " now. Read it again, then decide."));
  }
  if (image.processing_status != ProcessingStatus::kCompleted) {
    return Error(ErrorKind::kConditionFailed, "The image has not been developed.");
  }
  return OkStatus();
}

/// What developing has written down of the upload, for images that were edited before their record
/// kept it. Anything that cannot be read is left open.
Result<OriginalPicture> ReadProperties(const RevertParts& parts, const std::string& id) {
  constexpr size_t kBytesMax = 64 * 1024;
  OriginalPicture original;
  const auto blob =
      parts.blobs.Open({parts.config.images_bucket, StrCat(id, "/image/properties.json")});
  if (!blob.ok() && blob.error().kind() == ErrorKind::kNotFound) {
    return original;
  }
  RETURN_IF_ERROR(blob);
  std::string text(kBytesMax, '\0');
  ASSIGN_OR_RETURN(const size_t bytes, (*blob)->Read(0, text));
  text.resize(bytes);
  const auto properties = json::Parse(text, kBytesMax);
  if (!properties.ok()) {
    return original;
  }
  const auto number = [&](std::string_view name) -> int64_t {
    const json::Value* member = properties->Find(name);
    return member == nullptr ? 0 : member->integer().value_or(0);
  };
  original.width = number("width");
  original.height = number("height");
  const json::Value* colors = properties->Find("dominantColors");
  if (colors != nullptr && colors->array() != nullptr) {
    for (const json::Value& color : *colors->array()) {
      const json::Value* hex = color.Find("hex");
      if (hex != nullptr && hex->text() != nullptr) {
        original.appearance.dominant_colors.push_back(*hex->text());
      }
    }
  }
  return original;
}

/// The upload as if it were a version.
Result<ImageVersion> OriginalVersion(const RevertParts& parts, const Image& image) {
  OriginalPicture original;
  if (image.original) {
    original = *image.original;
  } else {
    ASSIGN_OR_RETURN(original, ReadProperties(parts, image.id));
  }
  ImageVersion version;
  version.completed = true;
  version.width = original.width;
  version.height = original.height;
  version.file_size = image.file_size;
  version.s3_key = StoredKey(image.id, 0, Size::kOriginal);
  version.appearance = std::move(original.appearance);
  version.base = 0;
  version.operations = "[]";
  return version;
}

/// The version that shows the picture of another one, without its number.
ImageVersion RevertTo(const Image& image, const ImageVersion& target, std::string_view now) {
  ImageVersion version = target;
  version.image_id = image.id;
  version.job_id.clear();
  version.created_at = now;
  version.reverted_to = target.picture();
  if (!target.operations) {
    // A picture that is its own base, with nothing done to it.
    version.base = target.picture();
    version.operations = "[]";
  }
  return version;
}

/// Which version is to be shown again.
Result<ImageVersion> FindTarget(const RevertParts& parts, const Image& image,
                                const Versions& versions, int64_t revision) {
  if (revision == 0) {
    return OriginalVersion(parts, image);
  }
  const ImageVersion* version = FindVersion(versions, revision);
  if (version == nullptr) {
    return Error::NotFound(StrCat("The image has no version ", revision, "."));
  }
  return *version;
}

/// Commits it, if nobody has changed the image or taken the number since.
Status CommitRevert(const RevertParts& parts, const Image& seen, const Versions& versions,
                    const ImageVersion& version) {
  ASSIGN_OR_RETURN(const auto large,
                   parts.blobs.Head({parts.config.images_bucket,
                                     StoredKey(seen.id, version.picture(), Size::kLarge)}));
  Image revised = Revised(seen, version, large ? static_cast<int64_t>(large->bytes) : 0,
                          parts.config.public_url);
  if (version.picture() == 0 && !revised.original) {
    revised.original = OriginalPicture{version.width, version.height, version.appearance};
  }
  Transaction revert(StrCat("revert ", seen.id));
  revert.Add(Catalog::Revise(seen, revised, version.created_at)).Add(Catalog::AddVersion(version));
  for (const int64_t revision : RevertsToForget(seen, versions)) {
    revert.Add(Catalog::RemoveVersion(seen.id, revision));
  }
  if (version.appearance.blurhash.empty() || version.width == 0) {
    // From before these were kept: a rebuild looks at the picture again.
    contexts::backlog::Work rebuild = RebuildImageWork(revised);
    rebuild.priority = contexts::backlog::Priority::kNormal;
    revert.Add(parts.backlog.Enqueue(std::move(rebuild)));
  }
  return revert.Commit(parts.database, parts.retries);
}

}  // namespace

Result<Image> RevertImage(const RevertParts& parts, const Account& account, std::string_view id,
                          const RevertRequest& request) {
  // Each attempt loses only to a job that took a number, so a few are plenty.
  constexpr int kAttemptsMax = 20;
  for (int attempt = 1;; ++attempt) {
    ASSIGN_OR_RETURN(Image seen, FindOwnImage(parts, account, id));
    RETURN_IF_ERROR(CheckRevertible(seen, request));
    ASSIGN_OR_RETURN(const Versions versions, parts.catalog.ListVersions(id));
    ASSIGN_OR_RETURN(const ImageVersion target,
                     FindTarget(parts, seen, versions, request.revision));
    if (seen.picture() == target.picture()) {
      return seen;
    }
    ImageVersion version = RevertTo(seen, target, TimeText(parts.clock.NowMs()));
    version.revision = NextRevision(seen, versions);
    const Status committed = CommitRevert(parts, seen, versions, version);
    if (committed.ok()) {
      return FindOwnImage(parts, account, id);
    }
    if (!committed.error().Is(contexts::catalog::kRevisionTaken) || attempt == kAttemptsMax) {
      return committed.error();
    }
  }
}

}  // namespace tintype::flows
