#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::darkroom {

/// How many bytes of a file DetectMediaType looks at, at most.
inline constexpr size_t kMediaTypeBytes = 64;

/// The media type that the first bytes of a file speak of, whatever its name or its sender say;
/// "application/octet-stream" when they speak of none. Says nothing of whether the rest is sound.
/// Pure; the result lives for ever.
std::string_view DetectMediaType(std::string_view first_bytes);

/// Whether the helper can develop files of that type.
bool CanDevelop(std::string_view media_type);

/// Those types, in words, for people whose file is of another one.
inline constexpr std::string_view kDevelopedTypes =
    "JPEG, PNG, WebP, GIF, TIFF, HEIC, AVIF, and the raw files of cameras with a preview in them "
    "(DNG, NEF, ARW, CR2, ORF, RW2, RAF)";

/// Why a file is not taken, wherever it comes from.
inline constexpr Reason kUnsupportedMediaType{ErrorKind::kValidation, "UnsupportedMediaType"};

/// The type that the first bytes of a file speak of. The one place that decides which files are
/// taken. Errors: kUnsupportedMediaType for all others.
Result<std::string> AcceptedType(std::string_view first_bytes);

}  // namespace tintype::darkroom
