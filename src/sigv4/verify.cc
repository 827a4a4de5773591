#include <algorithm>
#include <array>

#include "base/strings.h"
#include "sigv4/internal/claim.h"
#include "sigv4/internal/text.h"
#include "sigv4/sigv4.h"

namespace tintype::sigv4 {

struct ParsedCredential {
  std::string_view access_key_id;
  SigningScope scope;
};

namespace {

constexpr std::string_view kPayloadHashHeader = "x-amz-content-sha256";

Error Invalid(std::string message) { return {reasons::kInvalidSignature, std::move(message)}; }

// A presigned request says itself how long it is good for; others are for as long as clocks may
// differ. `skew_ms_max` is how far a client's clock may be ahead in either case.
Status CheckTime(const SignatureClaim& claim, int64_t now_ms, int64_t skew_ms_max) {
  const std::string& timestamp = claim.timestamp;
  const std::optional<int64_t> signed_ms = ParseTimestamp(timestamp);
  if (!signed_ms) {
    return Error(reasons::kIncompleteSignature,
                 StrCat("Date must be in ISO-8601 'basic format'. Got '", timestamp,
                        "'. See http://en.wikipedia.org/wiki/ISO_8601"));
  }
  const int64_t valid_ms = claim.expires_s ? *claim.expires_s * 1000 : skew_ms_max;
  if (*signed_ms < now_ms - valid_ms) {
    return Invalid(StrCat("Signature expired: ", timestamp, " is now earlier than ",
                          FormatTimestamp(now_ms - valid_ms), " (", FormatTimestamp(now_ms), " - ",
                          valid_ms / 60'000, " min.)"));
  }
  if (*signed_ms > now_ms + skew_ms_max) {
    return Invalid(StrCat("Signature not yet current: ", timestamp, " is still later than ",
                          FormatTimestamp(now_ms + skew_ms_max), " (", FormatTimestamp(now_ms),
                          " + ", skew_ms_max / 60'000, " min.)"));
  }
  return OkStatus();
}

Result<ParsedCredential> ParseCredential(std::string_view credential, std::string_view timestamp,
                                         const VerifierConfig& config) {
  std::string_view trimmed = credential;
  while (trimmed.ends_with('/')) {
    trimmed.remove_suffix(1);
  }
  std::vector<std::string_view> parts;
  parts.reserve(5);
  Split(trimmed, '/', [&](std::string_view part) { parts.push_back(part); });
  if (parts.size() != 5) {
    return Error(reasons::kIncompleteSignature,
                 StrCat("Credential must have exactly 5 slash-delimited elements, e.g. "
                        "keyid/date/region/service/term, got '",
                        credential, "'"));
  }
  std::string wrong;
  if (config.region ? parts[2] != *config.region : parts[2].empty()) {
    StrAppend(wrong, "Credential should be scoped to a valid region, not '", parts[2], "'. ");
  }
  if (parts[3] != config.service) {
    StrAppend(wrong, "Credential should be scoped to correct service: '", config.service, "'. ");
  }
  if (parts[4] != kTerminator) {
    StrAppend(wrong, "Credential should be scoped with a valid terminator: '", kTerminator,
              "', not '", parts[4], "'. ");
  }
  const std::string_view date = timestamp.substr(0, 8);
  if (parts[1] != date) {
    StrAppend(wrong,
              "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from "
              "HTTP: '",
              parts[1], "' != '", date, "', from '", timestamp, "'. ");
  }
  if (!wrong.empty()) {
    wrong.pop_back();
    return Invalid(std::move(wrong));
  }
  return ParsedCredential{.access_key_id = parts[0],
                          .scope = {.date = parts[1], .region = parts[2], .service = parts[3]}};
}

bool Lists(const std::vector<std::string_view>& names, std::string_view wanted) {
  return std::ranges::any_of(names,
                             [&](std::string_view name) { return EqualsIgnoreCase(name, wanted); });
}

}  // namespace

// The order of the checks is AWS's: a request with several faults gets the same answer. Those of
// the head come before those of the body, so that both functions below find the same fault first.

/// What the head of a request claims, as far as it can be believed without its body.
struct SignatureVerifier::CheckedClaim {
  SignatureClaim claim;
  std::vector<std::string_view> names;  // Of the signed headers; views into the request or `claim`.
  ParsedCredential credential;          // The same.
  AccessKeySecret secret;
};

Result<SignatureVerifier::CheckedClaim> SignatureVerifier::CheckClaim(
    const SignableRequest& request, int64_t now_ms) const {
  CheckedClaim checked;
  ASSIGN_OR_RETURN(checked.claim, ReadClaim(request));
  const SignatureClaim& claim = checked.claim;
  RETURN_IF_ERROR(CheckTime(claim, now_ms, config_.skew_ms_max));

  std::vector<std::string_view>& names = checked.names;
  names.reserve(16);
  Split(claim.signed_headers, ';', [&](std::string_view name) { names.push_back(name); });
  if (!Lists(names, "host")) {
    return Invalid("'Host' must be a 'SignedHeader' in the AWS Authorization.");
  }
  if (claim.algorithm != kAlgorithm) {
    return Error(reasons::kIncompleteSignature,
                 StrCat("Unsupported AWS 'algorithm': '", claim.algorithm, "' (only ", kAlgorithm,
                        " for now). "));
  }
  ASSIGN_OR_RETURN(checked.credential, ParseCredential(claim.credential, claim.timestamp, config_));
  auto secret = store_.SecretFor(checked.credential.access_key_id);
  if (!secret) {
    return Error(reasons::kUnrecognizedClient,
                 "The security token included in the request is invalid.");
  }
  checked.secret = *std::move(secret);

  // The operation is as much part of the request as its body, and so is what confirms it.
  constexpr std::array<std::string_view, 2> kSigned = {"x-amz-target",
                                                       "x-amz-confirm-remove-self-resource-access"};
  for (const std::string_view name : kSigned) {
    if (FindHeader(request.headers, name) && !Lists(names, name)) {
      return Invalid(
          StrCat("There were headers present in the request which were not signed: ", name));
    }
  }
  return checked;
}

Status SignatureVerifier::CheckSignature(const SignableRequest& request,
                                         const CheckedClaim& checked,
                                         std::string_view payload_hash) {
  const auto& [claim, names, credential, secret] = checked;
  const SignableRequest signed_request{.method = request.method,
                                       .path = request.path,
                                       .query = claim.query,
                                       .headers = request.headers,
                                       .body = request.body};
  const std::string canonical = CanonicalRequest(signed_request, names, payload_hash);
  const std::string to_sign = StringToSign(claim.timestamp, credential.scope, canonical);
  const Sha256Digest key = keys_.KeyFor(credential.access_key_id, secret.secret, credential.scope);
  const auto claimed_hash = FindHeader(request.headers, kPayloadHashHeader);
  if (!crypto::EqualInConstantTime(Signature(key, to_sign), claim.signature) ||
      (claimed_hash && *claimed_hash != payload_hash)) {
    return Invalid(
        StrCat("The request signature we calculated does not match the signature you provided. "
               "Check your AWS Secret Access Key and signing method. Consult the service "
               "documentation for details.\n\nThe Canonical String for this request should have "
               "been\n'",
               canonical, "'\n\nThe String-to-Sign should have been\n'", to_sign, "'\n"));
  }

  // A permanent key must not come with a token, nor a temporary one without its own.
  if (claim.token.has_value() != secret.session_token.has_value() ||
      (claim.token && !crypto::EqualInConstantTime(*claim.token, *secret.session_token))) {
    return Error(reasons::kUnrecognizedClient,
                 "The security token included in the request is invalid");
  }
  return OkStatus();
}

Status SignatureVerifier::VerifyHead(const SignableRequest& request, int64_t now_ms) {
  ASSIGN_OR_RETURN(const CheckedClaim checked, CheckClaim(request, now_ms));
  // Clients that send the hash of the body have signed that, and nothing of the body itself.
  const auto claimed_hash = FindHeader(request.headers, kPayloadHashHeader);
  return claimed_hash ? CheckSignature(request, checked, *claimed_hash) : OkStatus();
}

Result<VerifiedIdentity> SignatureVerifier::Verify(const SignableRequest& request, int64_t now_ms) {
  ASSIGN_OR_RETURN(const CheckedClaim checked, CheckClaim(request, now_ms));
  RETURN_IF_ERROR(CheckSignature(request, checked, crypto::Sha256Hex(request.body)));
  return VerifiedIdentity{.access_key_id = std::string(checked.credential.access_key_id),
                          .region = std::string(checked.credential.scope.region)};
}

}  // namespace tintype::sigv4
