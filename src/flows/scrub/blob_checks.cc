#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/strings.h"
#include "blobs/blob_store.h"
#include "contexts/common/item.h"
#include "flows/config.h"
#include "flows/images/develop.h"
#include "flows/images/stored_sizes.h"
#include "flows/media_keys.h"
#include "flows/scrub/image_check.h"
#include "flows/scrub/read_blob.h"

/// The files of an image: its original, what was made of it, and those of its edits.
///
/// The records have checksums of an original. They have none of renditions and edited pictures, so
/// a file of the right length that has other bytes is not noticed: those can be made again.
namespace tintype::flows::scrub {
namespace {

using contexts::catalog::ImageVersion;

constexpr const char* kBringBack =
    "bring the file back from a backup, or remove it and upload the same photo again";

/// The store's answer for a file that must be there and not be empty; nothing, and a finding, when
/// it is not: no picture has no bytes.
Result<std::optional<blobs::BlobInfo>> NeedFile(Inspection& at, const std::string& key,
                                                const std::string& next) {
  ++at.run.counts().files;
  ASSIGN_OR_RETURN(const auto info, at.Head(key));
  if (!info || info->bytes == 0) {
    at.Find("missing-blob", info ? StrCat(key, " (it is empty)") : key, next);
    return std::optional<blobs::BlobInfo>();
  }
  return info;
}

/// What the records say of the bytes of an original; empty where they say nothing.
struct Expected {
  int64_t bytes = 0;
  std::string sha256;
  std::string md5;
};

Expected ExpectedOf(const Subject& subject) {
  Expected expected{subject.image.file_size, subject.image.sha256, ""};
  if (subject.ingest) {
    const contexts::ItemReader checksum =
        contexts::ItemReader(*subject.ingest).Map("data").Map("checksum");
    if (checksum.Text("algorithm") == "md5") {
      expected.md5 = checksum.Text("computed");
    }
  }
  return expected;
}

std::string WrongLength(const std::string& key, uint64_t bytes, int64_t expected) {
  return StrCat(key, " (", bytes, " bytes instead of ", expected, ")");
}

/// Says which of the records is wrong, or that the file is: one that fits a checksum is as it was
/// uploaded, and then the records that say otherwise are not.
void CompareContent(Inspection& at, const std::string& key, uint64_t bytes,
                    const Expected& expected, const blobs::ContentHashes& hashes) {
  const bool sha_fits = hashes.sha256 == expected.sha256;
  const bool md5_fits = hashes.md5 == expected.md5;
  const bool length_fits = expected.bytes <= 0 || bytes == static_cast<uint64_t>(expected.bytes);
  if (!sha_fits && !md5_fits) {
    if (!length_fits) {
      at.Find("damaged-blob", WrongLength(key, bytes, expected.bytes), kBringBack);
    } else if (!expected.sha256.empty()) {
      at.Find("damaged-blob",
              StrCat(key, " (its SHA-256 is ", hashes.sha256, " instead of ", expected.sha256, ")"),
              kBringBack);
    } else if (!expected.md5.empty()) {
      at.Find("damaged-blob",
              StrCat(key, " (its MD5 is ", hashes.md5, " instead of ", expected.md5, ")"),
              kBringBack);
    }
    return;
  }
  if (!length_fits) {
    at.FindDiffering(StrCat("ImageMetadata.fileSize (", expected.bytes, " instead of ", bytes, ")"),
                     "the file is as it was uploaded: set the attribute to its length");
  }
  if (!sha_fits && !expected.sha256.empty()) {
    at.FindDiffering(StrCat("ImageMetadata.sha256 (the file has ", hashes.sha256, ")"),
                     "the file is as it was uploaded, by the ingest record's MD5: set the "
                     "attribute to its SHA-256");
  }
  if (!md5_fits && !expected.md5.empty()) {
    at.FindDiffering(
        StrCat("ingest.data.checksum.computed (the file has ", hashes.md5, ")"),
        "the file is as it was uploaded, by its SHA-256: set the attribute to its MD5");
  }
}

/// What was made of an original or of an edit, for `revision`.
Status NeedRenditions(Inspection& at, int64_t revision, const std::vector<Size>& sizes) {
  for (const Size size : sizes) {
    if (size != Size::kOriginal) {
      RETURN_IF_ERROR(NeedFile(at, StoredKey(at.image().id, revision, size), at.RebuildIt()));
    }
  }
  return OkStatus();
}

/// The picture of an edit, and the sizes that are made of it.
Status NeedVersion(Inspection& at, const ImageVersion& version) {
  constexpr std::string_view kNext =
      "bring the file back from a backup; without it, edit the photo again";
  ASSIGN_OR_RETURN(const auto info, NeedFile(at, version.s3_key, std::string(kNext)));
  if (info && version.file_size > 0 && info->bytes != static_cast<uint64_t>(version.file_size)) {
    at.Find("damaged-blob", WrongLength(version.s3_key, info->bytes, version.file_size),
            std::string(kNext));
  }
  return NeedRenditions(at, version.revision, AllSizes());
}

}  // namespace

Status CheckOriginal(Inspection& at) {
  const std::string key = StoredKey(at.image().id, 0, Size::kOriginal);
  ASSIGN_OR_RETURN(
      const auto info,
      NeedFile(at, key, "bring the file back from a backup, or upload the same photo again"));
  if (!info) {
    return OkStatus();
  }
  const Expected expected = ExpectedOf(at.subject);
  if (!at.run.options.read_originals) {
    if (expected.bytes > 0 && info->bytes != static_cast<uint64_t>(expected.bytes)) {
      at.Find("damaged-blob", WrongLength(key, info->bytes, expected.bytes), kBringBack);
    }
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const auto content, ReadBlob(at.run, {at.run.parts.config.images_bucket, key}));
  if (!content) {
    at.Find("missing-blob", key,
            "bring the file back from a backup, or upload the same photo again");
  } else if (content->damage) {
    at.Find("damaged-blob", StrCat(key, " (it cannot be read: ", *content->damage, ")"),
            StrCat("look at the disk's health; ", kBringBack));
  } else {
    CompareContent(at, key, info->bytes, expected, content->hashes);
  }
  return OkStatus();
}

Status CheckRenditions(Inspection& at) {
  if (!at.is_developed()) {
    return OkStatus();
  }
  RETURN_IF_ERROR(NeedRenditions(at, 0, StoredSizes(at.image())));
  if (!at.image().has_picture()) {
    return OkStatus();
  }
  // Of one rendition the record has the length.
  const std::string large = StoredKey(at.image().id, at.image().picture(), Size::kLarge);
  ASSIGN_OR_RETURN(const auto info, at.Head(large));
  if (info && info->bytes > 0 && at.image().processed_size > 0 &&
      info->bytes != static_cast<uint64_t>(at.image().processed_size)) {
    at.Find("damaged-blob", WrongLength(large, info->bytes, at.image().processed_size),
            at.RebuildIt());
  }
  return OkStatus();
}

Status CheckVersions(Inspection& at) {
  const std::vector<ImageVersion>& versions = at.subject.versions;
  for (const ImageVersion& version : versions) {
    if (!version.completed) {
      continue;  // An edit that is being made, or was given up: it has no picture.
    }
    // A revert shows the pictures of another version, which is looked at as well.
    if (!version.reverted_to) {
      RETURN_IF_ERROR(NeedVersion(at, version));
    }
    if (version.revision > at.image().revision) {
      at.FindDiffering(StrCat("ImageMetadata.revision (", at.image().revision,
                              ", but there is version ", version.revision, ")"),
                       "edit the photo again, or set the attribute to the newest version");
    }
  }
  const bool has_current = std::ranges::any_of(versions, [&](const ImageVersion& version) {
    return version.completed && version.revision == at.image().revision;
  });
  if (at.image().revision > 0 && !has_current) {
    at.Find("missing-record",
            StrCat("no version ", at.image().revision, ", which is the current one"),
            at.RestoreRecord());
  }
  return OkStatus();
}

}  // namespace tintype::flows::scrub
