#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vips/vips8>

#include "base/result.h"
#include "darkroom/imaging/metadata/exif_tags.h"
#include "darkroom/imaging/strictness.h"
#include "darkroom/limits.h"
#include "darkroom/requests.h"

namespace tintype::darkroom {

/// An image whose header has been read and found to be within the limits. Its pixels are decoded
/// once, from top to bottom, as they are asked for.
struct SourceImage {
  vips::VImage image;
  /// As an answer tells it.
  Original original;
  /// The EXIF orientation, 1 to 8. The pixels are still as the file has them.
  int orientation = 1;
  /// What libvips does not find itself: the tags of TIFF and of cameras' raw files.
  ExifTags tags;
  /// Its pixels are decoded all at once.
  bool held_whole = false;
  /// Of a torn file, the rows that there are, where that is known already.
  std::optional<int32_t> rows_there;
  /// The file is torn behind what was opened of it, or within: a GIF that may lack later pictures,
  /// a raw file.
  bool ends_early = false;
};

/// What the camera wrote into the file, wherever that was.
ExifData ExifOf(const SourceImage& source);

/// As the longest side for OpenSource: no smaller image will do.
inline constexpr int32_t kFullSize = std::numeric_limits<int32_t>::max();

/// Opens a file by what its first bytes say; of a camera's raw file, the largest preview in it.
/// Where the format can decode a smaller image for a fraction of the cost, as JPEG can, `image` is
/// a smaller one, but with its longest side at least `longest_side`; `original` tells the full
/// size. Throws what libvips throws: call it within Guard.
Result<SourceImage> OpenSource(int input, const PixelLimits& limits, Strictness strictness,
                               int32_t longest_side);

/// Fails when an image of that size has more pixels than may be held in memory whole.
Status CheckHeldWhole(const Original& original, const PixelLimits& limits);

}  // namespace tintype::darkroom
