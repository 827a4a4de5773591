#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tintype::darkroom {

// Files as cameras write them, but for the pixels of a sensor, of which there are a few: what
// counts is where the preview lies.

struct RawOptions {
  /// A JPEG file, of that size. Empty: there is none.
  std::string preview;
  int width = 0;
  int height = 0;
  /// In the raw file's own tags.
  uint16_t orientation = 1;
};

/// Adobe's: the preview is a picture of its own within the TIFF, beside a smaller one.
std::string Dng(const RawOptions& options, std::string_view smaller_preview = "");
/// Nikon's: no word that it is one; the preview is a JPEG file that a subdirectory points at.
std::string Nef(const RawOptions& options);
/// Canon's: the preview is the first picture.
std::string Cr2(const RawOptions& options);
/// Olympus's: a TIFF that says to be something else.
std::string Orf(const RawOptions& options);
/// Panasonic's: the preview is the value of a tag.
std::string Rw2(const RawOptions& options);
/// Sony's: a TIFF whose first directory points at the preview.
std::string Arw(const RawOptions& options);
/// Fujifilm's: a header of its own points at the preview, whose EXIF has the camera's tags, and at
/// what the sensor saw. The preview cannot be left out.
std::string Raf(const RawOptions& options);

/// A TIFF that is none of these: a red picture of 8 x 8 pixels, with a camera's tags.
std::string TiffWithExif();
/// The header of a TIFF of that size in a single strip, deflated, with next to nothing behind it.
std::string TiffBomb(uint32_t side);

}  // namespace tintype::darkroom
