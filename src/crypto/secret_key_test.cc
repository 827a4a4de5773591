#include "crypto/secret_key.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace tintype::crypto {
namespace {

/// Kilobytes that this process has locked in memory.
long LockedKilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmLck:")) {
      return std::stol(line.substr(6));
    }
  }
  return -1;
}

TEST(SecretKeyTest, HasExactlySoManyBytes) {
  EXPECT_FALSE(SecretKey::FromBytes(std::string(31, 'k')));
  EXPECT_FALSE(SecretKey::FromBytes(std::string(33, 'k')));
  EXPECT_EQ(SecretKey::FromBytes(std::string(32, 'k'))->bytes(), std::string(32, 'k'));
}

TEST(SecretKeyTest, TextsOfKeysAreWiped) {
  std::string text(100, 'k');
  {
    const WipedAtEnd wiped(&text);
    const WipedAtEnd nothing(nullptr);
    EXPECT_EQ(text.front(), 'k');
  }
  EXPECT_EQ(text, std::string(100, '\0'));
}

// Proves that a copy has memory of its own, and that assigning changes one alone.
TEST(SecretKeyTest, CopiesAreTheirOwn) {
  SecretKey first = SecretKey::Random();
  const SecretKey second = first;
  EXPECT_EQ(first, second);
  EXPECT_NE(first.bytes().data(), second.bytes().data());
  first = SecretKey::Random();
  EXPECT_FALSE(first == second);
  const SecretKey& same = first;
  first = same;
  EXPECT_EQ(first, same);
}

// Proves that keys are in locked memory, unless the process may lock too little.
TEST(SecretKeyTest, LiesInLockedMemory) {
  const SecretKey key = SecretKey::Random();
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_MEMLOCK, &limit), 0);
  if (KeyMemoryOfProcess() == KeyMemory::kLocked) {
    EXPECT_GE(LockedKilobytes(), 1024);
  } else {
    EXPECT_LT(limit.rlim_cur, rlim_t{2} << 20);
  }
}

// Proves that there may be more keys than locked memory has room for.
TEST(SecretKeyTest, TakesOrdinaryMemoryForTheRest) {
  std::vector<SecretKey> keys;
  keys.reserve(50'000);
  for (int i = 0; i < 50'000; ++i) {
    keys.push_back(*SecretKey::FromBytes(std::string(32, static_cast<char>(i % 128))));
  }
  EXPECT_EQ(keys.front().bytes(), std::string(32, '\0'));
  EXPECT_EQ(keys.back().bytes(), std::string(32, static_cast<char>(49'999 % 128)));
}

}  // namespace
}  // namespace tintype::crypto
