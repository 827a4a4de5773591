#include "darkroom/imaging/pixels.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "darkroom/protocol/messages.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

VImage ByProfile(const VImage& image) {
  return image.icc_transform("srgb", VImage::option()
                                         ->set("embedded", true)
                                         ->set("intent", VIPS_INTENT_RELATIVE)
                                         ->set("black_point_compensation", true)
                                         ->set("depth", 8));
}

}  // namespace

VImage Settle(const VImage& image) {
  size_t size = 0;
  void* pixels = image.write_to_memory(&size);
  return VImage::new_from_memory_steal(pixels, size, image.width(), image.height(), image.bands(),
                                       image.format())
      .copy(VImage::option()->set("interpretation", image.interpretation()));
}

VImage ToSrgb(const VImage& image) {
  VImage result = image;
  if (image.get_typeof(VIPS_META_ICC_NAME) != 0) {
    try {
      result = ByProfile(image);
    } catch (const vips::VError&) {
      // A broken profile is no reason to refuse a photo: its numbers are taken as they are.
      vips_error_clear();
    }
  }
  result = result.colourspace(VIPS_INTERPRETATION_sRGB).cast(VIPS_FORMAT_UCHAR);
  // A TIFF may have any number of bands; what comes after the transparency is for print shops.
  constexpr int kBandsMax = 4;
  if (result.bands() > kBandsMax) {
    result = result.extract_band(0, VImage::option()->set("n", kBandsMax));
  }
  if (result.bands() < kBandsMax - 1) {
    throw vips::VError("the image has no colours that are known");
  }
  return result;
}

bool IsSrgb(const VImage& image) {
  if (image.get_typeof(VIPS_META_ICC_NAME) == 0) {
    return true;
  }
  // All the shades that differ by a step in a band or more, seen through the profile.
  constexpr int kShades = 9;
  constexpr double kStep = 255.0 / (kShades - 1);
  constexpr double kSeen = 2;
  const VImage place = VImage::xyz(kShades * kShades, kShades);
  const VImage column = place.extract_band(0);
  const VImage first = (column / kShades).floor();
  VImage shades = first * kStep;
  if (image.bands() >= 3) {
    shades =
        shades.bandjoin((column - first * kShades) * kStep).bandjoin(place.extract_band(1) * kStep);
  }
  const VipsInterpretation space =
      image.bands() >= 3 ? VIPS_INTERPRETATION_sRGB : VIPS_INTERPRETATION_B_W;
  VImage plain = Settle(
      shades.rint().cast(VIPS_FORMAT_UCHAR).copy(VImage::option()->set("interpretation", space)));
  VImage tagged = plain.copy();
  size_t size = 0;
  const void* profile = image.get_blob(VIPS_META_ICC_NAME, &size);
  tagged.set(VIPS_META_ICC_NAME, nullptr, const_cast<void*>(profile), size);
  return (ToSrgb(tagged) - ToSrgb(plain)).abs().max() <= kSeen;
}

VImage Upright(const VImage& image, int orientation) {
  // As EXIF numbers them: how the camera was turned, and whether the image is mirrored as well.
  switch (orientation) {
    case 2:
      return image.fliphor();
    case 3:
      return image.rot180();
    case 4:
      return image.flipver();
    case 5:
      return image.rot90().fliphor();
    case 6:
      return image.rot90();
    case 7:
      return image.rot270().fliphor();
    case 8:
      return image.rot270();
    default:
      return image;
  }
}

VImage OnWhite(const VImage& image) {
  if (!image.has_alpha()) {
    return image;
  }
  return image.flatten(VImage::option()->set("background", std::vector<double>{255, 255, 255}));
}

Dimensions FitWithin(Dimensions size, int32_t longest_side) {
  const int32_t longest = std::max(size.width, size.height);
  if (longest <= longest_side) {
    return size;
  }
  const double scale = static_cast<double>(longest_side) / longest;
  const auto scaled = [&](int32_t side) {
    return std::max(1, static_cast<int32_t>(std::lround(side * scale)));
  };
  return {scaled(size.width), scaled(size.height)};
}

Placement PlaceFor(Dimensions size, const ResizeRequest& request) {
  const bool cover = request.fit == Fit::kCover && request.width > 0 && request.height > 0;
  const Dimensions box = {request.width > 0 ? request.width : kWebpSideMax,
                          request.height > 0 ? request.height : kWebpSideMax};
  const double across = static_cast<double>(box.width) / size.width;
  const double down = static_cast<double>(box.height) / size.height;
  const double scale = std::min(1.0, cover ? std::max(across, down) : std::min(across, down));
  const auto scaled = [&](int32_t side) {
    return std::max(1, static_cast<int32_t>(std::lround(side * scale)));
  };
  Placement placement;
  placement.scaled = {scaled(size.width), scaled(size.height)};
  placement.visible = {std::min(placement.scaled.width, box.width),
                       std::min(placement.scaled.height, box.height)};
  return placement;
}

VImage ScaleTo(const VImage& image, Dimensions size) {
  if (image.width() == size.width && image.height() == size.height) {
    return image;
  }
  const double across = static_cast<double>(size.width) / image.width();
  const double down = static_cast<double>(size.height) / image.height();
  if (!image.has_alpha()) {
    return image.resize(across, VImage::option()->set("vscale", down));
  }
  return image.premultiply()
      .resize(across, VImage::option()->set("vscale", down))
      .unpremultiply()
      .rint()
      .cast(image.format());
}

}  // namespace tintype::darkroom
