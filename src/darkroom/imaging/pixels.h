#pragma once

#include <cstdint>
#include <vips/vips8>

#include "darkroom/requests.h"

namespace tintype::darkroom {

// The steps that developing and editing share. Each throws what libvips throws.

/// Computed, in memory, and free of what it was made from: a copy by libvips keeps all of that
/// alive.
vips::VImage Settle(const vips::VImage& image);

/// In sRGB, 8 bits a band, 3 bands or 4 with alpha. A colour profile that cannot be used is
/// ignored. CMYK without a profile is taken for that of common print.
vips::VImage ToSrgb(const vips::VImage& image);

/// Whether an image's colours are sRGB already: it has no profile, or one that changes nothing that
/// can be seen.
bool IsSrgb(const vips::VImage& image);

/// Turned and mirrored as an EXIF orientation asks. The image is in memory.
vips::VImage Upright(const vips::VImage& image, int orientation);

/// On white where it is transparent; without alpha.
vips::VImage OnWhite(const vips::VImage& image);

struct Dimensions {
  int32_t width = 0;
  int32_t height = 0;

  bool operator==(const Dimensions&) const = default;
};
/// The size of an image whose longest side is at most `longest_side`, in the same proportions, at
/// least one pixel each way.
Dimensions FitWithin(Dimensions size, int32_t longest_side);

/// Where an image goes that is resized: first scaled, then cut to `visible` around its middle.
struct Placement {
  Dimensions scaled;
  Dimensions visible;
};
/// How an image of that size comes to the one that a request asks for.
Placement PlaceFor(Dimensions size, const ResizeRequest& request);

/// Scaled to exactly that size. Transparent pixels do not bleed into others.
vips::VImage ScaleTo(const vips::VImage& image, Dimensions size);

}  // namespace tintype::darkroom
