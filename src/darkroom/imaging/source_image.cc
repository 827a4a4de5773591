#include "darkroom/imaging/source_image.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "darkroom/failure.h"
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

// The loader is named, not guessed by libvips, so that no other of its loaders can ever see the
// file.
VImage Load(int input, std::string_view media_type, Strictness strictness, int shrink) {
  ::lseek(input, 0, SEEK_SET);
  const auto source = vips::VSource::new_from_descriptor(input);
  vips::VOption* options =
      VImage::option()
          ->set("access", VIPS_ACCESS_SEQUENTIAL)
          ->set("fail_on",
                strictness == Strictness::kWhole ? VIPS_FAIL_ON_TRUNCATED : VIPS_FAIL_ON_NONE);
  if (media_type == "image/png") {
    return VImage::pngload_source(source, options);
  }
  if (media_type == "image/webp") {
    return VImage::webpload_source(source, options);
  }
  return VImage::jpegload_source(source, options->set("shrink", shrink));
}

int IntField(const VImage& image, const char* name, int otherwise) {
  return image.get_typeof(name) == 0 ? otherwise : image.get_int(name);
}

// Whether decoding needs all of the pixels in memory, whatever is done with them.
bool IsHeldWhole(const VImage& image, std::string_view media_type) {
  return media_type == "image/webp" || IntField(image, "interlaced", 0) != 0 ||
         IntField(image, "jpeg-multiscan", 0) != 0;
}

// The largest of libjpeg's own reductions that leaves at least the size that is asked for, and a
// pixel each way: libvips aborts on less.
int JpegShrink(const Original& original, int32_t longest_side) {
  const auto [shortest, longest] = std::minmax(original.width, original.height);
  for (const int shrink : {8, 4, 2}) {
    if (original.media_type == "image/jpeg" && longest / shrink >= longest_side &&
        shortest >= shrink) {
      return shrink;
    }
  }
  return 1;
}

Status CheckPixels(const Original& original, int64_t pixels_max, std::string_view what) {
  const int64_t page = int64_t{original.width} * original.height;
  if (page > pixels_max / original.pages) {
    return MakeFailure(FailureKind::kTooLarge,
                       StrCat("The image has ", original.width, " x ", original.height, " pixels",
                              original.pages > 1 ? StrCat(" on ", original.pages, " pages") : "",
                              "; at most ", pixels_max, " are allowed", what));
  }
  return OkStatus();
}

}  // namespace

Result<SourceImage> OpenSource(int input, const PixelLimits& limits, Strictness strictness,
                               int32_t longest_side) {
  ASSIGN_OR_RETURN(std::string media_type, ReadMediaType(input));
  SourceImage source;
  source.image = Load(input, media_type, strictness, 1);
  source.orientation = IntField(source.image, VIPS_META_ORIENTATION, 1);
  if (source.orientation < 1 || source.orientation > 8) {
    source.orientation = 1;
  }
  Original& original = source.original;
  original.width = source.image.width();
  original.height = source.image.height();
  if (source.orientation >= 5) {
    std::swap(original.width, original.height);
  }
  original.pages = std::max(1, IntField(source.image, VIPS_META_N_PAGES, 1));
  original.has_alpha = source.image.has_alpha();
  original.media_type = std::move(media_type);
  RETURN_IF_ERROR(CheckPixels(original, limits.pixels, ""));
  if (IsHeldWhole(source.image, original.media_type)) {
    RETURN_IF_ERROR(CheckHeldWhole(original, limits));
  }
  const int shrink = JpegShrink(original, longest_side);
  if (shrink > 1) {
    source.image = Load(input, original.media_type, strictness, shrink);
  }
  return source;
}

Status CheckHeldWhole(const Original& original, const PixelLimits& limits) {
  return CheckPixels(original, limits.pixels_held_whole,
                     " for WebP, for interlaced or progressive images, and for edits");
}

}  // namespace tintype::darkroom
