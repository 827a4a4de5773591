#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tintype::crypto {

/// A key of 256 bits: a master key, a data key or the key of one file. It lies in memory that is
/// not written to swap or into core files, as far as the system allows (KeyMemory), and that is
/// overwritten when it goes; copies are as secret as the original.
class SecretKey {
 public:
  static constexpr size_t kBytes = 32;

  /// From the operating system's generator.
  static SecretKey Random();

  /// Nothing unless there are exactly kBytes.
  static std::optional<SecretKey> FromBytes(std::string_view bytes);

  // Moving copies: there is no key that holds nothing.
  SecretKey(const SecretKey& other) : SecretKey(other.bytes()) {}
  SecretKey& operator=(const SecretKey& other);
  ~SecretKey();

  std::string_view bytes() const { return {bytes_, kBytes}; }
  /// In constant time.
  bool operator==(const SecretKey& other) const;

 private:
  explicit SecretKey(std::string_view bytes);

  char* const bytes_;
};

/// Overwrites a text that holds a key when the scope ends. Null for none.
class WipedAtEnd {
 public:
  explicit WipedAtEnd(std::string* text) : text_(text) {}
  ~WipedAtEnd();
  WipedAtEnd(const WipedAtEnd&) = delete;
  WipedAtEnd& operator=(const WipedAtEnd&) = delete;

 private:
  std::string* const text_;
};

/// What the system allows for the memory of keys.
enum class KeyMemory {
  kLocked,    ///< It is never written to swap.
  kSwappable  ///< The limit of locked memory (RLIMIT_MEMLOCK) is too low.
};
KeyMemory KeyMemoryOfProcess();

/// A key derived from another (HkdfSha256): `info` says what it is for.
SecretKey DeriveSecretKey(const SecretKey& key, std::string_view salt, std::string_view info);

/// Two at once.
std::pair<SecretKey, SecretKey> DeriveSecretKeys(const SecretKey& key, std::string_view salt,
                                                 std::string_view info);

}  // namespace tintype::crypto
