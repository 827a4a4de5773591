#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sigv4/sigv4.h"

/// What a request says about its own signature, before any of it is believed.
namespace tintype::sigv4 {

/// The parameters of a presigned request, decoded.
struct PresignedParameters {
  std::string algorithm;
  std::string credential;
  std::string signed_headers;
  std::string signature;
  std::string token;
  std::string query;  // All of the query but the signature.
};

/// Views into the request, or into `presigned`.
struct SignatureClaim {
  std::string_view algorithm;
  std::string_view credential;
  std::string_view signed_headers;
  std::string_view signature;
  std::optional<std::string_view> token;
  std::string_view query;  // What of it is signed.
  std::string timestamp;
  /// How long the signature is good for, in seconds. Only presigned requests say so.
  std::optional<int64_t> expires_s;
  std::unique_ptr<const PresignedParameters> presigned;
};

/// The first header of that (lower-case) name.
std::optional<std::string_view> FindHeader(const HeaderList& headers, std::string_view name);

/// Reads the claim from the header `Authorization` or, for a presigned request, from the query.
/// Errors: kMissingAuthentication, kIncompleteSignature, and kInvalidSignature for a request that
/// is signed both ways or for longer than a week.
Result<SignatureClaim> ReadClaim(const SignableRequest& request);

/// Milliseconds of YYYYMMDDTHHMMSSZ.
std::optional<int64_t> ParseTimestamp(std::string_view text);

}  // namespace tintype::sigv4
