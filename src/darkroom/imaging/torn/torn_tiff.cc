#include "darkroom/imaging/torn/torn_tiff.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tintype::darkroom {
namespace {

enum class TiffTag : uint64_t {
  kWidth = 256,
  kHeight = 257,
  kCompression = 259,
  kStripOffsets = 273,
  kStripByteCounts = 279,
  kTileWidth = 322,
  kTileHeight = 323,
  kTileOffsets = 324,
  kTileByteCounts = 325,
};

/// The values of an entry of the directory, and where they are.
struct TiffNumbers {
  int64_t offset = 0;
  size_t bytes_each = 0;
  std::vector<uint64_t> values;
};

/// Reads numbers of either byte order, in files of either kind.
class TiffFile {
 public:
  explicit TiffFile(int input) : input_(input), bytes_(::lseek(input, 0, SEEK_END)) {}

  /// False for what is no TIFF file, or lacks its first directory.
  bool ReadHeader() {
    std::string head;
    if (!Read(0, 16, head)) {
      return false;
    }
    is_little_ = head.starts_with("II");
    const uint64_t version = Number(head, 2, 2);
    is_big_ = version == 43;
    const uint64_t directory = is_big_ ? Number(head, 8, 8) : Number(head, 4, 4);
    return (is_big_ || version == 42) && ReadDirectory(directory);
  }

  /// Empty when there is no such entry, or it is not in the file.
  TiffNumbers Find(TiffTag tag) const {
    const size_t entry_bytes = is_big_ ? 20 : 12;
    for (size_t at = 0; at + entry_bytes <= directory_.size(); at += entry_bytes) {
      if (static_cast<TiffTag>(Number(directory_, at, 2)) == tag) {
        return ReadEntry(at);
      }
    }
    return {};
  }
  uint64_t First(TiffTag tag) const {
    const TiffNumbers numbers = Find(tag);
    return numbers.values.empty() ? 0 : numbers.values.front();
  }

  /// The bytes of these numbers in the file.
  std::string Encode(const TiffNumbers& numbers) const {
    std::string text;
    for (const uint64_t value : numbers.values) {
      for (size_t i = 0; i < numbers.bytes_each; ++i) {
        const size_t shift = 8 * (is_little_ ? i : numbers.bytes_each - 1 - i);
        text.push_back(static_cast<char>(value >> shift));
      }
    }
    return text;
  }

  int64_t bytes() const { return bytes_; }
  int64_t directory_offset() const { return directory_offset_; }

 private:
  bool Read(uint64_t offset, size_t count, std::string& into) const {
    if (offset > static_cast<uint64_t>(bytes_) || count > static_cast<uint64_t>(bytes_) - offset) {
      return false;
    }
    into.resize(count);
    return ::pread(input_, into.data(), count, static_cast<off_t>(offset)) ==
           static_cast<ssize_t>(count);
  }

  uint64_t Number(std::string_view text, size_t at, size_t count) const {
    uint64_t number = 0;
    for (size_t i = 0; i < count; ++i) {
      const auto byte = static_cast<unsigned char>(text[at + (is_little_ ? count - 1 - i : i)]);
      number = number << 8 | byte;
    }
    return number;
  }

  bool ReadDirectory(uint64_t offset) {
    constexpr uint64_t kEntriesMax = 4096;
    const size_t count_bytes = is_big_ ? 8 : 2;
    std::string head;
    if (!Read(offset, count_bytes, head)) {
      return false;
    }
    const uint64_t entries = Number(head, 0, count_bytes);
    directory_offset_ = static_cast<int64_t>(offset);
    return entries <= kEntriesMax &&
           Read(offset + count_bytes, static_cast<size_t>(entries) * (is_big_ ? 20 : 12),
                directory_);
  }

  TiffNumbers ReadEntry(size_t at) const {
    // A picture of the largest size that is developed has fewer pieces.
    constexpr uint64_t kValuesMax = 1'000'000;
    const size_t field_bytes = is_big_ ? 8 : 4;
    const uint64_t type = Number(directory_, at + 2, 2);
    const uint64_t count = Number(directory_, at + 4, field_bytes);
    const size_t value_at = at + 4 + field_bytes;
    TiffNumbers numbers;
    numbers.bytes_each = type == 3 ? 2 : type == 4 ? 4 : type == 16 ? 8 : 0;
    if (numbers.bytes_each == 0 || count > kValuesMax) {
      return {};
    }
    const size_t bytes = static_cast<size_t>(count) * numbers.bytes_each;
    std::string text = directory_.substr(value_at, bytes);
    numbers.offset = directory_offset_ + (is_big_ ? 8 : 2) + static_cast<int64_t>(value_at);
    if (bytes > field_bytes) {
      const uint64_t offset = Number(directory_, value_at, field_bytes);
      if (!Read(offset, bytes, text)) {
        return {};
      }
      numbers.offset = static_cast<int64_t>(offset);
    }
    for (size_t i = 0; i < bytes; i += numbers.bytes_each) {
      numbers.values.push_back(Number(text, i, numbers.bytes_each));
    }
    return numbers;
  }

  const int input_;
  const int64_t bytes_;
  bool is_little_ = true;
  bool is_big_ = false;
  int64_t directory_offset_ = 0;
  std::string directory_;
};

/// Where the strips or tiles are.
struct TiffPieces {
  TiffNumbers offsets;
  TiffNumbers lengths;
  std::vector<Extent> extents = {};
};

TiffPieces FindPieces(const TiffFile& tiff, TiffTag offsets, TiffTag lengths) {
  constexpr uint64_t kEnd = uint64_t{1} << 62;
  TiffPieces pieces = {tiff.Find(offsets), tiff.Find(lengths), {}};
  const size_t count = std::min(pieces.offsets.values.size(), pieces.lengths.values.size());
  for (size_t i = 0; i < count; ++i) {
    pieces.extents.push_back({static_cast<int64_t>(std::min(pieces.offsets.values[i], kEnd)),
                              static_cast<int64_t>(std::min(pieces.lengths.values[i], kEnd))});
  }
  return pieces;
}

bool IsTorn(const TiffFile& tiff, const TiffPieces& pieces) {
  std::vector<Extent> extents = pieces.extents;
  // It was read, so a file that has it behind its pixels is none that was cut there.
  extents.push_back({tiff.directory_offset(), 1});
  return IsCutWithin(extents, tiff.bytes());
}

bool IsThere(const TiffFile& tiff, const Extent& extent) {
  return extent.length > 0 && extent.length <= tiff.bytes() - extent.offset;
}

MendedFile MendStrips(const TiffFile& tiff, int input, TiffPieces pieces) {
  MendedFile mended = {.file = {.input = input, .length = tiff.bytes()}};
  constexpr uint64_t kOldJpeg = 6;
  constexpr uint64_t kJpeg = 7;
  const uint64_t compression = tiff.First(TiffTag::kCompression);
  if (compression == kOldJpeg || compression == kJpeg) {
    // Of these libjpeg would make up the rest.
    return mended;
  }
  // A strip that says to end where the file does is decoded as far as it goes.
  for (size_t i = 0; i < pieces.extents.size(); ++i) {
    const Extent& extent = pieces.extents[i];
    if (extent.offset < tiff.bytes() && !IsThere(tiff, extent) && extent.length > 0) {
      pieces.lengths.values[i] = static_cast<uint64_t>(tiff.bytes() - extent.offset);
    }
  }
  mended.file.patches.push_back({pieces.lengths.offset, tiff.Encode(pieces.lengths)});
  return mended;
}

std::optional<MendedFile> MendTiles(const TiffFile& tiff, int input, TiffPieces pieces) {
  constexpr uint64_t kSideMax = 1'000'000;
  const uint64_t width = tiff.First(TiffTag::kWidth);
  const uint64_t height = tiff.First(TiffTag::kHeight);
  const uint64_t tile_width = tiff.First(TiffTag::kTileWidth);
  const uint64_t tile_height = tiff.First(TiffTag::kTileHeight);
  const auto whole = std::ranges::find_if(
      pieces.extents, [&](const Extent& extent) { return IsThere(tiff, extent); });
  if (std::min({width, height, tile_width, tile_height}) == 0 ||
      std::max({width, height, tile_width, tile_height}) > kSideMax ||
      whole == pieces.extents.end()) {
    return std::nullopt;
  }
  TileGrid grid = {.columns = static_cast<int32_t>((width + tile_width - 1) / tile_width),
                   .rows = static_cast<int32_t>((height + tile_height - 1) / tile_height),
                   .tile_width = static_cast<int32_t>(tile_width),
                   .tile_height = static_cast<int32_t>(tile_height)};
  if (static_cast<int64_t>(pieces.extents.size()) != int64_t{grid.columns} * grid.rows) {
    // Each colour has tiles of its own.
    return std::nullopt;
  }
  const auto stand_in = static_cast<size_t>(whole - pieces.extents.begin());
  for (size_t i = 0; i < pieces.extents.size(); ++i) {
    grid.there.push_back(pieces.extents[i].length == 0 || IsThere(tiff, pieces.extents[i]));
    if (!grid.there.back()) {
      pieces.offsets.values[i] = pieces.offsets.values[stand_in];
      pieces.lengths.values[i] = pieces.lengths.values[stand_in];
    }
  }
  return MendedFile{.file = {.input = input,
                             .length = tiff.bytes(),
                             .patches = {{pieces.offsets.offset, tiff.Encode(pieces.offsets)},
                                         {pieces.lengths.offset, tiff.Encode(pieces.lengths)}}},
                    .tiles = std::move(grid)};
}

}  // namespace

std::optional<MendedFile> MendTiff(int input) {
  TiffFile tiff(input);
  if (!tiff.ReadHeader()) {
    return std::nullopt;
  }
  TiffPieces tiles = FindPieces(tiff, TiffTag::kTileOffsets, TiffTag::kTileByteCounts);
  if (!tiles.extents.empty()) {
    return IsTorn(tiff, tiles) ? MendTiles(tiff, input, std::move(tiles)) : std::nullopt;
  }
  TiffPieces strips = FindPieces(tiff, TiffTag::kStripOffsets, TiffTag::kStripByteCounts);
  if (strips.extents.empty() || !IsTorn(tiff, strips)) {
    return std::nullopt;
  }
  return MendStrips(tiff, input, std::move(strips));
}

}  // namespace tintype::darkroom
