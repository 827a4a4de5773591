#include "cli/settings/blob_place.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/strings.h"
#include "blobs/blob_key.h"

namespace tintype::cli {
namespace {

/// The line that the record has. Names of buckets have no spaces.
std::string LineOf(const BlobSettings& settings) {
  return settings.s3 ? StrCat("s3 ", settings.s3->uploads_bucket, " ", settings.s3->images_bucket)
                     : std::string("files");
}

/// The settings as far as the line has them; nothing when it is none.
std::optional<BlobSettings> ParseLine(std::string_view line) {
  constexpr std::string_view kS3 = "s3 ";
  if (line == "files") {
    return BlobSettings();
  }
  const size_t space = line.find(' ', kS3.size());
  if (!line.starts_with(kS3) || space == std::string_view::npos) {
    return std::nullopt;
  }
  S3Settings s3;
  s3.uploads_bucket = line.substr(kS3.size(), space - kS3.size());
  s3.images_bucket = line.substr(space + 1);
  if (!blobs::ValidateBucketName(s3.uploads_bucket).ok() ||
      !blobs::ValidateBucketName(s3.images_bucket).ok()) {
    return std::nullopt;
  }
  return BlobSettings{.s3 = std::move(s3)};
}

bool HoldsFiles(const std::string& folder) {
  std::error_code error;
  std::filesystem::recursive_directory_iterator entries(folder, error);
  for (; !error && entries != std::filesystem::recursive_directory_iterator();
       entries.increment(error)) {
    if (entries->is_regular_file(error)) {
      return true;
    }
  }
  return false;
}

std::string Describe(const BlobSettings& place) {
  return place.s3 ? StrCat("in the buckets ", place.s3->uploads_bucket, " and ",
                           place.s3->images_bucket, " of S3")
                  : std::string("in files of the data directory");
}

}  // namespace

Result<std::optional<BlobSettings>> FindBlobPlace(const DataDirectory& directory) {
  Result<std::string> content = ReadFile(directory.blob_place());
  if (!content.ok() && content.error().kind() == ErrorKind::kNotFound) {
    const bool files =
        HoldsFiles(directory.blobs() + "/images") || HoldsFiles(directory.blobs() + "/uploads");
    return files ? std::optional(BlobSettings()) : std::nullopt;
  }
  RETURN_IF_ERROR(content);
  if (content->ends_with('\n')) {
    content->pop_back();
  }
  std::optional<BlobSettings> place = ParseLine(*content);
  if (!place) {
    return Error::Corruption(StrCat(
        directory.blob_place(),
        " does not say where the photos are: it holds the line 'files', or 's3', the bucket of "
        "uploads and that of images, such as 's3 photos-uploads photos-images'."));
  }
  return place;
}

std::string BlobFlagsFor(const BlobSettings& place) {
  if (!place.s3) {
    return "--blobs files";
  }
  constexpr std::string_view kUploads = "-uploads";
  const std::string& uploads = place.s3->uploads_bucket;
  const std::string prefix = uploads.ends_with(kUploads)
                                 ? uploads.substr(0, uploads.size() - kUploads.size())
                                 : std::string();
  if (!prefix.empty() && place.s3->images_bucket == StrCat(prefix, "-images")) {
    return StrCat("--blobs s3://", prefix);
  }
  return StrCat("--blobs s3:// --uploads-bucket ", uploads, " --images-bucket ",
                place.s3->images_bucket);
}

Status CheckBlobPlace(const DataDirectory& directory, const BlobSettings& settings) {
  ASSIGN_OR_RETURN(const std::optional<BlobSettings> place, FindBlobPlace(directory));
  if (!place || LineOf(*place) == LineOf(settings)) {
    return OkStatus();
  }
  return Error::Validation(StrCat("The photos of ", directory.path, " are ", Describe(*place),
                                  ", but the settings say ", Describe(settings), ". Set ",
                                  BlobFlagsFor(*place),
                                  ". If the photos were moved, put the line '", LineOf(settings),
                                  "' into ", directory.blob_place(), "."));
}

Status RecordBlobPlace(const DataDirectory& directory, const BlobSettings& settings) {
  std::error_code error;
  if (std::filesystem::exists(directory.blob_place(), error)) {
    return OkStatus();
  }
  return WriteFileAtomically(directory.blob_place(), LineOf(settings) + "\n", 0600);
}

}  // namespace tintype::cli
