#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>
#include <vips/vips8>

#include "base/result.h"
#include "darkroom/imaging/torn/patched_file.h"

namespace tintype::darkroom {

// What the formats have in common that say where in the file the pieces of a picture are.

/// A piece as the file has it.
struct Extent {
  int64_t offset = 0;
  int64_t length = 0;
};

/// Whether a file of so many bytes was cut within these pieces: all from some place on are missing.
/// That one of them is elsewhere is damage of another kind.
bool IsCutWithin(std::span<const Extent> pieces, int64_t file_bytes);

/// A picture in tiles of one size, row by row. Those at the right and at the bottom may be larger
/// than the picture is there.
struct TileGrid {
  int32_t columns = 0;
  int32_t rows = 0;
  int32_t tile_width = 0;
  int32_t tile_height = 0;
  /// For each tile whether it is in the file.
  std::vector<bool> there = {};
};

/// A torn file, mended as far as its loader needs it.
struct MendedFile {
  PatchedFile file;
  /// Of a picture in tiles. Each that is missing shows another one, and is to be painted over.
  std::optional<TileGrid> tiles = {};
  /// Whether the decoder takes whatever comes behind the end of the file, and does not stop there.
  bool decodes_filler = false;
  /// How the picture is turned when it is complete, in quarters of a circle, against the clock.
  int quarter_turns = 0;
};

/// What there is of a picture.
struct TornPicture {
  /// Grey where nothing was decoded.
  vips::VImage image;
  /// As many as would hold what there is; at least 1.
  int32_t rows_there = 0;
};

/// Opens a mended file, to be read from top to bottom; strictly, so that what is missing is a
/// fault. Throws what libvips throws.
using LoadMended = std::function<vips::VImage(const PatchedFile&)>;

/// Decodes as much as it takes to know what is missing. Limits were checked before. Errors:
/// kCorrupt when nothing is there. Throws what libvips throws.
Result<TornPicture> CompletePicture(const MendedFile& mended, const LoadMended& load);

}  // namespace tintype::darkroom
