#include "tables/engine/rows/expiry_index.h"

#include <array>
#include <charconv>

namespace tintype::tables::engine {

std::optional<int64_t> ExpirySeconds(MapView item, std::string_view attribute) {
  const std::optional<ValueView> value = item.Find(attribute);
  if (!value || value->type() != Type::kNumber) {
    return std::nullopt;
  }
  std::array<char, Number::kTextBytes> text;
  const char* const end = text.data() + Number::FormatStored(value->payload(), text.data());
  int64_t seconds = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, seconds);
  if (error != std::errc() || (rest != end && *rest != '.') || seconds <= 0) {
    return std::nullopt;
  }
  return seconds;
}

std::string EncodeExpiryKey(TableId table, int64_t seconds, std::string_view data_key) {
  std::string key;
  key.reserve(data_key.size() + kExpirySecondsBytes);
  AppendKeyPrefix(key, table, kExpiryIndex);
  AppendBigEndian64(key, static_cast<uint64_t>(seconds));
  key.append(data_key.substr(kKeyPrefixBytes));
  return key;
}

}  // namespace tintype::tables::engine
