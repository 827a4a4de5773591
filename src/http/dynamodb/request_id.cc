#include "http/dynamodb/request_id.h"

#include <random>

namespace tintype::http::dynamodb {

std::string NewRequestId() {
  static thread_local std::mt19937_64 random = [] {
    std::random_device device;
    std::seed_seq seed{device(), device(), device(), device()};
    return std::mt19937_64(seed);
  }();
  static constexpr char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
  constexpr size_t kLength = 52;
  constexpr size_t kDigitsPerNumber = 12;
  std::string id(kLength, '0');
  uint64_t bits = 0;
  for (size_t i = 0; i < kLength; ++i) {
    if (i % kDigitsPerNumber == 0) {
      bits = random();
    }
    id[i] = kDigits[bits & 31];
    bits >>= 5;
  }
  return id;
}

}  // namespace tintype::http::dynamodb
