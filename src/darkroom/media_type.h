#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::darkroom {

/// How many bytes of a file DetectMediaType looks at, at most.
inline constexpr size_t kMediaTypeBytes = 512;

/// The media type that the first bytes of a file speak of, whatever its name or its sender say;
/// "application/octet-stream" when they speak of none. Says nothing of whether the rest is sound.
/// Pure; the result lives for ever.
std::string_view DetectMediaType(std::string_view first_bytes);

/// What files are to people, by their media types.
enum class MediaKind : uint8_t { kImage, kVideo, kAudio, kDocument, kOther };
MediaKind KindOfMediaType(std::string_view media_type);

/// Whether the helper for films and sound opens files of that type.
bool CanPlay(std::string_view media_type);

/// Whether the helper can develop files of that type.
bool CanDevelop(std::string_view media_type);

/// Whether the helpers for pages can read documents of that type.
bool CanReadDocument(std::string_view media_type);

/// Whether a file that begins so is text, of which there is no signature: UTF-8, or UTF-16 with a
/// byte order mark, without control characters but those that move a printing head. A character
/// that the end of the bytes cuts is no fault, so they may be as few as the caller likes; the more
/// of them, the surer. An empty file is none. Text in another encoding counts as none, though the
/// helpers for pages can read it.
bool LooksLikeText(std::string_view first_bytes);

/// Those that CanDevelop, in words, for people whose picture is of another one.
inline constexpr std::string_view kDevelopedTypes =
    "JPEG, PNG, WebP, GIF, TIFF, HEIC, AVIF, and the raw files of cameras with a preview in them "
    "(DNG, NEF, ARW, CR2, ORF, RW2, RAF)";

/// Why a file is not taken, wherever it comes from.
inline constexpr Reason kUnsupportedMediaType{ErrorKind::kValidation, "UnsupportedMediaType"};

/// The type that the first bytes of an upload speak of, text included. The one place that decides
/// which files are taken: all of them, since one of which nothing can be shown can still be kept.
std::string UploadedType(std::string_view first_bytes);

/// The type of a file that has to be a picture. Errors: kUnsupportedMediaType for all others.
Result<std::string> PictureType(std::string_view first_bytes);

}  // namespace tintype::darkroom
