#include "darkroom/imaging/torn/torn_file.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
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
  // Nobody writes as many. Nothing behind them is looked at.
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

/// Reads a file byte by byte, in larger steps.
class ByteReader {
 public:
  explicit ByteReader(int input) : input_(input) {}

  /// Nothing at the end.
  std::optional<unsigned char> Next() {
    if (at_ == count_) {
      begin_ += static_cast<int64_t>(count_);
      const ssize_t count = ::pread(input_, buffer_.data(), buffer_.size(), begin_);
      count_ = count > 0 ? static_cast<size_t>(count) : 0;
      at_ = 0;
    }
    return at_ < count_ ? std::optional(buffer_[at_++]) : std::nullopt;
  }
  /// False when there are not as many.
  bool Skip(int count) {
    for (int i = 0; i < count; ++i) {
      if (!Next()) {
        return false;
      }
    }
    return true;
  }

 private:
  const int input_;
  int64_t begin_ = 0;
  size_t at_ = 0;
  size_t count_ = 0;
  std::array<unsigned char, 16384> buffer_;
};

// A table of colours, when the flags before it say that there is one.
bool SkipGifColors(ByteReader& reader, unsigned char flags) {
  return (flags & 0x80) == 0 || reader.Skip(3 << ((flags & 7) + 1));
}

// Blocks with their length before them, to the empty one.
bool SkipGifBlocks(ByteReader& reader) {
  while (const auto length = reader.Next()) {
    if (*length == 0) {
      return true;
    }
    if (!reader.Skip(*length)) {
      return false;
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
  // Of the formats that say where their pieces are, rows are counted of those that were torn alone.
  return source.ends_early || source.rows_there.has_value();
}

bool GifEndsEarly(int input) {
  std::array<unsigned char, 2> end;
  if (ReadAt(input, ::lseek(input, 0, SEEK_END) - 2, end) && end[0] == 0 && end[1] == ';') {
    // As files end that are whole; nothing else need be read.
    return false;
  }
  ByteReader reader(input);
  std::optional<unsigned char> flags;
  if (!reader.Skip(10) || !(flags = reader.Next()) || !reader.Skip(2) ||
      !SkipGifColors(reader, *flags)) {
    return true;
  }
  while (const auto mark = reader.Next()) {
    const bool is_picture = *mark == ',';
    if (!is_picture && *mark != '!' && *mark != 0) {
      // The end mark, with something behind it, or what makes no sense.
      return false;
    }
    if (*mark == '!' && (!reader.Skip(1) || !SkipGifBlocks(reader))) {
      return true;
    }
    if (is_picture &&
        (!reader.Skip(8) || !(flags = reader.Next()) || !SkipGifColors(reader, *flags) ||
         !reader.Skip(1) || !SkipGifBlocks(reader))) {
      return true;
    }
  }
  return true;
}

int32_t CountRowsShown(const vips::VImage& image) {
  if (!image.has_alpha()) {
    return image.height();
  }
  vips::VImage rows;
  image.extract_band(image.bands() - 1).project(&rows);
  const vips::VImage sums = rows.cast(VIPS_FORMAT_UINT).copy_memory();
  const auto* const first = static_cast<const uint32_t*>(sums.data());
  const auto opaque =
      std::count_if(first, first + sums.height(), [](uint32_t sum) { return sum != 0; });
  return static_cast<int32_t>(opaque);
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
