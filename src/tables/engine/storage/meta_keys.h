#pragma once

#include <string>
#include <string_view>

#include "tables/engine/storage/key_codec.h"

/// Keys of the `meta` column family, by their first byte. docs/formats/meta.md.
namespace tintype::tables::engine::meta {

inline constexpr char kTable = 'T';     // name -> description of the table
inline constexpr char kTotals = 'S';    // table, index -> how many items and bytes
inline constexpr char kBackfill = 'B';  // table, index -> last key of the table that was indexed
inline constexpr char kToken = 'I';     // expiry, token -> digest of the transaction's parameters
inline constexpr char kNextTableId = 'N';    // -> the id that the next table gets
inline constexpr char kLastPosition = 'P';   // -> the last position of the change log
inline constexpr char kRetiredStream = 'R';  // first position -> a stream that is disabled
inline constexpr char kBackup = 'K';         // id -> a backup of a table
inline constexpr char kRecord = 'A';  // name -> a record of the program, such as an access key

inline std::string TableKey(std::string_view name) {
  std::string key(1, kTable);
  key.append(name);
  return key;
}

inline std::string IndexKey(char kind, TableId table, IndexId index) {
  std::string key(1, kind);
  AppendKeyPrefix(key, table, index);
  return key;
}

inline std::string PositionKey(char kind, uint64_t position) {
  std::string key(1, kind);
  AppendBigEndian64(key, position);
  return key;
}

inline std::string TokenKey(int64_t expires_ms, std::string_view token) {
  std::string key(1, kToken);
  AppendBigEndian64(key, static_cast<uint64_t>(expires_ms));
  key.append(token);
  return key;
}

}  // namespace tintype::tables::engine::meta
