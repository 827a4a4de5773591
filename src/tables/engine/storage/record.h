#pragma once

#include <rocksdb/slice.h>
#include <rocksdb/write_batch.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "tables/language/schema.h"
#include "tables/language/values/value.h"

namespace tintype::tables::engine {

/// What a key of the `data` column family holds: an item, or what an index projects of one, and its
/// size as DynamoDB counts it. Limits and capacity are about that size, so it is kept rather than
/// counted anew by every read. docs/formats/keys.md.
struct Record {
  size_t size_bytes = 0;
  MapView item;  // Points into the bytes that were decoded.

  /// REQUIRES: `stored` was written by PutRecord.
  static Record Decode(std::string_view stored) {
    const size_t size_bytes = tables::internal::ReadLength(stored);
    return {size_bytes, MapView(stored)};
  }
};

inline void PutRecord(rocksdb::WriteBatch& batch, rocksdb::ColumnFamilyHandle* family,
                      const std::string& key, size_t size_bytes, const std::string& payload) {
  std::string size;
  AppendVarint(size, size_bytes);
  const rocksdb::Slice key_parts[] = {key};
  const rocksdb::Slice value_parts[] = {size, payload};
  batch.Put(family, rocksdb::SliceParts(key_parts, 1), rocksdb::SliceParts(value_parts, 2))
      .PermitUncheckedError();
}

/// The item restricted to its key attributes. REQUIRES: it has them.
inline Item KeyOf(const KeySchema& keys, MapView item) {
  std::vector<std::pair<std::string, Value>> entries;
  for (const std::string& name : keys.All()) {
    const std::optional<ValueView> value = item.Find(name);
    CHECK(value);
    entries.emplace_back(name, Value::Copy(*value));
  }
  return Item::Of(std::move(entries));
}

}  // namespace tintype::tables::engine
