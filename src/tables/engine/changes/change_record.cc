#include "tables/engine/changes/change_record.h"

#include <array>

#include "base/check.h"
#include "tables/engine/storage/record.h"

namespace tintype::tables::engine {
namespace {

// The first byte of a record's value.
constexpr int kEventBits = 0x03;
constexpr int kOriginShift = 2;
constexpr int kOriginBits = 0x03;
constexpr int kHasOld = 0x10;
constexpr int kHasNew = 0x20;
constexpr int kUnused = 0xC0;

constexpr size_t kPeriodBytes = 3;
constexpr size_t kWithinPeriodBytes = 6;
constexpr size_t kLogKeyBytes = kPeriodBytes + sizeof(TableId) + 1 + kWithinPeriodBytes;

Error Damaged() { return Error::Corruption("A record of the change log is damaged"); }

void AppendBigEndian(std::string& out, uint64_t number, size_t bytes) {
  for (size_t i = bytes; i-- > 0;) {
    out.push_back(static_cast<char>(number >> (8 * i)));
  }
}

uint64_t ReadBigEndian(std::string_view in) {
  uint64_t number = 0;
  for (const char c : in) {
    number = number << 8 | static_cast<uint8_t>(c);
  }
  return number;
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

uint8_t ShardOf(std::string_view data_key) {
  static_assert(kShards == 4);
  CHECK(data_key.size() > kKeyPrefixBytes);
  return static_cast<uint8_t>(static_cast<uint8_t>(data_key[kKeyPrefixBytes]) >> 6);
}

std::string LogKey::Encode() const {
  std::string out;
  out.reserve(kLogKeyBytes);
  AppendBigEndian(out, PeriodOf(position), kPeriodBytes);
  AppendBigEndian32(out, table);
  out.push_back(static_cast<char>(shard));
  AppendBigEndian(out, position & kPeriodMask, kWithinPeriodBytes);
  return out;
}

std::optional<LogKey> LogKey::Decode(std::string_view key) {
  if (key.size() != kLogKeyBytes) {
    return std::nullopt;
  }
  LogKey decoded;
  const uint64_t period = ReadBigEndian(key.substr(0, kPeriodBytes));
  decoded.table = static_cast<TableId>(ReadBigEndian(key.substr(kPeriodBytes, sizeof(TableId))));
  decoded.shard = static_cast<uint8_t>(key[kPeriodBytes + sizeof(TableId)]);
  const uint64_t within = ReadBigEndian(key.substr(kLogKeyBytes - kWithinPeriodBytes));
  decoded.position = period << kPeriodBits | within;
  if (decoded.shard >= kShards || within >> kPeriodBits != 0 || period >> (64 - kPeriodBits) != 0) {
    return std::nullopt;
  }
  return decoded;
}

Item ChangeRecord::KeyOf(const KeySchema& keys) const {
  return key ? *key : engine::KeyOf(keys, (new_image ? *new_image : *old_image).view());
}

Result<ChangeRecord> ChangeRecord::Decode(std::string_view key, std::string_view value) {
  const std::optional<LogKey> at = LogKey::Decode(key);
  if (!at || value.empty()) {
    return Damaged();
  }
  const int header = static_cast<uint8_t>(value[0]);
  const int event = header & kEventBits;
  const int origin = header >> kOriginShift & kOriginBits;
  if (event > static_cast<int>(ChangeEvent::kRemove) ||
      origin > static_cast<int>(ChangeOrigin::kExpiry) || (header & kUnused) != 0) {
    return Damaged();
  }
  ChangeRecord record;
  record.at = *at;
  record.event = static_cast<ChangeEvent>(event);
  record.origin = static_cast<ChangeOrigin>(origin);
  value.remove_prefix(1);
  if ((header & (kHasOld | kHasNew)) == 0) {
    ASSIGN_OR_RETURN(record.key, ReadItem(value));
  }
  if ((header & kHasOld) != 0) {
    ASSIGN_OR_RETURN(record.old_image, ReadItem(value));
  }
  if ((header & kHasNew) != 0) {
    ASSIGN_OR_RETURN(record.new_image, ReadItem(value));
  }
  if (!value.empty()) {
    return Damaged();
  }
  return record;
}

void PutChangeRecord(rocksdb::WriteBatch& batch, rocksdb::ColumnFamilyHandle* family,
                     const LogKey& at, ChangeOrigin origin, LoggedImages images,
                     const KeySchema& keys, const std::optional<Item>& old_item,
                     const std::optional<Item>& new_item) {
  const ChangeEvent event = !old_item   ? ChangeEvent::kInsert
                            : !new_item ? ChangeEvent::kRemove
                                        : ChangeEvent::kModify;
  const bool has_old = images.old_image && old_item;
  const bool has_new = images.new_image && new_item;
  std::string header(
      1, static_cast<char>(static_cast<int>(event) | static_cast<int>(origin) << kOriginShift |
                           (has_old ? kHasOld : 0) | (has_new ? kHasNew : 0)));
  // The items are not copied on their way into the batch.
  std::array<rocksdb::Slice, 4> parts;
  size_t count = 0;
  std::string between;
  std::optional<Item> key;
  const auto add = [&](std::string& before, const Item& item) {
    AppendVarint(before, item.payload().size());
    parts[count++] = before;
    parts[count++] = item.payload();
  };
  if (has_old) {
    add(header, *old_item);
  }
  if (has_new) {
    add(has_old ? between : header, *new_item);
  }
  if (count == 0) {
    key = KeyOf(keys, (new_item ? *new_item : *old_item).view());
    add(header, *key);
  }
  const std::string log_key = at.Encode();
  const rocksdb::Slice key_part = log_key;
  batch
      .Put(family, rocksdb::SliceParts(&key_part, 1),
           rocksdb::SliceParts(parts.data(), static_cast<int>(count)))
      .PermitUncheckedError();
}

}  // namespace tintype::tables::engine
