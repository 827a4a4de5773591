#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tintype::crypto {

constexpr size_t kGcmKeyBytes = 32;
constexpr size_t kGcmNonceBytes = 12;
constexpr size_t kGcmTagBytes = 16;

/// AES-256-GCM: the encrypted text followed by the tag, which also covers `header`. A nonce is used
/// once with a key. REQUIRES: key and nonce have their sizes.
std::string SealGcm(std::string_view key, std::string_view nonce, std::string_view header,
                    std::string_view text);
/// The same into `out`: text.size() + kGcmTagBytes, which do not overlap the text.
void SealGcmTo(char* out, std::string_view key, std::string_view nonce, std::string_view header,
               std::string_view text);

/// The text again; nothing if a single bit is not what it was, or the key another.
std::optional<std::string> OpenGcm(std::string_view key, std::string_view nonce,
                                   std::string_view header, std::string_view sealed);
/// The same into `out`: sealed.size() - kGcmTagBytes, which do not overlap it. False, with zeros in
/// `out`, where the other has nothing.
bool OpenGcmTo(char* out, std::string_view key, std::string_view nonce, std::string_view header,
               std::string_view sealed);

}  // namespace tintype::crypto
