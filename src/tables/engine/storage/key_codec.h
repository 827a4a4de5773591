#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/big_endian.h"
#include "tables/language/values/value.h"

/// Keys of the `data` column family: bytes that sort as DynamoDB sorts. docs/formats/keys.md.
///
///   table id (4) | index id (2) | partition hash (2) | hash attributes | range attributes | table
///   key
///
/// The last part is there for index entries only (index id > 0) and tells apart entries whose index
/// keys are equal. Entries of global indexes have all bytes after the hash attributes inverted, so
/// that they are stored in descending order: such an index is there to be read newest first, and
/// RocksDB reads forward a good deal faster than backward. The partition hash spreads a Scan's
/// segments evenly and decides the shard of a change record.
namespace tintype::tables::engine {

using TableId = uint32_t;
using IndexId = uint16_t;
inline constexpr IndexId kTableItself = 0;
/// Not an index that a client sees: which items expire when. Index ids end before it.
inline constexpr IndexId kExpiryIndex = 0xFFFF;
inline constexpr size_t kKeyPrefixBytes = sizeof(TableId) + sizeof(IndexId);
inline constexpr size_t kPartitionHashBytes = 2;

/// Appends one key attribute. REQUIRES: a string, number or binary.
void AppendKeyComponent(std::string& out, ValueView value);

/// Appends a string or binary so far as it goes, without its end: what every longer one starts
/// with.
void AppendKeyComponentPrefix(std::string& out, std::string_view bytes);

/// Turns the order of what follows `from` around.
void InvertBytes(std::string& key, size_t from);

void AppendKeyPrefix(std::string& out, TableId table, IndexId index);

/// The two bytes that spread partitions. `components` are the encoded hash attributes.
uint16_t PartitionHash(std::string_view components);

/// The smallest string that is larger than every string that starts with `prefix`.
/// REQUIRES: not all bytes are 0xFF.
std::string PrefixSuccessor(std::string prefix);

}  // namespace tintype::tables::engine
