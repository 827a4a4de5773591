#include "darkroom/protocol/fields.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "darkroom/protocol/clean_text.h"

namespace tintype::darkroom {

static_assert(std::endian::native == std::endian::little);

void FieldWriter::Append(uint64_t value) {
  bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void FieldWriter::Real(const double& value, double /*min*/, double /*max*/) {
  Append(std::bit_cast<uint64_t>(value));
}

void FieldWriter::Text(const std::string& value, size_t /*bytes_max*/) {
  Append(value.size());
  bytes_.append(value);
}

uint64_t FieldReader::Next() {
  uint64_t value = 0;
  if (!ok_ || rest_.size() < sizeof(value)) {
    Fail();
    return 0;
  }
  std::memcpy(&value, rest_.data(), sizeof(value));
  rest_.remove_prefix(sizeof(value));
  return value;
}

void FieldReader::Real(double& value, double min, double max) {
  const auto number = std::bit_cast<double>(Next());
  if (!std::isfinite(number) || number < min || number > max) {
    Fail();
  }
  value = ok_ ? number : 0;
}

void FieldReader::Text(std::string& value, size_t bytes_max) {
  value.clear();
  const uint64_t length = Next();
  if (!ok_ || length > bytes_max || length > rest_.size() ||
      !IsCleanUtf8(rest_.substr(0, static_cast<size_t>(length)))) {
    Fail();
    return;
  }
  value = rest_.substr(0, static_cast<size_t>(length));
  rest_.remove_prefix(static_cast<size_t>(length));
}

}  // namespace tintype::darkroom
