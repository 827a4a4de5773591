#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tintype::darkroom {

/// How many bytes of a PNG file tell its size.
inline constexpr size_t kPngHeaderBytes = 24;

/// Whether a file that begins so is PNG of that size, as far as its first bytes tell.
bool IsPngOfSize(std::string_view first_bytes, int32_t width, int32_t height);

/// Whether the bytes can be the text of so many pages, as DocumentText has it: valid UTF-8, a form
/// feed between pages, and no control character but that, tab and line feed.
bool IsDocumentText(std::string_view bytes, int32_t pages);

}  // namespace tintype::darkroom
