#include "base/random.h"

#include <sys/random.h>

namespace tintype {

std::string RandomBytes(size_t count) {
  std::string bytes(count, '\0');
  size_t filled = 0;
  while (filled < count) {
    const ssize_t got = getrandom(bytes.data() + filled, count - filled, 0);
    // Fails only when interrupted by a signal, before it returned anything.
    filled += got > 0 ? static_cast<size_t>(got) : 0;
  }
  return bytes;
}

std::string RandomUuid() {
  std::string bytes = RandomBytes(16);
  bytes[6] = static_cast<char>((bytes[6] & 0x0F) | 0x40);
  bytes[8] = static_cast<char>((bytes[8] & 0x3F) | 0x80);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) {
      text.push_back('-');
    }
    text.push_back(kDigits[static_cast<unsigned char>(bytes[i]) >> 4]);
    text.push_back(kDigits[static_cast<unsigned char>(bytes[i]) & 0x0F]);
  }
  return text;
}

}  // namespace tintype
