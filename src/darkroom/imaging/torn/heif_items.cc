#include "darkroom/imaging/torn/heif_items.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace tintype::darkroom {
namespace {

// Ends are sums of a few of these at most.
constexpr uint64_t kOffsetMax = uint64_t{1} << 60;

/// Reads big-endian numbers one after the other. Once there are none left, all are 0.
class Cursor {
 public:
  Cursor(std::string_view bytes, size_t begin, size_t end)
      : bytes_(bytes), at_(begin), end_(std::min(end, bytes.size())) {}

  uint64_t Number(size_t count) {
    if (failed_ || count > end_ - at_) {
      failed_ = true;
      return 0;
    }
    uint64_t number = 0;
    for (size_t i = 0; i < count; ++i) {
      number = number << 8 | static_cast<unsigned char>(bytes_[at_ + i]);
    }
    at_ += count;
    return number;
  }
  std::string_view Text(size_t count) {
    const size_t begin = at_;
    Skip(count);
    return failed_ ? std::string_view() : bytes_.substr(begin, count);
  }
  void Skip(size_t count) {
    failed_ = failed_ || count > end_ - at_;
    at_ += failed_ ? 0 : count;
  }

  size_t at() const { return at_; }
  bool failed() const { return failed_; }
  bool done() const { return failed_ || at_ == end_; }

 private:
  std::string_view bytes_;
  size_t at_;
  size_t end_;
  bool failed_ = false;
};

/// A box within another one.
struct Box {
  std::string_view kind;
  size_t at = 0;
  size_t begin = 0;  // Of its contents.
  size_t end = 0;
};

std::vector<Box> BoxesOf(std::string_view bytes, size_t begin, size_t end) {
  constexpr size_t kBoxesMax = 10'000;
  std::vector<Box> boxes;
  while (boxes.size() < kBoxesMax && begin + 8 <= end) {
    Cursor cursor(bytes, begin, end);
    const uint64_t size = cursor.Number(4);
    const std::string_view kind = cursor.Text(4);
    if (cursor.failed() || size < 8 || size > end - begin) {
      break;
    }
    boxes.push_back({kind, begin, cursor.at(), begin + static_cast<size_t>(size)});
    begin += static_cast<size_t>(size);
  }
  return boxes;
}

bool ReadLocations(const Box& box, HeifItems& items) {
  constexpr uint64_t kExtentsMax = 1000;
  Cursor cursor(items.bytes, box.begin, box.end);
  const uint64_t version = cursor.Number(4) >> 24;
  const uint64_t sizes = cursor.Number(2);
  const size_t offset_bytes = sizes >> 12;
  const size_t length_bytes = sizes >> 8 & 15;
  const size_t base_bytes = sizes >> 4 & 15;
  const size_t index_bytes = version == 0 ? 0 : sizes & 15;
  if (std::max({offset_bytes, length_bytes, base_bytes, index_bytes}) > 8) {
    return false;
  }
  const uint64_t count = cursor.Number(version < 2 ? 2 : 4);
  for (uint64_t i = 0; i < count && !cursor.failed(); ++i) {
    const auto id = static_cast<uint32_t>(cursor.Number(version < 2 ? 2 : 4));
    HeifItem item = {.offset_bytes = offset_bytes, .length_bytes = length_bytes};
    item.is_in_box = version > 0 && (cursor.Number(2) & 15) == 1;
    cursor.Skip(2);
    const uint64_t base = cursor.Number(base_bytes);
    const uint64_t extents = cursor.Number(2);
    if (extents > kExtentsMax || base > kOffsetMax) {
      return false;
    }
    item.base_offset = static_cast<int64_t>(base);
    for (uint64_t k = 0; k < extents && !cursor.failed(); ++k) {
      cursor.Skip(index_bytes);
      item.offset_at = k == 0 ? cursor.at() : item.offset_at;
      const uint64_t offset = cursor.Number(offset_bytes);
      item.length_at = k == 0 ? cursor.at() : item.length_at;
      const uint64_t length = cursor.Number(length_bytes);
      item.extents.push_back({static_cast<int64_t>(base + std::min(offset, kOffsetMax)),
                              static_cast<int64_t>(std::min(length, kOffsetMax))});
    }
    items.items[id] = std::move(item);
  }
  return !cursor.failed();
}

void ReadReferences(const Box& box, HeifItems& items) {
  Cursor head(items.bytes, box.begin, box.end);
  const size_t id_bytes = head.Number(4) >> 24 == 0 ? 2 : 4;
  for (const Box& child : BoxesOf(items.bytes, head.at(), box.end)) {
    Cursor cursor(items.bytes, child.begin, child.end);
    HeifReference reference = {.kind = std::string(child.kind), .kind_at = child.at + 4};
    reference.from = static_cast<uint32_t>(cursor.Number(id_bytes));
    const uint64_t count = cursor.Number(2);
    for (uint64_t i = 0; i < count && !cursor.failed(); ++i) {
      reference.to.push_back(static_cast<uint32_t>(cursor.Number(id_bytes)));
    }
    if (!cursor.failed()) {
      items.references.push_back(std::move(reference));
    }
  }
}

// Which of the properties, by their number from 1, are those of which item.
void ReadAssociations(const Box& box, const std::vector<Box>& properties, HeifItems& items) {
  Cursor cursor(items.bytes, box.begin, box.end);
  const uint64_t head = cursor.Number(4);
  const size_t id_bytes = head >> 24 == 0 ? 2 : 4;
  const size_t index_bytes = (head & 1) == 0 ? 1 : 2;
  const uint64_t index_mask = index_bytes == 1 ? 0x7F : 0x7FFF;
  const uint64_t count = cursor.Number(4);
  for (uint64_t i = 0; i < count && !cursor.failed(); ++i) {
    const auto item = items.items.find(static_cast<uint32_t>(cursor.Number(id_bytes)));
    const uint64_t associations = cursor.Number(1);
    for (uint64_t k = 0; k < associations && !cursor.failed(); ++k) {
      const uint64_t index = cursor.Number(index_bytes) & index_mask;
      if (item != items.items.end() && index > 0 && index <= properties.size()) {
        item->second.properties.push_back(properties[index - 1].at);
      }
    }
  }
}

void ReadProperties(const Box& box, HeifItems& items) {
  std::vector<Box> properties;
  for (const Box& child : BoxesOf(items.bytes, box.begin, box.end)) {
    if (child.kind == "ipco") {
      properties = BoxesOf(items.bytes, child.begin, child.end);
    } else if (child.kind == "ipma") {
      ReadAssociations(child, properties, items);
    }
  }
}

// Fills `items` from the box that it holds. The locations are read before what refers to items.
bool ReadMeta(HeifItems& items) {
  const std::vector<Box> boxes = BoxesOf(items.bytes, 8 + 4, items.bytes.size());
  const auto find = [&](std::string_view kind) -> const Box* {
    const auto found = std::ranges::find(boxes, kind, &Box::kind);
    return found == boxes.end() ? nullptr : &*found;
  };
  const Box* const primary = find("pitm");
  const Box* const locations = find("iloc");
  if (primary == nullptr || locations == nullptr || !ReadLocations(*locations, items)) {
    return false;
  }
  Cursor cursor(items.bytes, primary->begin, primary->end);
  const size_t id_bytes = cursor.Number(4) >> 24 == 0 ? 2 : 4;
  items.primary = static_cast<uint32_t>(cursor.Number(id_bytes));
  if (const Box* const references = find("iref")) {
    ReadReferences(*references, items);
  }
  if (const Box* const properties = find("iprp")) {
    ReadProperties(*properties, items);
  }
  if (const Box* const data = find("idat")) {
    items.data = items.bytes.substr(data->begin, data->end - data->begin);
  }
  return !cursor.failed();
}

// Finds the box `meta` among those of the file, and where the file should end.
bool FindMeta(int input, HeifItems& items) {
  constexpr uint64_t kMetaBytesMax = uint64_t{4} << 20;
  constexpr int kBoxesMax = 100;
  const int64_t file_bytes = ::lseek(input, 0, SEEK_END);
  int64_t offset = 0;
  for (int i = 0; i < kBoxesMax && offset < file_bytes; ++i) {
    std::string head(16, '\0');
    if (::pread(input, head.data(), head.size(), offset) < 8) {
      break;
    }
    Cursor cursor(head, 0, head.size());
    uint64_t size = cursor.Number(4);
    const std::string kind(cursor.Text(4));
    size = size == 1 ? cursor.Number(8) : size;
    if (size < 8 || size > kOffsetMax) {
      break;
    }
    if (kind == "meta" && items.bytes.empty()) {
      if (size > kMetaBytesMax || static_cast<int64_t>(size) > file_bytes - offset) {
        return false;
      }
      items.bytes.resize(static_cast<size_t>(size));
      items.offset = offset;
      if (::pread(input, items.bytes.data(), items.bytes.size(), offset) !=
          static_cast<ssize_t>(size)) {
        return false;
      }
    }
    offset += static_cast<int64_t>(size);
  }
  items.end = std::max(offset, file_bytes);
  return items.bytes.size() > 12;
}

}  // namespace

const HeifItem* HeifItems::Find(uint32_t id) const {
  const auto found = items.find(id);
  return found == items.end() ? nullptr : &found->second;
}

std::optional<HeifItems::Property> HeifItems::FindProperty(const HeifItem& item,
                                                           std::string_view kind) const {
  for (const size_t at : item.properties) {
    const std::vector<Box> boxes = BoxesOf(bytes, at, bytes.size());
    if (!boxes.empty() && boxes.front().kind == kind) {
      const Box& box = boxes.front();
      return Property{box.begin, bytes.substr(box.begin, box.end - box.begin)};
    }
  }
  return std::nullopt;
}

std::optional<HeifItems> ReadHeifItems(int input) {
  HeifItems items;
  if (!FindMeta(input, items) || !ReadMeta(items)) {
    return std::nullopt;
  }
  for (const auto& [id, item] : items.items) {
    for (const Extent& extent : item.extents) {
      items.end = std::max(items.end, item.is_in_box ? 0 : extent.offset + extent.length);
    }
  }
  return items;
}

}  // namespace tintype::darkroom
