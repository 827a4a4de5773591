#include "darkroom/imaging/planes/code_table.h"

#include <algorithm>

namespace tintype::darkroom {

std::optional<CodeTable> CodeTable::Make(const JHUFF_TBL& table) {
  CodeTable made;
  uint32_t code = 0;  // The next one, of the length at hand.
  int32_t place = 0;
  for (int length = 1; length <= 16; ++length) {
    const auto index = static_cast<size_t>(length);
    const int32_t count = table.bits[index];
    if (place + count > 256 || code + static_cast<uint32_t>(count) > (1U << length)) {
      return std::nullopt;
    }
    made.places_[index] = place - static_cast<int32_t>(code);
    for (int32_t i = 0; i < count; ++i, ++place, ++code) {
      const uint8_t value = table.huffval[place];
      made.values_[static_cast<size_t>(place)] = value;
      if (length <= kBits) {
        const uint32_t first = code << (kBits - length);
        std::fill_n(made.short_codes_.begin() + first, size_t{1} << (kBits - length),
                    Symbol{static_cast<uint8_t>(length), value});
      }
    }
    made.limits_[index] = code << (16 - length);
    code <<= 1;
  }
  for (uint32_t next = 0; next < made.runs_.size(); ++next) {
    made.pairs_[next] = made.MakePair(next);
    made.runs_[next] = made.MakeRun(next);
  }
  return made;
}

CodeTable::Symbol CodeTable::FindLong(uint32_t next) const {
  for (int length = kBits + 1; length <= 16; ++length) {
    const auto index = static_cast<size_t>(length);
    if (next < limits_[index]) {
      const int32_t place = places_[index] + static_cast<int32_t>(next >> (16 - length));
      return {static_cast<uint8_t>(length), values_[static_cast<size_t>(place)]};
    }
  }
  return {};
}

CodeTable::Coefficient CodeTable::MakeCoefficient(Symbol symbol) {
  if (symbol.bits == 0) {
    return {};
  }
  const auto zeros = static_cast<uint8_t>(symbol.value >> 4);
  const auto size = static_cast<uint8_t>(symbol.value & 15);
  const bool is_end = size == 0 && zeros != 15;
  return {symbol.bits, size, static_cast<uint8_t>(symbol.bits + size),
          is_end ? Coefficient::kEnd : zeros};
}

CodeTable::Pair CodeTable::MakePair(uint32_t next) const {
  // What is behind the bits that were used, if all of it is there.
  const auto find = [&](int used, int16_t& value) {
    const uint32_t window = next << (32 - kBits) << used;
    const Coefficient found = FindCoefficient(window >> 16);
    if (found.bits == 0 || used + found.bits > kBits) {
      return Coefficient{};
    }
    if (found.value_bits > 0) {
      const uint32_t bits = window << found.code_bits >> (32 - found.value_bits);
      value = static_cast<int16_t>(NumberOf(bits, found.value_bits));
    }
    return found;
  };
  Pair pair;
  const Coefficient first = find(0, pair.first_value);
  pair.bits = first.bits;
  if (first.bits == 0 || first.zeros == Coefficient::kEnd) {
    pair.places = Pair::kEnd;
    return pair;
  }
  pair.first = first.zeros;
  pair.places = static_cast<uint8_t>(first.zeros + 1);
  const Coefficient second = find(first.bits, pair.second_value);
  pair.bits = static_cast<uint8_t>(pair.bits + second.bits);
  if (second.zeros == Coefficient::kEnd) {
    pair.places = Pair::kEnd;
  } else if (second.bits > 0) {
    pair.second = static_cast<uint8_t>(pair.places + second.zeros);
    pair.places = static_cast<uint8_t>(pair.second + 1);
  }
  return pair;
}

CodeTable::Run CodeTable::MakeRun(uint32_t next) const {
  Run run;
  while (!run.is_end) {
    const Symbol symbol = short_codes_[(next << run.bits) & ((1U << kBits) - 1)];
    const int zeros = symbol.value >> 4;
    const int size = symbol.value & 15;
    const bool is_end = size == 0 && zeros != 15;
    const int bits = run.bits + symbol.bits + size;
    const int passed = run.passed + (is_end ? 0 : zeros + 1);
    if (symbol.bits == 0 || bits > kBits || passed >= DCTSIZE2) {
      break;
    }
    run = {static_cast<uint8_t>(bits), static_cast<uint8_t>(passed), is_end};
  }
  return run;
}

}  // namespace tintype::darkroom
