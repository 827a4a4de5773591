#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

/// The encoding `gzip` (RFC 1952) of request and response bodies, and `deflate` (RFC 1950) of
/// requests.
namespace tintype::http::dynamodb {

enum class Encoding { kGzip, kDeflate };

/// What a compressed body contains. However it is made, it costs no more than `bytes_max` bytes of
/// memory and the time to fill them. Errors: kSerialization when it is damaged, cut off or followed
/// by something else; kRequestTooLarge when it contains more than `bytes_max`.
Result<std::string> Decompress(Encoding encoding, std::string_view compressed, size_t bytes_max);

/// A body compressed for speed rather than for size, at some 200 MB/s.
std::string Compress(std::string_view body);

/// Whether a header `Accept-Encoding` asks for gzip.
bool AcceptsGzip(std::string_view accept_encoding);

}  // namespace tintype::http::dynamodb
