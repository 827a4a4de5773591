#include "tables/engine/change_record.h"

#include <limits>

namespace tintype::tables::engine {
namespace {

constexpr char kVersion = 1;
constexpr uint8_t kHasOld = 1;
constexpr uint8_t kHasNew = 2;
constexpr uint8_t kShards = 4;

Error Damaged() { return Error::Corruption("A record of the change log is damaged"); }

void AppendItem(std::string& out, const Item& item) {
  AppendVarint(out, item.payload().size());
  out.append(item.payload());
}

Result<Item> ReadItem(std::string_view& in) {
  const std::optional<uint64_t> length = ReadVarint(in);
  if (!length || *length > in.size()) {
    return Damaged();
  }
  const std::string_view payload = in.substr(0, *length);
  in.remove_prefix(*length);
  RETURN_IF_ERROR(CheckEncodedItem(payload));
  return Item(std::string(payload));
}

}  // namespace

std::string ChangeRecord::EncodeKey() const {
  std::string out;
  AppendBigEndian64(out, position);
  return out;
}

std::string ChangeRecord::EncodeValue() const {
  std::string out(1, kVersion);
  AppendVarint(out, static_cast<uint64_t>(time_ms));
  AppendVarint(out, table);
  out.push_back(static_cast<char>(shard));
  out.push_back(static_cast<char>(origin));
  out.push_back(static_cast<char>((old_image ? kHasOld : 0) | (new_image ? kHasNew : 0)));
  AppendItem(out, key);
  if (old_image) {
    AppendItem(out, *old_image);
  }
  if (new_image) {
    AppendItem(out, *new_image);
  }
  return out;
}

Result<int64_t> ChangeRecord::DecodeTime(std::string_view value) {
  if (value.empty() || value[0] != kVersion) {
    return Damaged();
  }
  value.remove_prefix(1);
  const std::optional<uint64_t> time = ReadVarint(value);
  if (!time) {
    return Damaged();
  }
  return static_cast<int64_t>(*time);
}

Result<ChangeRecord> ChangeRecord::Decode(std::string_view key, std::string_view value) {
  if (key.size() != 8 || value.empty() || value[0] != kVersion) {
    return Damaged();
  }
  ChangeRecord record;
  record.position = ReadBigEndian64(key);
  value.remove_prefix(1);
  const std::optional<uint64_t> time = ReadVarint(value);
  const std::optional<uint64_t> table = ReadVarint(value);
  if (!time || !table || *table > std::numeric_limits<TableId>::max() || value.size() < 3) {
    return Damaged();
  }
  record.time_ms = static_cast<int64_t>(*time);
  record.table = static_cast<TableId>(*table);
  record.shard = static_cast<uint8_t>(value[0]);
  record.origin = static_cast<ChangeOrigin>(value[1]);
  const auto flags = static_cast<uint8_t>(value[2]);
  value.remove_prefix(3);
  if (record.shard >= kShards || record.origin > ChangeOrigin::kExpiry ||
      (flags & ~(kHasOld | kHasNew)) != 0) {
    return Damaged();
  }
  ASSIGN_OR_RETURN(record.key, ReadItem(value));
  if ((flags & kHasOld) != 0) {
    ASSIGN_OR_RETURN(record.old_image, ReadItem(value));
  }
  if ((flags & kHasNew) != 0) {
    ASSIGN_OR_RETURN(record.new_image, ReadItem(value));
  }
  if (!value.empty()) {
    return Damaged();
  }
  return record;
}

uint8_t ShardOf(std::string_view data_key) {
  CHECK(data_key.size() > kKeyPrefixBytes);
  return static_cast<uint8_t>(static_cast<uint8_t>(data_key[kKeyPrefixBytes]) >> 6);
}

}  // namespace tintype::tables::engine
