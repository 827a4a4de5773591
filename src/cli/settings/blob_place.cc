#include "cli/settings/blob_place.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "base/files.h"
#include "base/strings.h"
#include "blobs/blob_key.h"

namespace tintype::cli {
namespace {

constexpr std::string_view kFiles = "files";
constexpr std::string_view kS3 = "s3";

BucketNames DefaultNames() {
  return {std::string(kDefaultUploadsBucket), std::string(kDefaultImagesBucket)};
}

}  // namespace

std::string LineOfBlobPlace(const BlobSettings& place) {
  const BucketNames& names = place.buckets;
  if (!place.s3 && names == DefaultNames()) {
    return std::string(kFiles);
  }
  // Names of buckets have no spaces.
  return StrCat(place.s3 ? kS3 : kFiles, " ", names.uploads, " ", names.images);
}

std::optional<BlobSettings> ParseBlobPlace(std::string_view line) {
  if (line == kFiles) {
    return BlobSettings{.buckets = DefaultNames(), .s3 = std::nullopt};
  }
  const size_t first = line.find(' ');
  const size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view kind = line.substr(0, first);
  BlobSettings place;
  place.buckets.uploads = line.substr(first + 1, second - first - 1);
  place.buckets.images = line.substr(second + 1);
  if ((kind != kFiles && kind != kS3) || place.buckets.uploads == place.buckets.images ||
      !blobs::ValidateBucketName(place.buckets.uploads).ok() ||
      !blobs::ValidateBucketName(place.buckets.images).ok()) {
    return std::nullopt;
  }
  if (kind == kS3) {
    place.s3.emplace();
  }
  return place;
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

std::string DescribeBlobPlace(const BlobSettings& place) {
  const BucketNames& names = place.buckets;
  if (place.s3) {
    return StrCat("in the buckets ", names.uploads, " and ", names.images, " of S3");
  }
  return names == DefaultNames() ? std::string("in files of the data directory")
                                 : StrCat("in files of the data directory, in the buckets ",
                                          names.uploads, " and ", names.images);
}

Result<std::optional<BlobSettings>> FindBlobPlace(const DataDirectory& directory) {
  Result<std::string> content = ReadFile(directory.blob_place());
  if (!content.ok() && content.error().kind() == ErrorKind::kNotFound) {
    const auto holds = [&](std::string_view bucket) {
      return HoldsFiles(StrCat(directory.blobs(), "/", bucket));
    };
    return holds(kDefaultImagesBucket) || holds(kDefaultUploadsBucket) ? ParseBlobPlace(kFiles)
                                                                       : std::nullopt;
  }
  RETURN_IF_ERROR(content);
  if (content->ends_with('\n')) {
    content->pop_back();
  }
  std::optional<BlobSettings> place = ParseBlobPlace(*content);
  if (!place) {
    return Error::Corruption(StrCat(
        directory.blob_place(),
        " does not say where the photos are: it holds the line 'files', or 'files' or 's3', the "
        "bucket of uploads and that of images, such as 's3 photos-uploads photos-images'."));
  }
  return place;
}

std::string BlobFlagsFor(const BlobSettings& place) {
  constexpr std::string_view kUploads = "-uploads";
  const BucketNames& names = place.buckets;
  if (!place.s3 && names == DefaultNames()) {
    return "--blobs files";
  }
  const std::string prefix = names.uploads.ends_with(kUploads)
                                 ? names.uploads.substr(0, names.uploads.size() - kUploads.size())
                                 : std::string();
  if (place.s3 && !prefix.empty() && names.images == StrCat(prefix, "-images")) {
    return StrCat("--blobs s3://", prefix);
  }
  return StrCat("--blobs ", place.s3 ? "s3://" : "files", " --uploads-bucket ", names.uploads,
                " --images-bucket ", names.images);
}

BlobSettings WithNamesOf(const std::optional<BlobSettings>& place, BlobSettings settings) {
  const bool same_kind = place && place->s3.has_value() == settings.s3.has_value();
  const BucketNames names = same_kind ? place->buckets : DefaultNames();
  if (settings.buckets.uploads.empty()) {
    settings.buckets.uploads = names.uploads;
  }
  if (settings.buckets.images.empty()) {
    settings.buckets.images = names.images;
  }
  return settings;
}

bool IsSamePlace(const BlobSettings& left, const BlobSettings& right) {
  return left.s3.has_value() == right.s3.has_value() && left.buckets == right.buckets;
}

Status CheckBlobPlace(const DataDirectory& directory, const BlobSettings& settings) {
  ASSIGN_OR_RETURN(const std::optional<BlobSettings> place, FindBlobPlace(directory));
  const BlobSettings said = WithNamesOf(place, settings);
  if (!place || IsSamePlace(*place, said)) {
    return OkStatus();
  }
  return Error::Validation(StrCat("The photos of ", directory.path, " are ",
                                  DescribeBlobPlace(*place), ", but the settings say ",
                                  DescribeBlobPlace(said), ". Set ", BlobFlagsFor(*place),
                                  ". If the photos were moved, put the line '",
                                  LineOfBlobPlace(said), "' into ", directory.blob_place(), "."));
}

Status RecordBlobPlace(const DataDirectory& directory, const BlobSettings& place) {
  std::error_code error;
  if (std::filesystem::exists(directory.blob_place(), error)) {
    return OkStatus();
  }
  return WriteFileAtomically(directory.blob_place(), LineOfBlobPlace(place) + "\n", 0600);
}

}  // namespace tintype::cli
