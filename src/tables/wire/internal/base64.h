#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::tables::wire {

/// OK if `text` is canonical base64 with padding, else the SerializationException that DynamoDB
/// gives.
Status CheckBase64(std::string_view text);

/// REQUIRES: CheckBase64(text).
std::string DecodeBase64(std::string_view text);

}  // namespace tintype::tables::wire
