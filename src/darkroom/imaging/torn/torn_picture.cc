#include "darkroom/imaging/torn/torn_picture.h"

#include <algorithm>
#include <limits>

#include "darkroom/failure.h"
#include "darkroom/imaging/torn/torn_file.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

Error NothingToSee() {
  return MakeFailure(FailureKind::kCorrupt,
                     "The file ends before its picture begins; upload the whole file");
}

// A pixel of medium grey, opaque. Of formats that nobody takes photos in, black.
std::vector<double> GreyFor(const VImage& image) {
  const bool is_wide = image.format() == VIPS_FORMAT_USHORT;
  const double unit = is_wide ? 257 : image.format() == VIPS_FORMAT_UCHAR ? 1 : 0;
  std::vector<double> pixel(static_cast<size_t>(image.bands()), 128 * unit);
  if (image.interpretation() == VIPS_INTERPRETATION_CMYK) {
    std::fill_n(pixel.begin(), std::min<size_t>(3, pixel.size()), 0);
  }
  if (image.has_alpha()) {
    pixel.back() = 255 * unit;
  }
  return pixel;
}

VImage GreyBelow(const VImage& image, int32_t rows) {
  return image.crop(0, 0, image.width(), rows)
      .embed(0, 0, image.width(), image.height(),
             VImage::option()
                 ->set("extend", VIPS_EXTEND_BACKGROUND)
                 ->set("background", GreyFor(image)));
}

VImage GreyTiles(const VImage& image, const TileGrid& tiles) {
  std::vector<uint8_t> mask;
  for (const bool there : tiles.there) {
    mask.push_back(there ? 255 : 0);
  }
  VipsImage* const copy = vips_image_new_from_memory_copy(mask.data(), mask.size(), tiles.columns,
                                                          tiles.rows, 1, VIPS_FORMAT_UCHAR);
  if (copy == nullptr) {
    throw vips::VError();
  }
  return VImage(copy)
      .zoom(tiles.tile_width, tiles.tile_height)
      .crop(0, 0, image.width(), image.height())
      .ifthenelse(image, image.new_from_image(GreyFor(image)));
}

// How many rows two pictures have in common, from the top.
int32_t CommonRows(const VImage& one, const VImage& other) {
  VImage rows;
  (one != other).bandor().project(&rows);
  const VImage sums = rows.cast(VIPS_FORMAT_UINT).copy_memory();
  const auto* const first = static_cast<const uint32_t*>(sums.data());
  const auto* const last = first + sums.height();
  return static_cast<int32_t>(std::find_if(first, last, [](uint32_t sum) { return sum != 0; }) -
                              first);
}

Result<TornPicture> CompleteTiles(const VImage& image, const TileGrid& tiles) {
  const int64_t there = std::ranges::count(tiles.there, true);
  if (there == 0) {
    return NothingToSee();
  }
  const auto count = static_cast<int64_t>(tiles.there.size());
  const auto rows = static_cast<int32_t>(image.height() * there / count);
  return TornPicture{GreyTiles(image, tiles), std::max(1, rows)};
}

// Two ways to fill what is missing decode to the same as far as the file goes.
Result<TornPicture> CompleteDecoded(PatchedFile file, const LoadMended& load) {
  file.filler = 0x00;
  const VImage image = load(file).copy_memory();
  file.filler = 0xFF;
  const int32_t rows = CommonRows(image, load(file));
  if (rows == 0) {
    return NothingToSee();
  }
  return TornPicture{GreyBelow(image, rows), rows};
}

Result<TornPicture> CompleteRows(const PatchedFile& file, const LoadMended& load) {
  const int32_t rows = CountRows(load(file));
  if (rows == 0) {
    return NothingToSee();
  }
  return TornPicture{GreyBelow(load(file), rows), rows};
}

// Rows that are missing may be columns then; their share is the same.
TornPicture Turned(const TornPicture& torn, int quarter_turns) {
  const VImage image = torn.image.copy_memory().rot(quarter_turns == 1   ? VIPS_ANGLE_D270
                                                    : quarter_turns == 2 ? VIPS_ANGLE_D180
                                                                         : VIPS_ANGLE_D90);
  const int64_t rows = int64_t{torn.rows_there} * image.height() / torn.image.height();
  return {image, std::max(1, static_cast<int32_t>(rows))};
}

}  // namespace

bool IsCutWithin(std::span<const Extent> pieces, int64_t file_bytes) {
  // What writers leave free between two pieces.
  constexpr int64_t kGapMax = 64;
  int64_t first_missing = std::numeric_limits<int64_t>::max();
  int64_t last_there = -1;
  for (const Extent& piece : pieces) {
    if (piece.length > file_bytes - piece.offset) {
      first_missing = std::min(first_missing, piece.offset);
    } else if (piece.length > 0) {
      last_there = std::max(last_there, piece.offset);
    }
  }
  return first_missing <= file_bytes + kGapMax && last_there < first_missing;
}

Result<TornPicture> CompletePicture(const MendedFile& mended, const LoadMended& load) {
  const auto complete = [&] {
    if (mended.tiles) {
      return CompleteTiles(load(mended.file), *mended.tiles);
    }
    return mended.decodes_filler ? CompleteDecoded(mended.file, load)
                                 : CompleteRows(mended.file, load);
  };
  ASSIGN_OR_RETURN(const TornPicture torn, complete());
  return mended.quarter_turns == 0 ? torn : Turned(torn, mended.quarter_turns);
}

}  // namespace tintype::darkroom
