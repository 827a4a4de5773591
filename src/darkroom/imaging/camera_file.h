#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "darkroom/imaging/metadata/exif_tags.h"
#include "darkroom/imaging/strictness.h"

namespace tintype::darkroom {

/// A picture within a camera's raw file, made by the camera.
struct Preview {
  /// "image/jpeg", or "image/tiff" that holds a JPEG: what DNG files have.
  std::string media_type;
  std::string bytes;
  /// In pixels, by what the file says.
  int64_t longest_side = 0;
};

/// A file that exiv2 reads as a whole: a TIFF, or what a camera took from its sensor, which is
/// mostly a TIFF as well. Developing what sensors see is another program's trade; we take the
/// picture that the camera made of it for its own display, which is often of the full size.
struct CameraFile {
  ExifTags tags;
  /// Not a picture itself, or not one for looking at: the pixels of a sensor.
  bool is_raw = false;
  /// Of a raw file, the largest first; no more than a few.
  std::vector<Preview> previews;
  /// Of a raw file: it is shorter than it says itself.
  bool ends_early = false;
  /// Of a raw file that was to be whole: what it lost may be a better preview than it has.
  bool lacks_previews = false;
  /// Of a TIFF file: how many rows are decompressed at a time, at most; 0 when it is not known.
  int64_t rows_at_once = 0;
};

/// Reads it without decoding a pixel. `media_type` is by its first bytes. A file that exiv2 cannot
/// read is a TIFF without tags, or kCorrupt when it can only be a raw file. Previews that end
/// behind the end of the file are among the others when what there is will do.
Result<CameraFile> ReadCameraFile(int input, std::string_view media_type, Strictness strictness);

/// Whether files of that type go through ReadCameraFile.
bool IsCameraFile(std::string_view media_type);

}  // namespace tintype::darkroom
