#include "darkroom/imaging/torn/torn_heif.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "darkroom/imaging/torn/heif_items.h"

namespace tintype::darkroom {
namespace {

// No photo has more to it; a file that says to be longer is not filled up.
constexpr int64_t kBytesMax = int64_t{1} << 31;

uint32_t BigEndian(std::string_view bytes, size_t at, size_t count) {
  uint32_t number = 0;
  for (size_t i = at; i < at + count; ++i) {
    number = number << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return number;
}

void WriteBigEndian(uint64_t number, size_t at, size_t count, std::string& bytes) {
  for (size_t i = 0; i < count; ++i) {
    bytes[at + i] = static_cast<char>(number >> 8 * (count - 1 - i));
  }
}

bool IsThere(const HeifItem& item, int64_t file_bytes) {
  return item.is_in_box || std::ranges::all_of(item.extents, [&](const Extent& extent) {
           return extent.length <= file_bytes - extent.offset;
         });
}

bool IsTorn(const HeifItems& items, int64_t file_bytes) {
  std::vector<Extent> extents = {{items.offset, static_cast<int64_t>(items.bytes.size())}};
  for (const auto& [id, item] : items.items) {
    if (!item.is_in_box) {
      extents.insert(extents.end(), item.extents.begin(), item.extents.end());
    }
  }
  return IsCutWithin(extents, file_bytes);
}

/// The items that are the tiles of a picture, in order. Empty for one that is no grid.
std::vector<uint32_t> TilesOf(const HeifItems& items) {
  const auto found = std::ranges::find_if(items.references, [&](const HeifReference& reference) {
    return reference.kind == "dimg" && reference.from == items.primary;
  });
  return found == items.references.end() ? std::vector<uint32_t>() : found->to;
}

// What a grid says of itself, a few bytes; empty when they are missing.
std::string ReadGridItem(int input, const HeifItems& items) {
  constexpr int64_t kBytes = 8;
  const HeifItem* const grid = items.Find(items.primary);
  if (grid == nullptr || grid->extents.size() != 1 || grid->extents[0].length < kBytes) {
    return "";
  }
  const int64_t offset = grid->extents[0].offset;
  if (grid->is_in_box) {
    return offset + kBytes <= static_cast<int64_t>(items.data.size())
               ? items.data.substr(static_cast<size_t>(offset), kBytes)
               : "";
  }
  std::string bytes(kBytes, '\0');
  return ::pread(input, bytes.data(), bytes.size(), offset) == kBytes ? bytes : "";
}

// Without `there`. Nothing when the file makes no sense.
std::optional<TileGrid> ReadGrid(int input, const HeifItems& items, size_t tiles) {
  constexpr uint32_t kSideMax = 1 << 16;
  const std::string said = ReadGridItem(input, items);
  const HeifItem* const tile = items.Find(TilesOf(items).front());
  const auto size = tile == nullptr ? std::nullopt : items.FindProperty(*tile, "ispe");
  if (said.empty() || !size || size->contents.size() < 12) {
    return std::nullopt;
  }
  const uint32_t width = BigEndian(size->contents, 4, 4);
  const uint32_t height = BigEndian(size->contents, 8, 4);
  const TileGrid grid = {.columns = static_cast<int32_t>(BigEndian(said, 3, 1) + 1),
                         .rows = static_cast<int32_t>(BigEndian(said, 2, 1) + 1),
                         .tile_width = static_cast<int32_t>(width),
                         .tile_height = static_cast<int32_t>(height)};
  if (std::min(width, height) == 0 || std::max(width, height) > kSideMax ||
      static_cast<size_t>(grid.columns) * static_cast<size_t>(grid.rows) != tiles) {
    return std::nullopt;
  }
  return grid;
}

// Makes an item that is missing another one. False when its place is written in another way.
bool StandIn(const HeifItem& other, const HeifItem& missing, std::string& meta) {
  const bool alike = missing.extents.size() == 1 && other.extents.size() == 1 &&
                     !missing.is_in_box && !other.is_in_box && missing.offset_bytes >= 4 &&
                     missing.length_bytes >= 4 && missing.base_offset <= other.extents[0].offset;
  if (alike) {
    const auto offset = static_cast<uint64_t>(other.extents[0].offset - missing.base_offset);
    WriteBigEndian(offset, missing.offset_at, missing.offset_bytes, meta);
    WriteBigEndian(static_cast<uint64_t>(other.extents[0].length), missing.length_at,
                   missing.length_bytes, meta);
  }
  return alike;
}

// Tells of each tile whether it is there, and has the first that is stand in for the others.
bool MendTiles(const HeifItems& items, int64_t file_bytes, TileGrid& grid, std::string& meta) {
  std::vector<const HeifItem*> tiles;
  const HeifItem* whole = nullptr;
  for (const uint32_t id : TilesOf(items)) {
    tiles.push_back(items.Find(id));
    if (tiles.back() == nullptr) {
      return false;
    }
    grid.there.push_back(IsThere(*tiles.back(), file_bytes));
    whole = whole == nullptr && grid.there.back() ? tiles.back() : whole;
  }
  for (size_t i = 0; i < tiles.size(); ++i) {
    if (whole == nullptr || (!grid.there[i] && !StandIn(*whole, *tiles[i], meta))) {
      return false;
    }
  }
  return true;
}

// Items at its end, such as transparency, are not looked for when they are not all there.
void LeaveOutTorn(const HeifItems& items, int64_t file_bytes, std::string& meta) {
  for (const HeifReference& reference : items.references) {
    const HeifItem* const from = items.Find(reference.from);
    if (reference.kind == "auxl" && from != nullptr && !IsThere(*from, file_bytes)) {
      meta.replace(reference.kind_at, 4, "free");
    }
  }
}

// Pixels as they are stored end at a row, others anywhere. A mirrored picture is left as it is:
// that of phones is mirrored from left to right.
int TakeTurnsOut(const HeifItems& items, std::string& meta) {
  const HeifItem* const primary = items.Find(items.primary);
  const auto turn = primary == nullptr ? std::nullopt : items.FindProperty(*primary, "irot");
  if (!turn || turn->contents.empty() || items.FindProperty(*primary, "imir")) {
    return 0;
  }
  meta[turn->at] = 0;
  return turn->contents[0] & 3;
}

}  // namespace

std::optional<MendedFile> MendHeif(int input) {
  const int64_t file_bytes = ::lseek(input, 0, SEEK_END);
  const auto items = ReadHeifItems(input);
  if (!items || items->end > kBytesMax || !IsTorn(*items, file_bytes)) {
    return std::nullopt;
  }
  std::string meta = items->bytes;
  LeaveOutTorn(*items, file_bytes, meta);
  MendedFile mended = {.file = {.input = input, .length = items->end},
                       .quarter_turns = TakeTurnsOut(*items, meta)};
  if (const size_t tiles = TilesOf(*items).size(); tiles > 0) {
    mended.tiles = ReadGrid(input, *items, tiles);
    if (!mended.tiles || !MendTiles(*items, file_bytes, *mended.tiles, meta)) {
      return std::nullopt;
    }
  } else {
    mended.decodes_filler = true;
  }
  mended.file.patches.push_back({items->offset, std::move(meta)});
  return mended;
}

}  // namespace tintype::darkroom
