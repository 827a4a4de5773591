#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tintype::contexts::catalog {

/// The perceptual hash of an image: those of images that look alike differ in few bits. It is that
/// of the picture as it was uploaded, whatever edits have made of it.
struct ImageHash {
  std::string image_id;
  std::string user_id;
  uint64_t hash = 0;
};

/// As attributes have it: 16 hexadecimal digits.
std::string HashText(uint64_t hash);
std::optional<uint64_t> HashFromText(std::string_view text);

/// In how many bits of 64 two hashes differ.
int HashDistance(uint64_t one, uint64_t other);

/// A hash is posted in this many bands of bits.
inline constexpr int kHashBands = 6;
/// How far apart two hashes may be so that they are certain to be found. Were all bands apart by
/// two bits or more, it would be twelve: so within eleven there is one that is equal, or apart by a
/// single bit, and those are looked up.
inline constexpr int kSimilarDistanceMax = 2 * kHashBands - 1;
inline constexpr int kSimilarDistanceDefault = 10;

}  // namespace tintype::contexts::catalog
