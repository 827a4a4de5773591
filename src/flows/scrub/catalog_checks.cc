#include <string>

#include "base/strings.h"
#include "contexts/catalog/similarity.h"
#include "flows/config.h"
#include "flows/media_keys.h"
#include "flows/scrub/image_check.h"
#include "flows/upkeep/upgrade.h"
#include "tables/language/database.h"

/// What the catalog keeps twice: keys of indexes, postings, and names of files.
///
/// Whether an index shows what the item's keys say is not looked at: that is the database's own
/// affair, and on a remote one indexes may be behind.
namespace tintype::flows::scrub {

Status CheckIndexKeys(Inspection& at) {
  // In the trash an image is in no index that lists images.
  const contexts::catalog::IndexKeys expected = contexts::catalog::IndexKeysOf(at.image());
  const contexts::catalog::IndexKeys& actual = at.subject.index_keys;
  const std::string next =
      at.image().is_trashed()
          ? "restore the image and move it to the trash again, which writes the keys"
          : "move the image to the trash and restore it, which writes the keys";
  for (const auto& [name, text] : expected) {
    const auto found = actual.find(name);
    if (found == actual.end()) {
      at.FindDiffering(StrCat("ImageMetadata.", name, " (missing, should be ", text, ")"), next);
    } else if (found->second != text) {
      at.FindDiffering(
          StrCat("ImageMetadata.", name, " (", found->second, ", should be ", text, ")"), next);
    }
  }
  for (const auto& [name, text] : actual) {
    if (!expected.contains(name)) {
      at.FindDiffering(StrCat("ImageMetadata.", name, " (", text, ", should not be there)"), next);
    }
  }
  return OkStatus();
}

Status CheckTagPostings(Inspection& at) {
  for (const std::string& tag : contexts::catalog::PostedTags(at.image().tags)) {
    ASSIGN_OR_RETURN(const bool posted, at.run.parts.catalog.HasPosting(at.image(), tag));
    if (!posted) {
      at.Find("missing-posting", StrCat("the tag ", tag, " has no posting"),
              "take the tag off the image and add it again");
    }
  }
  return OkStatus();
}

Status CheckTrashPosting(Inspection& at) {
  if (!at.image().is_trashed()) {
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const auto posting, at.run.parts.catalog.FindTrashPosting(at.image()));
  if (posting) {
    return OkStatus();
  }
  // Until an upgrade has ended, those of before may have none.
  ASSIGN_OR_RETURN(const bool upgraded, IsUpgradeDone(at.run.parts.backlog, kTrashPostingsStep));
  if (upgraded) {
    at.Find("missing-posting", "it is in the trash, whose list lacks it",
            "restore the image and move it to the trash again");
  }
  return OkStatus();
}

Status CheckLookPostings(Inspection& at) {
  if (!at.image().perceptual_hash) {
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const bool posted,
                   contexts::catalog::SimilarityIndex(at.run.parts.database)
                       .IsPosted({at.image().id, at.image().user_id, *at.image().perceptual_hash}));
  if (!posted) {
    at.Find("missing-posting", "its perceptual hash is not posted", at.RebuildIt());
  }
  return OkStatus();
}

Status CheckMediaNames(Inspection& at) {
  const auto compare = [&](std::string_view name, const std::string& text,
                           const std::string& expected) {
    if (text != expected) {
      at.FindDiffering(StrCat("ImageMetadata.", name, " (", text, ", should be ", expected, ")"),
                       "set the attribute to what it should be");
    }
  };
  // Links are not compared: they name the address that the server had when they were written.
  const contexts::catalog::Image& image = at.image();
  compare("s3Bucket", image.s3_bucket, at.run.parts.config.images_bucket);
  compare("s3Key", image.s3_key, ImageServiceKey(image.user_id, image.id));
  compare("thumbnailKey", image.thumbnail_key, ImageServiceThumbnailKey(image.user_id, image.id));
  return OkStatus();
}

}  // namespace tintype::flows::scrub
