#include "darkroom/imaging/torn_file.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string_view>

namespace tintype::darkroom {
namespace {

// Reads all of `bytes`, or none.
template <size_t kCount>
bool ReadAt(int input, int64_t offset, std::array<unsigned char, kCount>& bytes) {
  return ::pread(input, bytes.data(), kCount, offset) == static_cast<ssize_t>(kCount);
}

uint32_t BigEndian(const unsigned char* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

// A file of chunks, each with its length before it; the last is called IEND.
bool PngEndsEarly(int input) {
  constexpr int64_t kSignatureBytes = 8;
  constexpr int64_t kFrameBytes = 12;
  // Nobody writes as many. What comes behind them is not looked at.
  constexpr int kChunksMax = 100'000;
  int64_t offset = kSignatureBytes;
  for (int i = 0; i < kChunksMax; ++i) {
    std::array<unsigned char, 8> head;
    if (!ReadAt(input, offset, head)) {
      return true;
    }
    offset += kFrameBytes + BigEndian(head.data());
    if (std::string_view(reinterpret_cast<const char*>(&head[4]), 4) == "IEND") {
      return offset > ::lseek(input, 0, SEEK_END);
    }
  }
  return false;
}

bool WebpEndsEarly(int input) {
  std::array<unsigned char, 8> head;
  if (!ReadAt(input, 0, head)) {
    return true;
  }
  const int64_t length =
      int64_t{head[4]} | int64_t{head[5]} << 8 | int64_t{head[6]} << 16 | int64_t{head[7]} << 24;
  return length + 8 > ::lseek(input, 0, SEEK_END);
}

bool GifEndsEarly(int input) {
  std::array<unsigned char, 1> last;
  const int64_t bytes = ::lseek(input, 0, SEEK_END);
  return !ReadAt(input, bytes - 1, last) || last[0] != ';';
}

// Whether some of the pixels of the first directory are behind the end.
bool TiffEndsEarly(int input, const ExifTags& tags) {
  const auto bytes = static_cast<double>(::lseek(input, 0, SEEK_END));
  constexpr std::array<std::array<const char*, 2>, 2> kPieces = {{
      {"Exif.Image.StripOffsets", "Exif.Image.StripByteCounts"},
      {"Exif.Image.TileOffsets", "Exif.Image.TileByteCounts"},
  }};
  for (const auto& [offsets, counts] : kPieces) {
    for (long i = 0;; ++i) {
      const auto offset = tags.Number(offsets, i);
      const auto count = tags.Number(counts, i);
      if (!offset || !count) {
        break;
      }
      if (*offset + *count > bytes) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

bool EndsEarly(int input, const SourceImage& source) {
  const std::string& type = source.original.media_type;
  if (type == "image/jpeg") {
    // Nothing else makes libvips give up on one that can be decoded.
    return true;
  }
  if (type == "image/png") {
    return PngEndsEarly(input);
  }
  if (type == "image/webp") {
    return WebpEndsEarly(input);
  }
  if (type == "image/gif") {
    return GifEndsEarly(input);
  }
  return TiffEndsEarly(input, source.tags);
}

int32_t CountRows(const vips::VImage& image) {
  const auto unref = [](VipsRegion* region) { g_object_unref(region); };
  const std::unique_ptr<VipsRegion, decltype(unref)> region(vips_region_new(image.get_image()));
  int32_t rows = 0;
  while (rows < image.height()) {
    const VipsRect strip = {0, rows, image.width(), std::min(kRowsAtOnce, image.height() - rows)};
    if (vips_region_prepare(region.get(), &strip) != 0) {
      vips_error_clear();
      break;
    }
    rows += strip.height;
  }
  return rows;
}

}  // namespace tintype::darkroom
