// Item encoding: whatever CheckEncodedItem accepts can be walked, and writing what was found again,
// in another order, gives the same bytes: there is one encoding of an item. Bytes on disk are not
// checked so on every read, RocksDB's checksums vouch for them; this is the check at the edges.

#include <algorithm>
#include <cstdint>

#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "tables/language/limits.h"
#include "tables/language/values/value.h"

namespace tintype::tables {
namespace {

void Rewrite(ValueView value, ValueWriter& writer);

// Last entry first: the writer has to sort.
void RewriteEntries(MapView map, ValueWriter& writer) {
  const std::vector<MapView::Entry> entries(map.begin(), map.end());
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    const auto& [name, value] = *entry;
    const auto found = map.Find(name);
    CHECK(found && *found == value);
    writer.Name(name);
    Rewrite(value, writer);
  }
}

void Rewrite(ValueView value, ValueWriter& writer) {
  switch (value.type()) {
    case Type::kString:
      return writer.String(value.AsString());
    case Type::kBinary:
      return writer.Binary(value.AsString());
    case Type::kNumber: {
      const Result<Number> read = Number::Parse(value.AsNumber().ToString());
      CHECK(read.ok());
      CHECK(ValueSizeBytes(value) == read->SizeBytes());
      return writer.OfNumber(*read);
    }
    case Type::kBool:
      return writer.Bool(value.AsBool());
    case Type::kNull:
      return writer.Null();
    case Type::kList:
      writer.OpenList();
      for (const ValueView member : value.AsList()) {
        Rewrite(member, writer);
      }
      return writer.CloseList();
    case Type::kMap:
      writer.OpenMap();
      RewriteEntries(value.AsMap(), writer);
      return writer.CloseMap();
    default: {
      std::vector<std::string> members(value.AsSet().begin(), value.AsSet().end());
      for (const std::string& member : members) {
        CHECK(value.AsSet().Contains(member));
      }
      CHECK(members.size() == value.AsSet().size());
      std::ranges::reverse(members);
      CHECK(writer.Set(value.type(), std::move(members)).ok());
    }
  }
}

void Check(std::string_view bytes) {
  const Status checked = CheckEncodedItem(bytes);
  if (!checked.ok()) {
    CHECK(checked.error().kind() == ErrorKind::kCorruption);
    return;
  }
  const MapView item(bytes);
  size_t size = 0;
  for (const auto& [name, value] : item) {
    CHECK(NestingLevels(value) <= limits::kNestingLevels);
    size += name.size() + ValueSizeBytes(value);
  }
  CHECK(ItemSizeBytes(item) == size);
  std::string rewritten;
  ValueWriter writer(rewritten);
  writer.OpenItem();
  RewriteEntries(item, writer);
  writer.CloseItem();
  CHECK(rewritten == bytes);
}

}  // namespace
}  // namespace tintype::tables

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // A copy of its own, so that reading past the end is seen.
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  tintype::tables::Check(bytes);
  return 0;
}
