#pragma once

#include <cstdint>

namespace tintype::tables::engine {

inline constexpr int64_t kDayMs = int64_t{24} * 60 * 60 * 1000;

}  // namespace tintype::tables::engine
