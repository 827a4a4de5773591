#include "contexts/catalog/image.h"

#include <array>
#include <utility>

#include "base/strings.h"
#include "contexts/catalog/similarity.h"
#include "contexts/common/item.h"
#include "contexts/common/media_type.h"

namespace tintype::contexts::catalog {
namespace {

constexpr std::array<std::pair<ProcessingStatus, std::string_view>, 4> kStatuses = {{
    {ProcessingStatus::kPending, "pending"},
    {ProcessingStatus::kProcessing, "processing"},
    {ProcessingStatus::kCompleted, "completed"},
    {ProcessingStatus::kFailed, "failed"},
}};

std::optional<double> OptionalDecimal(const ItemReader& item, std::string_view name) {
  return item.Has(name) ? std::optional(item.Decimal(name)) : std::nullopt;
}

void MaybeDecimal(ItemBuilder& item, std::string_view name, const std::optional<double>& number) {
  if (number) {
    item.Decimal(name, *number);
  }
}

tables::Item PlaceItem(const Place& place) {
  ItemBuilder item;
  item.Decimal("latitude", place.latitude).Decimal("longitude", place.longitude);
  MaybeDecimal(item, "altitude", place.altitude);
  return item.Build();
}

std::optional<Exif> ReadExif(const ItemReader& item) {
  if (!item.Has("exifData")) {
    return std::nullopt;
  }
  const ItemReader map = item.Map("exifData");
  Exif exif;
  exif.camera = map.OptionalText("camera");
  exif.lens = map.OptionalText("lens");
  exif.iso = map.OptionalInteger("iso");
  exif.shutter_speed = map.OptionalText("shutterSpeed");
  exif.taken_at = map.OptionalText("takenAt");
  exif.aperture = OptionalDecimal(map, "aperture");
  exif.focal_length = OptionalDecimal(map, "focalLength");
  if (map.Has("gps")) {
    const ItemReader gps = map.Map("gps");
    exif.place =
        Place{gps.Decimal("latitude"), gps.Decimal("longitude"), OptionalDecimal(gps, "altitude")};
  }
  return exif;
}

std::optional<ProcessingWarning> ReadWarning(const ItemReader& item) {
  const ItemReader map = item.Map("processingWarning");
  ProcessingWarning warning{map.Text("code"), map.Text("message"),
                            map.OptionalInteger("percentThere")};
  // Others may have written anything.
  if (warning.percent_there && (*warning.percent_there < 1 || *warning.percent_there > 100)) {
    warning.percent_there.reset();
  }
  return warning.code.empty() ? std::nullopt : std::optional(std::move(warning));
}

AssetMedia ReadMedia(const ItemReader& item) {
  AssetMedia media;
  media.duration = OptionalDecimal(item, "duration");
  media.pages = item.OptionalInteger("pages");
  const std::string playback = item.Text("playback");
  for (const Playback known : {Playback::kOriginal, Playback::kProxy}) {
    if (playback == NameOf(known)) {
      media.playback = known;
    }
  }
  return media;
}

std::optional<OriginalPicture> ReadOriginal(const ItemReader& item) {
  if (!item.Has("originalPicture")) {
    return std::nullopt;
  }
  const ItemReader map = item.Map("originalPicture");
  Appearance appearance = ReadAppearance(map);
  return OriginalPicture{.width = map.Integer("width"),
                         .height = map.Integer("height"),
                         .appearance = std::move(appearance)};
}

}  // namespace

std::string_view NameOf(ProcessingStatus status) {
  return kStatuses[static_cast<size_t>(status)].second;
}

ProcessingStatus ProcessingStatusOf(std::string_view name) {
  for (const auto& [status, known] : kStatuses) {
    if (known == name) {
      return status;
    }
  }
  return ProcessingStatus::kPending;
}

std::string_view NameOf(Playback playback) {
  switch (playback) {
    case Playback::kOriginal:
      return "original";
    case Playback::kProxy:
      return "proxy";
    case Playback::kNone:
      break;
  }
  return "";
}

tables::Item ImageKey(std::string_view id) {
  return ItemBuilder().Text("PK", StrCat("IMAGE#", id)).Text("SK", "METADATA").Build();
}

std::string UserPartition(std::string_view user_id) { return StrCat("USER#", user_id); }
std::string AlbumPartition(std::string_view album_id) { return StrCat("ALBUM#", album_id); }
std::string UploadedSort(std::string_view uploaded_at) { return StrCat("UPLOADED#", uploaded_at); }

tables::Value ExifValue(const Exif& exif) {
  ItemBuilder item;
  item.MaybeText("camera", exif.camera)
      .MaybeText("lens", exif.lens)
      .MaybeInteger("iso", exif.iso)
      .MaybeText("shutterSpeed", exif.shutter_speed)
      .MaybeText("takenAt", exif.taken_at);
  MaybeDecimal(item, "aperture", exif.aperture);
  MaybeDecimal(item, "focalLength", exif.focal_length);
  if (exif.place) {
    item.Map("gps", PlaceItem(*exif.place));
  }
  return tables::Value::Map(item.Build());
}

tables::Value WarningValue(const ProcessingWarning& warning) {
  return tables::Value::Map(ItemBuilder()
                                .Text("code", warning.code)
                                .Text("message", warning.message)
                                .MaybeInteger("percentThere", warning.percent_there)
                                .Build());
}

void AddAppearance(ItemBuilder& item, const Appearance& appearance) {
  if (!appearance.blurhash.empty()) {
    item.Text("blurhash", appearance.blurhash);
  }
  if (!appearance.dominant_colors.empty()) {
    item.TextList("dominantColors", appearance.dominant_colors);
  }
}

Appearance ReadAppearance(const ItemReader& read) {
  return {read.Text("blurhash"), read.TextList("dominantColors")};
}

tables::Item ToItem(const OriginalPicture& original) {
  ItemBuilder item;
  item.Integer("width", original.width).Integer("height", original.height);
  AddAppearance(item, original.appearance);
  return item.Build();
}

tables::Item ToItem(const Image& image) {
  ItemBuilder item;
  item.Text("PK", StrCat("IMAGE#", image.id))
      .Text("SK", "METADATA")
      .Text("id", image.id)
      .Text("userId", image.user_id)
      .MaybeText("albumId", image.album_id)
      .Text("originalFilename", image.original_filename)
      .Text("mimeType", image.mime_type)
      .Text("assetType", AssetTypeOf(image.mime_type))
      .Integer("fileSize", image.file_size)
      .Integer("processedSize", image.processed_size)
      .Integer("width", image.width)
      .Integer("height", image.height)
      .Decimal("aspectRatio", image.aspect_ratio)
      .Text("sha256", image.sha256)
      .Text("s3Key", image.s3_key)
      .Text("s3Bucket", image.s3_bucket)
      .Text("thumbnailKey", image.thumbnail_key)
      .Text("imageUrl", image.image_url)
      .Text("thumbnailUrl", image.thumbnail_url)
      .Text("processingStatus", NameOf(image.processing_status))
      .MaybeText("processingError", image.processing_error)
      .Text("format", image.format)
      .Integer("quality", image.quality)
      .MaybeText("title", image.title)
      .MaybeText("description", image.description)
      .MaybeText("altText", image.alt_text)
      .Text("createdAt", image.created_at)
      .Text("updatedAt", image.updated_at)
      .Text("uploadedAt", image.uploaded_at)
      .MaybeText("trashedAt", image.trashed_at)
      .MaybeInteger("ttl", image.ttl)
      .Integer("version", image.version)
      .Integer("revision", image.revision)
      .Text("GSI1PK", UserPartition(image.user_id));
  if (image.processing_warning) {
    item.Value("processingWarning", WarningValue(*image.processing_warning));
  }
  if (!image.tags.empty()) {
    item.TextList("tags", image.tags);
  }
  if (image.exif) {
    item.Value("exifData", ExifValue(*image.exif));
  }
  MaybeDecimal(item, "duration", image.media.duration);
  item.MaybeInteger("pages", image.media.pages);
  if (image.media.playback != Playback::kNone) {
    item.Text("playback", NameOf(image.media.playback));
  }
  AddAppearance(item, image.appearance);
  item.MaybeInteger("revertedTo", image.reverted_to);
  if (image.original) {
    item.Map("originalPicture", ToItem(*image.original));
  }
  if (image.perceptual_hash) {
    item.Text("perceptualHash", HashText(*image.perceptual_hash));
  }
  if (!image.is_trashed()) {
    item.Text("GSI1SK", UploadedSort(image.uploaded_at));
  }
  if (!image.is_trashed() && image.album_id) {
    item.Text("GSI2PK", AlbumPartition(*image.album_id))
        .Text("GSI2SK", UploadedSort(image.uploaded_at));
  }
  return item.Build();
}

Image ImageFromItem(const tables::Item& item) {
  const ItemReader read(item);
  Image image;
  // In the order of the names, capitals first: lists read thousands of these a second.
  // The id is the key's, whatever else others wrote into the item.
  constexpr std::string_view kPrefix = "IMAGE#";
  const std::string key = read.Text("PK");
  image.album_id = read.OptionalText("albumId");
  image.alt_text = read.OptionalText("altText");
  image.aspect_ratio = read.Decimal("aspectRatio");
  image.appearance.blurhash = read.Text("blurhash");
  image.created_at = read.Text("createdAt");
  image.description = read.OptionalText("description");
  image.appearance.dominant_colors = read.TextList("dominantColors");
  image.exif = ReadExif(read);
  image.file_size = read.Integer("fileSize");
  image.format = read.Text("format");
  image.height = read.Integer("height");
  image.id = key.starts_with(kPrefix) ? key.substr(kPrefix.size()) : read.Text("id");
  image.image_url = read.Text("imageUrl");
  image.media = ReadMedia(read);
  image.mime_type = read.Text("mimeType");
  image.original_filename = read.Text("originalFilename");
  image.original = ReadOriginal(read);
  image.perceptual_hash = HashFromText(read.Text("perceptualHash"));
  image.processed_size = read.Integer("processedSize");
  image.processing_error = read.OptionalText("processingError");
  image.processing_status = ProcessingStatusOf(read.Text("processingStatus"));
  image.processing_warning = ReadWarning(read);
  image.quality = read.Integer("quality");
  image.reverted_to = read.OptionalInteger("revertedTo");
  image.revision = read.Integer("revision");
  image.s3_bucket = read.Text("s3Bucket");
  image.s3_key = read.Text("s3Key");
  image.sha256 = read.Text("sha256");
  image.tags = read.TextList("tags");
  image.thumbnail_key = read.Text("thumbnailKey");
  image.thumbnail_url = read.Text("thumbnailUrl");
  image.title = read.OptionalText("title");
  image.trashed_at = read.OptionalText("trashedAt");
  image.ttl = read.OptionalInteger("ttl");
  image.updated_at = read.Text("updatedAt");
  image.uploaded_at = read.Text("uploadedAt");
  image.user_id = read.Text("userId");
  image.version = read.Integer("version", 1);
  image.width = read.Integer("width");
  return image;
}

}  // namespace tintype::contexts::catalog
