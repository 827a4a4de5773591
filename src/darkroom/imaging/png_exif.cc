#include "darkroom/imaging/png_exif.h"

#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tintype::darkroom {
namespace {

constexpr off_t kSignatureBytes = 8;
// Of a chunk: length, type; then its data, then a checksum.
constexpr off_t kHeadBytes = 8;
constexpr off_t kChecksumBytes = 4;
// Photos of hundreds of megapixels have chunks of pixels by the thousand.
constexpr int kChunksMax = 100'000;
// As much as a JPEG file could hold, a few times over.
constexpr uint32_t kExifBytesMax = 1 << 20;

bool ReadAt(int input, off_t offset, char* bytes, size_t count) {
  return ::pread(input, bytes, count, offset) == static_cast<ssize_t>(count);
}

uint32_t BigEndian(const char* bytes) {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    value = value << 8 | static_cast<uint8_t>(bytes[i]);
  }
  return value;
}

}  // namespace

std::string ReadPngExif(int input) {
  off_t offset = kSignatureBytes;
  for (int i = 0; i < kChunksMax; ++i) {
    std::array<char, kHeadBytes> head;
    if (!ReadAt(input, offset, head.data(), head.size())) {
      return "";
    }
    const uint32_t length = BigEndian(head.data());
    const std::string_view type(head.data() + 4, 4);
    if (type == "eXIf") {
      std::string block(length <= kExifBytesMax ? length : 0, '\0');
      return ReadAt(input, offset + kHeadBytes, block.data(), block.size()) ? block : "";
    }
    offset += kHeadBytes + off_t{length} + kChecksumBytes;
  }
  return "";
}

}  // namespace tintype::darkroom
