#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "darkroom/imaging/torn/torn_picture.h"

namespace tintype::darkroom {

/// One of the things that a HEIC or AVIF file holds.
struct HeifItem {
  /// Where its bytes are: in the file, or within the box `idat`.
  bool is_in_box = false;
  std::vector<Extent> extents = {};
  /// Where in HeifItems::bytes the offset and the length of its first extent are written, and with
  /// how many bytes each.
  size_t offset_at = 0;
  size_t length_at = 0;
  size_t offset_bytes = 0;
  size_t length_bytes = 0;
  /// What the offset that is written there counts from.
  int64_t base_offset = 0;
  /// Places of the boxes that describe it.
  std::vector<size_t> properties = {};
};

/// A reference of one item to others.
struct HeifReference {
  std::string kind = {};
  size_t kind_at = 0;
  uint32_t from = 0;
  std::vector<uint32_t> to = {};
};

/// What the box `meta` says, as far as it takes to find the pieces of a picture. Places are within
/// `bytes`.
struct HeifItems {
  /// The box itself, and where it is.
  std::string bytes;
  int64_t offset = 0;
  /// The end of the file by what its boxes and items say.
  int64_t end = 0;
  uint32_t primary = 0;
  std::map<uint32_t, HeifItem> items;
  std::vector<HeifReference> references;
  /// The contents of the box `idat`.
  std::string data;

  const HeifItem* Find(uint32_t id) const;
  /// The contents of a property of that kind, such as "ispe", and where they are. Nothing when the
  /// item has none.
  struct Property {
    size_t at = 0;
    std::string contents = {};
  };
  std::optional<Property> FindProperty(const HeifItem& item, std::string_view kind) const;
};

/// Nothing when the box is not in the file whole, or makes no sense. Reads by position.
std::optional<HeifItems> ReadHeifItems(int input);

}  // namespace tintype::darkroom
