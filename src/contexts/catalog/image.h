#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contexts/common/item.h"
#include "tables/language/values/value.h"

namespace tintype::contexts::catalog {

/// Where an image is on its way from upload to gallery.
enum class ProcessingStatus { kPending, kProcessing, kCompleted, kFailed };
std::string_view NameOf(ProcessingStatus status);
/// Unknown names, which someone else must have written, read as kPending.
ProcessingStatus ProcessingStatusOf(std::string_view name);

/// Where a photo was taken, in degrees north and east and metres above the sea.
struct Place {
  double latitude = 0;
  double longitude = 0;
  std::optional<double> altitude;
};

/// What a camera wrote into the file. When and where it was taken is for its owner's eyes alone.
struct Exif {
  std::optional<std::string> camera;
  std::optional<std::string> lens;
  std::optional<int64_t> iso;
  std::optional<std::string> shutter_speed;
  std::optional<std::string> taken_at;  // ISO 8601, without a zone when the camera knew none.
  std::optional<double> aperture;       // The f-number.
  std::optional<double> focal_length;   // In millimetres.
  std::optional<Place> place;
};

/// How the current picture looks from afar. Both are empty for what was developed before they were
/// measured.
struct Appearance {
  std::string blurhash;                      // To be painted until the picture is there.
  std::vector<std::string> dominant_colors;  // As `#c81e1e`, the most frequent first.
};

/// What is wrong with an image that was developed all the same.
struct ProcessingWarning {
  std::string code;     // Stays the same: "truncated" or "damaged".
  std::string message;  // For a person: what it is, and what to do.
  /// Of a truncated file, how much of the picture there is, where that is known.
  std::optional<int64_t> percent_there;
};

/// From where a video or a sound can be played by any browser.
enum class Playback {
  kNone,      ///< From nowhere: it is not made yet, could not be made, or is no such file.
  kOriginal,  ///< The original itself streams, and tells nothing that only its owner may know.
  kProxy,     ///< A copy that was made for this.
};

/// What an asset has that is not a picture.
struct AssetMedia {
  std::optional<double> duration;  // Of a video or a sound, in seconds.
  /// Of a document; of an image that has several, such as the frames of an animation.
  std::optional<int64_t> pages;
  Playback playback = Playback::kNone;
};

/// What is kept of the picture as it was uploaded while another is shown: what a revert has to say
/// again.
struct OriginalPicture {
  int64_t width = 0;
  int64_t height = 0;
  Appearance appearance;
};

/// One item of ImageMetadata with the sort key METADATA: the image record, by the names and
/// meanings of the document. Attributes that others added stay in the table; they are not read.
struct Image {
  std::string id;
  std::string user_id;
  std::optional<std::string> album_id;

  std::string original_filename;
  std::string mime_type;
  int64_t file_size = 0;       // Bytes of the original.
  int64_t processed_size = 0;  // Bytes of the LARGE rendition; 0 before there is one.

  /// Of the picture as it is looked at, in pixels; of what is no picture, its poster's. 0 before it
  /// was developed, and of a file that nothing can be shown of.
  int64_t width = 0;
  int64_t height = 0;
  double aspect_ratio = 0;

  std::string sha256;  // Of the original, in hexadecimal; empty when it is not known.
  std::string s3_key;
  std::string s3_bucket;
  std::string thumbnail_key;
  std::string image_url;  // Unsigned.
  std::string thumbnail_url;

  ProcessingStatus processing_status = ProcessingStatus::kPending;
  std::optional<std::string> processing_error;
  std::optional<ProcessingWarning> processing_warning;
  std::string format = "webp";
  int64_t quality = 85;

  std::optional<std::string> title;
  std::optional<std::string> description;
  std::optional<std::string> alt_text;
  std::vector<std::string> tags;
  std::optional<Exif> exif;
  AssetMedia media;
  Appearance appearance;
  /// Of the picture as it was uploaded (image_hash.h); nothing when it is not known, or without
  /// shapes.
  std::optional<uint64_t> perceptual_hash;

  std::string created_at;  // ISO 8601.
  std::string updated_at;
  std::string uploaded_at;
  std::optional<std::string> trashed_at;
  std::optional<int64_t> ttl;  // Seconds since 1970.
  int64_t version = 1;         // The lock: raised by every change that a person makes.
  int64_t revision = 0;        // Of the picture: raised by every edit and every revert.
  /// The revision whose picture a revert has brought back.
  std::optional<int64_t> reverted_to;
  /// Nothing before the first edit; and for images that were edited before it was kept.
  std::optional<OriginalPicture> original;

  /// The revision under which the current pictures are stored; 0 is the upload.
  int64_t picture() const { return reverted_to.value_or(revision); }

  bool has_picture() const { return width > 0; }
  bool is_trashed() const { return trashed_at.has_value(); }
};

/// The item with all of its keys. REQUIRES: id, user_id and uploaded_at are set.
tables::Item ToItem(const Image& image);
Image ImageFromItem(const tables::Item& item);

/// The attribute `originalPicture`.
tables::Item ToItem(const OriginalPicture& original);

// The attributes of an appearance, which are left out when they are empty.
void AddAppearance(ItemBuilder& item, const Appearance& appearance);
Appearance ReadAppearance(const ItemReader& read);

/// The name in the attribute `playback`; empty for none.
std::string_view NameOf(Playback playback);

/// The attribute `exifData`.
tables::Value ExifValue(const Exif& exif);
/// The attribute `processingWarning`.
tables::Value WarningValue(const ProcessingWarning& warning);

tables::Item ImageKey(std::string_view id);
std::string UserPartition(std::string_view user_id);     // USER#...
std::string AlbumPartition(std::string_view album_id);   // ALBUM#...
std::string UploadedSort(std::string_view uploaded_at);  // UPLOADED#...

}  // namespace tintype::contexts::catalog
