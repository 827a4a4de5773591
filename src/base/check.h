#pragma once

namespace tintype {
/// Writes the broken invariant to standard error and aborts.
[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);
}  // namespace tintype

/// An invariant of ours, checked in every build. Never reachable from user input.
#define CHECK(condition)                             \
  (__builtin_expect(static_cast<bool>(condition), 1) \
       ? static_cast<void>(0)                        \
       : ::tintype::CheckFailed(#condition, __FILE__, __LINE__))
