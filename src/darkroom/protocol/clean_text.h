#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tintype::darkroom {

/// Whether the bytes are UTF-8 (no surrogates, no overlong forms) without control characters.
bool IsCleanUtf8(std::string_view bytes);

/// What can be kept of text from a file: up to the first zero byte and at most `bytes_max` bytes,
/// with a space for what is not clean, and single spaces. IsCleanUtf8 holds for the result.
std::string CleanText(std::string_view bytes, size_t bytes_max);

}  // namespace tintype::darkroom
