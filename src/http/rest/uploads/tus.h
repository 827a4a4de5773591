#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

/// The headers of tus 1.0 (tus.io/protocols/resumable-upload), free of what is done with them.
namespace tintype::http::rest {

inline constexpr std::string_view kTusVersion = "1.0.0";
inline constexpr std::string_view kTusExtensions =
    "creation,creation-with-upload,checksum,expiration,termination";
inline constexpr std::string_view kTusChecksums = "sha1,sha256,md5";
inline constexpr std::string_view kTusContentType = "application/offset+octet-stream";

/// `Upload-Metadata`: names, each with a value in base64 or without one, by commas. Errors:
/// kValidation, for a name twice too.
using TusMetadata = std::map<std::string, std::string>;
Result<TusMetadata> ParseTusMetadata(std::string_view header);

/// `Upload-Checksum`: the name of an algorithm, which may be any, and the checksum in base64.
/// Errors: kValidation.
struct TusChecksum {
  std::string algorithm;
  std::string digest;
};
Result<TusChecksum> ParseTusChecksum(std::string_view header);

}  // namespace tintype::http::rest
