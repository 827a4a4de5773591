#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace tintype::crypto {

enum class DigestKind { kMd5, kSha1, kSha256 };

/// A digest of bytes that pass by. Not thread-safe.
class Digest {
 public:
  explicit Digest(DigestKind kind);
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;
  ~Digest();

  void Update(std::string_view piece);
  /// The digest of everything so far, as bytes; more may follow.
  std::string Value() const;

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// 16 bytes.
std::string Md5(std::string_view bytes);

using Sha256Digest = std::array<unsigned char, 32>;
Sha256Digest Sha256(std::string_view bytes);
/// In lower-case hexadecimal.
std::string Sha256Hex(std::string_view bytes);

/// RFC 2104 with SHA-256.
Sha256Digest HmacSha256(std::string_view key, std::string_view text);

/// `length` bytes derived from a key (RFC 5869) with SHA-256. `info` says what they are for.
std::string HkdfSha256(std::string_view key, std::string_view salt, std::string_view info,
                       size_t length);

/// Whether two texts are equal, in a time that does not tell where they differ.
bool EqualInConstantTime(std::string_view a, std::string_view b);

/// The bytes of a digest as text.
inline std::string_view Bytes(const Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace tintype::crypto
