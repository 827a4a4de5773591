#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace tintype::crypto {

/// A key of 256 bits: a master key, a data key or the key of one file. Its memory is overwritten
/// when it goes; copies are as secret as the original.
class SecretKey {
 public:
  static constexpr size_t kBytes = 32;

  /// From the operating system's generator.
  static SecretKey Random();

  /// Nothing unless there are exactly kBytes.
  static std::optional<SecretKey> FromBytes(std::string_view bytes);

  SecretKey(const SecretKey&) = default;
  SecretKey& operator=(const SecretKey&) = default;
  ~SecretKey();

  std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }
  bool operator==(const SecretKey& other) const = default;

 private:
  SecretKey() = default;

  std::array<char, kBytes> bytes_{};
};

/// A key derived from another (HkdfSha256): `info` says what it is for.
SecretKey DeriveSecretKey(const SecretKey& key, std::string_view salt, std::string_view info);

/// Two at once.
std::pair<SecretKey, SecretKey> DeriveSecretKeys(const SecretKey& key, std::string_view salt,
                                                 std::string_view info);

}  // namespace tintype::crypto
