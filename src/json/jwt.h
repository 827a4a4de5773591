#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace tintype::json {

/// A JSON Web Token in its compact form (RFC 7515, RFC 7519), taken apart. Nothing of it has been
/// verified: until the signature is, it is what somebody says.
struct Jwt {
  Value header;
  Value claims;
  std::string signature;         // As bytes.
  std::string_view signed_text;  // What the signature is of: a part of the parsed token.
};

/// Errors: kValidation for what is no token of two JSON objects and a signature, or is longer than
/// `bytes_max`. The result refers to `token`.
Result<Jwt> ParseJwt(std::string_view token, size_t bytes_max);

// Members of what somebody else wrote: empty or zero when absent, or of another type.

std::string TextOf(const Value& object, std::string_view name);
int64_t IntegerOf(const Value& object, std::string_view name);

}  // namespace tintype::json
