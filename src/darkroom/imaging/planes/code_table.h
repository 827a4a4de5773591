#pragma once

#include <array>
#include <cstdint>
#include <cstdio>  // jpeglib.h needs it.
#include <optional>

#include <jpeglib.h>

namespace tintype::darkroom {

/// One Huffman table of a JPEG file, made for what the next few bits tell at a look: two
/// coefficients with their values, or several that nobody wants and that are passed over. A plain
/// value.
class CodeTable {
 public:
  /// Nothing when the file's table makes no sense.
  static std::optional<CodeTable> Make(const JHUFF_TBL& table);

  /// A table of more is of less use, as it does not stay near the processor.
  static constexpr int kBits = 10;

  struct Symbol {
    uint8_t bits = 0;  ///< Of its code; 0 when no code begins like this.
    uint8_t value = 0;
  };
  /// The symbol that the next 16 bits begin with.
  Symbol Find(uint32_t next) const {
    const Symbol symbol = short_codes_[next >> (16 - kBits)];
    return symbol.bits > 0 ? symbol : FindLong(next);
  }

  /// How an AC coefficient that is not zero is written, or sixteen zeros, or the mark that the rest
  /// is zero.
  struct Coefficient {
    static constexpr uint8_t kEnd = DCTSIZE2;

    uint8_t code_bits = 0;
    uint8_t value_bits = 0;
    uint8_t bits = 0;   ///< Both, at most 31; 0 when no code begins like this.
    uint8_t zeros = 0;  ///< Before it; kEnd for the mark.
  };
  /// The one that the next 16 bits begin with.
  Coefficient FindCoefficient(uint32_t next) const { return MakeCoefficient(Find(next)); }

  /// Two AC coefficients that follow each other, with their values. One alone has another of value
  /// 0 with it, which changes nothing wherever it is.
  struct Pair {
    /// More than any place in a block.
    static constexpr uint8_t kEnd = 2 * DCTSIZE2;

    uint8_t bits = 0;    ///< Of both; 0: the bits do not hold even one.
    uint8_t first = 0;   ///< Where it is, from the next place of the block on.
    uint8_t second = 0;  ///< The same.
    uint8_t places = 0;  ///< That both fill; kEnd when the rest of the block is zero.
    int16_t first_value = 0;
    int16_t second_value = 0;
  };
  /// How far the second one may be from the next place.
  static constexpr int kReach = 31;
  /// The pair that the next kBits bits begin with. When the first is the block's last, the second
  /// is none of the block's.
  Pair FindPair(uint32_t next) const { return pairs_[next]; }

  /// What the next kBits bits hold of whole AC coefficients, in codes and in their own bits.
  struct Run {
    uint8_t bits = 0;     ///< 0: not even one.
    uint8_t passed = 0;   ///< Places in the block, those of zeros included.
    bool is_end = false;  ///< The last of them says that the rest of the block is zero.
  };
  Run Pass(uint32_t next) const { return runs_[next]; }

  /// The number that `size` bits stand for: the lower half of what they can be is for negative
  /// ones. Without a branch, which nobody could foretell.
  static int32_t NumberOf(uint32_t bits, int size) {
    const auto number = static_cast<int32_t>(bits);
    const int32_t half = (1 << size) >> 1;
    return number + (((number - half) >> 31) & (1 - (1 << size)));
  }

 private:
  CodeTable() = default;
  static Coefficient MakeCoefficient(Symbol symbol);
  Symbol FindLong(uint32_t next) const;
  Pair MakePair(uint32_t next) const;
  Run MakeRun(uint32_t next) const;

  std::array<Symbol, 1 << kBits> short_codes_{};
  std::array<Pair, 1 << kBits> pairs_{};
  std::array<Run, 1 << kBits> runs_{};
  // By the length of a code: the first that is too large to be one of that length, from the left of
  // 16 bits; and what to add to one for its place among the values.
  std::array<uint32_t, 17> limits_{};
  std::array<int32_t, 17> places_{};
  std::array<uint8_t, 256> values_{};
};

}  // namespace tintype::darkroom
