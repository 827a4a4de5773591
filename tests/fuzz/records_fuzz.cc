// What else the engine reads back and checks: records of the change log and stored descriptions of
// tables. Arbitrary bytes are refused as damaged or give something that is stored as it was read.

#include <cstdint>
#include <string>

#include "base/check.h"
#include "input.h"
#include "tables/engine/changes/change_record.h"
#include "tables/engine/registry/table_info.h"

namespace tintype::tables::engine {
namespace {

void CheckRecord(std::string_view key, std::string_view value) {
  const Result<ChangeRecord> record = ChangeRecord::Decode(key, value);
  if (!record.ok()) {
    CHECK(record.error().kind() == ErrorKind::kCorruption);
    return;
  }
  CHECK(record->at.Encode() == key);
  CHECK(record->key || record->old_image || record->new_image);
}

void CheckTable(std::string_view stored) {
  if (!CheckEncodedItem(stored).ok()) {
    return;
  }
  const Result<TableInfo> table = TableInfo::FromStored(MapView(stored));
  if (!table.ok()) {
    CHECK(table.error().kind() == ErrorKind::kCorruption);
    return;
  }
  // Not all that is read is kept (unknown attributes are not), but what is kept stays.
  const Item once = table->ToStored();
  CHECK(CheckEncodedItem(once.payload()).ok());
  const Result<TableInfo> again = TableInfo::FromStored(once.view());
  CHECK(again.ok());
  CHECK(again->ToStored() == once);
}

}  // namespace
}  // namespace tintype::tables::engine

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tintype::fuzz::Input input(data, size);
  const bool is_table = input.Byte() % 2 == 0;
  if (is_table) {
    tintype::tables::engine::CheckTable(std::string(input.Rest()));
  } else {
    const std::string key(input.Bytes(14));
    tintype::tables::engine::CheckRecord(key, std::string(input.Rest()));
  }
  return 0;
}
