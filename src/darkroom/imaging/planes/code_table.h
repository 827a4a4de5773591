#pragma once

#include <array>
#include <cstdint>
#include <cstdio>  // jpeglib.h needs it.
#include <optional>

#include <jpeglib.h>

namespace tintype::darkroom {

/// One Huffman table of a JPEG file, made for passing over coefficients that nobody wants: several
/// of them at a time, as many as are known by the next few bits. A plain value.
class CodeTable {
 public:
  /// Nothing when the file's table makes no sense.
  static std::optional<CodeTable> Make(const JHUFF_TBL& table);

  struct Symbol {
    uint8_t bits = 0;  ///< Of its code; 0 when no code begins like this.
    uint8_t value = 0;
  };
  /// The symbol that the next 16 bits begin with.
  Symbol Find(uint32_t next) const {
    const Symbol symbol = short_codes_[next >> (16 - kBits)];
    return symbol.bits > 0 ? symbol : FindLong(next);
  }

  /// What the next kBits bits hold of whole AC coefficients, in codes and in their own bits.
  struct Run {
    uint8_t bits = 0;     ///< 0: not even one.
    uint8_t passed = 0;   ///< Places in the block, those of zeros included.
    bool is_end = false;  ///< The last of them says that the rest of the block is zero.
  };
  static constexpr int kBits = 12;
  Run Pass(uint32_t next) const { return runs_[next]; }

 private:
  CodeTable() = default;
  Symbol FindLong(uint32_t next) const;
  Run MakeRun(uint32_t next) const;

  std::array<Symbol, 1 << kBits> short_codes_{};
  std::array<Run, 1 << kBits> runs_{};
  // By the length of a code: the first that is too large to be one of that length, from the left of
  // 16 bits; and what to add to one for its place among the values.
  std::array<uint32_t, 17> limits_{};
  std::array<int32_t, 17> places_{};
  std::array<uint8_t, 256> values_{};
};

}  // namespace tintype::darkroom
