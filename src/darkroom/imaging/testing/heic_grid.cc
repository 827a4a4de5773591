#include "darkroom/imaging/testing/heic_grid.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.h"

namespace tintype::darkroom {
namespace {

using namespace std::literals;
using vips::VImage;

constexpr int kTileSide = 128;

std::string Number(uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) {
    text.push_back(static_cast<char>(value >> (8 * i)));
  }
  return text;
}

std::string HeifBox(std::string_view kind, const std::string& contents) {
  return Number(contents.size() + 8, 4) + std::string(kind) + contents;
}
std::string VersionedBox(std::string_view kind, const std::string& contents, uint64_t version = 0) {
  return HeifBox(kind, Number(version << 24, 4) + contents);
}

/// The bytes of a box of that kind, which is in the file once.
std::string FindBox(const std::string& file, std::string_view kind) {
  const size_t at = file.find(kind);
  CHECK(at != std::string::npos);
  uint32_t size = 0;
  for (size_t i = at - 4; i < at; ++i) {
    size = size << 8 | static_cast<uint8_t>(file[i]);
  }
  return file.substr(at - 4, size);
}

std::string HeicTile(const VImage& tile) {
  VipsBlob* const blob =
      tile.heifsave_buffer(VImage::option()
                               ->set("compression", VIPS_FOREIGN_HEIF_COMPRESSION_HEVC)
                               ->set("Q", 90)
                               ->set("effort", 0)
                               ->set("strip", true));
  size_t size = 0;
  const auto* bytes = static_cast<const char*>(vips_blob_get(blob, &size));
  std::string file(bytes, size);
  vips_area_unref(VIPS_AREA(blob));
  return file;
}

}  // namespace

std::string HeicGrid(const VImage& picture, int quarter_turns) {
  const int columns = (picture.width() + kTileSide - 1) / kTileSide;
  const int rows = (picture.height() + kTileSide - 1) / kTileSide;
  const VImage canvas = picture.embed(0, 0, columns * kTileSide, rows * kTileSide,
                                      VImage::option()->set("extend", VIPS_EXTEND_COPY));
  std::string configuration;
  std::vector<std::string> tiles;
  for (int i = 0; i < columns * rows; ++i) {
    const std::string file = HeicTile(
        canvas.crop(i % columns * kTileSide, i / columns * kTileSide, kTileSide, kTileSide));
    configuration = FindBox(file, "hvcC");
    tiles.push_back(FindBox(file, "mdat").substr(8));
  }
  const auto count = static_cast<uint64_t>(tiles.size());
  const uint64_t grid = count + 1;
  std::string infos = Number(count + 1, 2);
  std::string references = Number(grid, 2) + Number(count, 2);
  std::string associations = Number(count + 1, 4);
  for (uint64_t id = 1; id <= grid; ++id) {
    // Tiles are hidden.
    infos += HeifBox("infe", Number(2 << 24 | (id < grid ? 1 : 0), 4) + Number(id, 2) + "\0\0"s +
                                 (id < grid ? "hvc1" : "grid") + "\0"s);
    // Their size and how they are coded; of the grid its size, and how it is turned.
    associations += Number(id, 2) + (id < grid ? "\x02\x81\x02"s : "\x02\x03\x84"s);
    references += id < grid ? Number(id, 2) : "";
  }
  const auto side = [](int pixels) { return Number(static_cast<uint64_t>(pixels), 4); };
  const std::string properties =
      configuration + VersionedBox("ispe", side(kTileSide) + side(kTileSide)) +
      VersionedBox("ispe", side(picture.width()) + side(picture.height())) +
      HeifBox("irot", Number(static_cast<uint64_t>(quarter_turns), 1));
  const std::string shape = "\0\0"s + Number(static_cast<uint64_t>(rows - 1), 1) +
                            Number(static_cast<uint64_t>(columns - 1), 1) +
                            Number(static_cast<uint64_t>(picture.width()), 2) +
                            Number(static_cast<uint64_t>(picture.height()), 2);
  const auto meta_for = [&](uint64_t pixels_at) {
    std::string locations = "\x44\0"s + Number(count + 1, 2);
    for (uint64_t id = 1; id <= grid; ++id) {
      const uint64_t length = id < grid ? tiles[id - 1].size() : shape.size();
      locations += Number(id, 2) + Number(id < grid ? 0 : 1, 2) + "\0\0"s + Number(1, 2) +
                   Number(id < grid ? pixels_at : 0, 4) + Number(length, 4);
      pixels_at += id < grid ? length : 0;
    }
    return VersionedBox(
        "meta",
        VersionedBox("hdlr", "\0\0\0\0pict"s + std::string(13, '\0')) +
            VersionedBox("pitm", Number(grid, 2)) + VersionedBox("iloc", locations, 1) +
            VersionedBox("iinf", infos) +
            HeifBox("iprp", HeifBox("ipco", properties) + VersionedBox("ipma", associations)) +
            HeifBox("idat", shape) + VersionedBox("iref", HeifBox("dimg", references)));
  };
  const std::string type = HeifBox("ftyp", "heic\0\0\0\0mif1heic"s);
  const size_t pixels_at = type.size() + meta_for(0).size() + 8;
  std::string pixels;
  for (const std::string& tile : tiles) {
    pixels += tile;
  }
  return type + meta_for(pixels_at) + HeifBox("mdat", pixels);
}

size_t TileAt(const std::string& heic, int tile) {
  // Each has as many bytes in the table as any other; the place is the first of the last two.
  constexpr size_t kHead = 4 + 4 + 2 + 2;
  constexpr size_t kEntry = 2 + 2 + 2 + 2 + 4 + 4;
  const size_t at = heic.find("iloc") + kHead + static_cast<size_t>(tile) * kEntry + 8;
  size_t place = 0;
  for (size_t i = 0; i < 4; ++i) {
    place = place << 8 | static_cast<uint8_t>(heic[at + i]);
  }
  return place;
}

}  // namespace tintype::darkroom
