#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tintype::tables::engine {

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

constexpr size_t kFingerprintBytes = 8;

/// What a master key is called in files; nothing about the key follows from it.
std::string FingerprintBytes(const SecretKey& master);

/// The same in messages, in hexadecimal digits.
std::string Fingerprint(const SecretKey& master);

}  // namespace tintype::tables::engine
