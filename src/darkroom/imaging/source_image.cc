#include "darkroom/imaging/source_image.h"

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "darkroom/failure.h"
#include "darkroom/imaging/camera_file.h"
#include "darkroom/imaging/guard.h"
#include "darkroom/imaging/metadata/exif.h"
#include "darkroom/imaging/torn/torn_file.h"
#include "darkroom/imaging/torn/torn_heif.h"
#include "darkroom/imaging/torn/torn_picture.h"
#include "darkroom/imaging/torn/torn_tiff.h"
#include "darkroom/imaging/torn/torn_webp.h"
#include "darkroom/media_type.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

Result<std::string> ReadMediaType(int input) {
  char bytes[kMediaTypeBytes];
  const ssize_t count = ::pread(input, bytes, sizeof(bytes), 0);
  if (count < 0) {
    return MakeFailure(FailureKind::kDied, "The file cannot be read");
  }
  const std::string_view type = DetectMediaType({bytes, static_cast<size_t>(count)});
  if (type == "application/octet-stream") {
    return MakeFailure(FailureKind::kNotAnImage, "The file is not an image of a known type");
  }
  if (!CanDevelop(type)) {
    return MakeFailure(FailureKind::kUnsupportedType,
                       StrCat("Files of type ", type, " cannot be developed"));
  }
  return std::string(type);
}

/// What a loader of libvips reads, from its beginning, as often as it is asked to: the file, or a
/// picture within it.
struct Input {
  std::string media_type;
  std::function<vips::VSource()> source;
  /// Of the file, whatever libvips is going to find.
  ExifTags tags = {};
  /// Of TIFF, as CameraFile has it.
  int64_t rows_at_once = 0;
  /// Of a picture that is a file by itself.
  int descriptor = -1;
};

Input FileInput(int input, std::string media_type) {
  Input file = {std::move(media_type), [input] {
                  ::lseek(input, 0, SEEK_SET);
                  return vips::VSource::new_from_descriptor(input);
                }};
  file.descriptor = input;
  return file;
}

Input PreviewInput(Preview preview) {
  const auto bytes = std::make_shared<std::string>(std::move(preview.bytes));
  // libvips copies it, because it may read it after we have gone.
  return {std::move(preview.media_type), [bytes] {
            const auto unref = [](VipsBlob* blob) { vips_area_unref(VIPS_AREA(blob)); };
            const std::unique_ptr<VipsBlob, decltype(unref)> blob(
                vips_blob_copy(bytes->data(), bytes->size()));
            return vips::VSource::new_from_blob(blob.get());
          }};
}

bool IsHeif(std::string_view media_type) {
  return media_type == "image/heic" || media_type == "image/heif" || media_type == "image/avif";
}

/// How much of an image is loaded.
struct Loading {
  Strictness strictness = Strictness::kWhole;
  /// Of JPEG: 1, 2, 4 or 8.
  int shrink = 1;
  /// Of HEIC and AVIF.
  int page = 0;
};

// The loader is named, not guessed by libvips, so that no other of its loaders can ever see the
// file.
// libvips 8.14 frees the EXIF block, the colour profile and the like of a HEIC file together with
// the image that it loaded, but pictures made of that image share them and may live longer.
VImage WithBlobsOfItsOwn(const VImage& loaded) {
  VImage image = loaded.copy();
  char** const names = vips_image_get_fields(loaded.get_image());
  for (char** name = names; *name != nullptr; ++name) {
    if (loaded.get_typeof(*name) == VIPS_TYPE_BLOB) {
      size_t size = 0;
      const void* const bytes = loaded.get_blob(*name, &size);
      vips_image_set_blob_copy(image.get_image(), *name, bytes, size);
    }
  }
  g_strfreev(names);
  return image;
}

VImage Load(const Input& input, const Loading& loading) {
  const vips::VSource source = input.source();
  vips::VOption* options =
      VImage::option()
          ->set("access", VIPS_ACCESS_SEQUENTIAL)
          ->set("fail_on", loading.strictness == Strictness::kWhole ? VIPS_FAIL_ON_TRUNCATED
                                                                    : VIPS_FAIL_ON_NONE);
  if (input.media_type == "image/png") {
    return VImage::pngload_source(source, options);
  }
  if (input.media_type == "image/webp") {
    return VImage::webpload_source(source, options);
  }
  if (input.media_type == "image/gif") {
    return VImage::gifload_source(source, options);
  }
  if (input.media_type == "image/tiff") {
    return VImage::tiffload_source(source, options);
  }
  if (IsHeif(input.media_type)) {
    return WithBlobsOfItsOwn(VImage::heifload_source(source, options->set("page", loading.page)));
  }
  return VImage::jpegload_source(source, options->set("shrink", loading.shrink));
}

int IntField(const VImage& image, const char* name, int otherwise) {
  return image.get_typeof(name) == 0 ? otherwise : image.get_int(name);
}

// Whether decoding needs all of the pixels in memory, whatever is done with them.
bool IsHeldWhole(const VImage& image, std::string_view media_type) {
  return media_type == "image/webp" || media_type == "image/gif" || IsHeif(media_type) ||
         IntField(image, "interlaced", 0) != 0 || IntField(image, "jpeg-multiscan", 0) != 0;
}

// The largest of libjpeg's own reductions that leaves at least the size that is asked for, and a
// pixel each way: libvips aborts on less.
int JpegShrink(const Original& original, int32_t longest_side) {
  const auto [shortest, longest] = std::minmax(original.width, original.height);
  for (const int shrink : {8, 4, 2}) {
    if (longest / shrink >= longest_side && shortest >= shrink) {
      return shrink;
    }
  }
  return 1;
}

Error TooManyPixels(const Original& original, int64_t pixels_max, std::string_view what) {
  return MakeFailure(FailureKind::kTooLarge,
                     StrCat("The image has ", original.width, " x ", original.height,
                            " pixels; at most ", pixels_max, " are allowed", what));
}

Status CheckSize(const SourceImage& source, const PixelLimits& limits) {
  const Original& original = source.original;
  if (int64_t{original.width} * original.height > limits.pixels) {
    return TooManyPixels(original, limits.pixels, "");
  }
  if (original.pages > limits.pages) {
    return MakeFailure(
        FailureKind::kTooLarge,
        StrCat("The image has ", original.pages, " pages; at most ", limits.pages, " are allowed"));
  }
  return OkStatus();
}

// A strip is decompressed whole, however many rows it has.
Status CheckStrips(const SourceImage& source, int64_t rows_at_once, const PixelLimits& limits) {
  const int64_t height = source.image.height();
  const int64_t rows = rows_at_once == 0 ? height : std::min(rows_at_once, height);
  return rows * source.image.width() > limits.pixels_held_whole
             ? TooManyPixels(source.original, limits.pixels_held_whole,
                             " for TIFF files that have them in a single strip")
             : OkStatus();
}

int ValidOrientation(double number) {
  return number >= 1 && number <= 8 ? static_cast<int>(number) : 1;
}

ExifTags TagsFoundByVips(const VImage& image) {
  if (image.get_typeof(VIPS_META_EXIF_NAME) == 0) {
    return {};
  }
  size_t size = 0;
  const auto* bytes = static_cast<const char*>(image.get_blob(VIPS_META_EXIF_NAME, &size));
  return ExifTags::FromBlock({bytes, size});
}

// HEIC and AVIF are upright already: libheif turns them by what they say in a way of their own, and
// what their EXIF says besides does not count. A preview that says nothing itself is turned as its
// raw file is. For all others it is as libvips has found it.
int OrientationOf(const SourceImage& source, std::string_view loaded_type) {
  constexpr const char* kTag = "Exif.Image.Orientation";
  if (IsHeif(loaded_type)) {
    return 1;
  }
  if (!source.tags.empty()) {
    const auto own = TagsFoundByVips(source.image).Number(kTag);
    return ValidOrientation(own.value_or(source.tags.Number(kTag).value_or(1)));
  }
  return ValidOrientation(IntField(source.image, VIPS_META_ORIENTATION, 1));
}

// Loads what there is of a WebP file, of which libvips loads all or nothing.
Status LoadTornWebp(const Input& input, const PixelLimits& limits, SourceImage& source) {
  const auto check_size = [&](Dimensions size) {
    Original original;
    original.width = size.width;
    original.height = size.height;
    return CheckHeldWhole(original, limits);
  };
  ASSIGN_OR_RETURN(TornWebp torn, ReadTornWebp(input.descriptor, check_size));
  source.image = std::move(torn.image);
  source.rows_there = torn.rows_there;
  return OkStatus();
}

// Of the formats that say where the pieces of a picture are.
std::optional<MendedFile> MendFile(const Input& input) {
  if (input.descriptor < 0) {
    return std::nullopt;
  }
  if (input.media_type == "image/tiff") {
    return MendTiff(input.descriptor);
  }
  return IsHeif(input.media_type) ? MendHeif(input.descriptor) : std::nullopt;
}

Input MendedInput(const Input& input, const PatchedFile& file) {
  Input mended = input;
  mended.source = [file] { return OpenPatched(file); };
  return mended;
}

// Puts what there is of a torn picture in place of its header.
Status LoadMendedPicture(const Input& input, const MendedFile& mended, const Loading& loading,
                         SourceImage& source) {
  const auto load = [&](const PatchedFile& file) {
    return Load(MendedInput(input, file), {.page = loading.page});
  };
  ASSIGN_OR_RETURN(TornPicture torn, CompletePicture(mended, load));
  source.image = std::move(torn.image);
  source.rows_there = torn.rows_there;
  if (mended.quarter_turns % 2 != 0) {
    std::swap(source.original.width, source.original.height);
  }
  return OkStatus();
}

// Reads the header; limits are checked before anything else is asked of the image.
Result<SourceImage> OpenInput(const Input& input, const PixelLimits& limits, Loading loading,
                              int32_t longest_side) {
  SourceImage source;
  source.tags = input.tags;
  const bool is_partial = loading.strictness == Strictness::kWhatThereIs;
  const std::optional<MendedFile> mended = is_partial ? MendFile(input) : std::nullopt;
  const Input header = mended ? MendedInput(input, mended->file) : input;
  if (is_partial && input.media_type == "image/webp") {
    RETURN_IF_ERROR(LoadTornWebp(input, limits, source));
  } else {
    source.image = Load(header, loading);
  }
  loading.page = IntField(source.image, "heif-primary", 0);
  if (loading.page != 0) {
    source.image = Load(header, loading);
  }
  source.orientation = OrientationOf(source, input.media_type);
  Original& original = source.original;
  original.width = source.image.width();
  original.height = source.image.height();
  if (source.orientation >= 5) {
    std::swap(original.width, original.height);
  }
  original.pages = std::max(1, IntField(source.image, VIPS_META_N_PAGES, 1));
  original.has_alpha = source.image.has_alpha();
  original.media_type = input.media_type;
  RETURN_IF_ERROR(CheckSize(source, limits));
  source.held_whole = IsHeldWhole(source.image, input.media_type);
  if (source.held_whole) {
    RETURN_IF_ERROR(CheckHeldWhole(original, limits));
  }
  if (input.media_type == "image/tiff") {
    RETURN_IF_ERROR(CheckStrips(source, input.rows_at_once, limits));
  }
  if (mended) {
    RETURN_IF_ERROR(LoadMendedPicture(input, *mended, loading, source));
  }
  if (input.media_type == "image/gif" && GifEndsEarly(input.descriptor)) {
    source.ends_early = true;
    if (is_partial) {
      source.rows_there = CountRowsShown(Load(input, loading));
    }
  }
  if (input.media_type == "image/jpeg") {
    loading.shrink = JpegShrink(original, longest_side);
  }
  if (loading.shrink > 1) {
    source.image = Load(input, loading);
  }
  return source;
}

// The largest preview that can be opened.
Result<SourceImage> OpenRaw(CameraFile file, const std::string& media_type,
                            const PixelLimits& limits, const Loading& loading,
                            int32_t longest_side) {
  const bool is_torn = file.ends_early && loading.strictness == Strictness::kWhatThereIs;
  if (file.lacks_previews && loading.strictness == Strictness::kWhole) {
    return MakeFailure(FailureKind::kCorrupt, "The camera's raw file ends before its preview does");
  }
  for (Preview& preview : file.previews) {
    Input input = PreviewInput(std::move(preview));
    input.tags = file.tags;
    Result<SourceImage> source = Guard([&]() -> Result<SourceImage> {
      ASSIGN_OR_RETURN(SourceImage opened, OpenInput(input, limits, loading, longest_side));
      if (is_torn && !opened.held_whole) {
        opened.rows_there = CountRows(Load(input, {}));
      }
      return opened;
    });
    if (source.ok()) {
      source->original.media_type = media_type;
      source->ends_early = file.ends_early;
    }
    if (source.ok() || KindOf(source.error()) != FailureKind::kCorrupt) {
      return source;
    }
  }
  return MakeFailure(FailureKind::kUnsupportedType,
                     "The camera's raw file has no preview in it that could be developed");
}

}  // namespace

ExifData ExifOf(const SourceImage& source) {
  return ReadExif(source.tags.empty() ? TagsFoundByVips(source.image) : source.tags,
                  source.orientation);
}

Result<SourceImage> OpenSource(int input, const PixelLimits& limits, Strictness strictness,
                               int32_t longest_side) {
  ASSIGN_OR_RETURN(std::string media_type, ReadMediaType(input));
  const Loading loading = {.strictness = strictness};
  CameraFile file;
  if (IsCameraFile(media_type)) {
    ASSIGN_OR_RETURN(file, ReadCameraFile(input, media_type, strictness));
  }
  if (file.is_raw) {
    return OpenRaw(std::move(file), media_type, limits, loading, longest_side);
  }
  Input file_input = FileInput(input, std::move(media_type));
  file_input.tags = std::move(file.tags);
  file_input.rows_at_once = file.rows_at_once;
  return OpenInput(file_input, limits, loading, longest_side);
}

Status CheckHeldWhole(const Original& original, const PixelLimits& limits) {
  return int64_t{original.width} * original.height > limits.pixels_held_whole
             ? TooManyPixels(original, limits.pixels_held_whole,
                             " for formats that are decoded at once, for interlaced or progressive "
                             "images, and for edits")
             : OkStatus();
}

}  // namespace tintype::darkroom
