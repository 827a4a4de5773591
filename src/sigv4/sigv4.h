#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "crypto/digest.h"

/// AWS Signature Version 4: signing requests that we send, verifying requests that we get. Knows no
/// HTTP library; a request is the few parts that are signed.
namespace tintype::sigv4 {

/// Why a request is not who it says it is from.
namespace reasons {
/// No credentials were presented.
inline constexpr Reason kMissingAuthentication{ErrorKind::kUnauthenticated,
                                               "MissingAuthentication"};
/// Credentials were presented in a form that cannot be read.
inline constexpr Reason kIncompleteSignature{ErrorKind::kUnauthenticated, "IncompleteSignature"};
/// The access key is not known.
inline constexpr Reason kUnrecognizedClient{ErrorKind::kUnauthenticated, "UnrecognizedClient"};
/// The signature or its date is wrong.
inline constexpr Reason kInvalidSignature{ErrorKind::kUnauthenticated, "InvalidSignature"};
}  // namespace reasons

using HeaderList = std::vector<std::pair<std::string, std::string>>;

/// What a signature covers. Views: all of it must outlive the call it is passed to.
struct SignableRequest {
  std::string_view method;
  std::string_view path;      // As sent, without the query.
  std::string_view query;     // As sent, without the question mark.
  const HeaderList& headers;  // Names in lower case.
  std::string_view body;
};

/// Where and when a signature is valid.
struct SigningScope {
  std::string_view date;  // YYYYMMDD.
  std::string_view region;
  std::string_view service;
};

/// How services differ in what they sign.
enum class PathEncoding {
  kTwice,  // All services but one: the path as sent is normalised and encoded again.
  kOnce,   // S3: the path is taken as sent.
};

using crypto::Sha256Digest;

/// The text whose hash is signed. `signed_headers` are lower-case names in ascending order.
std::string CanonicalRequest(const SignableRequest& request,
                             const std::vector<std::string_view>& signed_headers,
                             std::string_view payload_hash,
                             PathEncoding encoding = PathEncoding::kTwice);

/// The text that is signed. `timestamp` is YYYYMMDDTHHMMSSZ.
std::string StringToSign(std::string_view timestamp, const SigningScope& scope,
                         std::string_view canonical_request);

/// The signature of a string to sign, in lower-case hexadecimal.
std::string Signature(const Sha256Digest& signing_key, std::string_view string_to_sign);

/// A time as signatures write it: YYYYMMDDTHHMMSSZ.
std::string FormatTimestamp(int64_t time_ms);

/// Derives signing keys and keeps the latest ones: deriving takes four times as long as signing,
/// and a key serves a whole day. Thread-safe.
class SigningKeyCache {
 public:
  Sha256Digest KeyFor(std::string_view access_key_id, std::string_view secret,
                      const SigningScope& scope);

 private:
  struct Entry {
    std::string access_key_id;
    std::string secret;
    std::string date;
    std::string region;
    std::string service;
    Sha256Digest key{};
  };
  Mutex mutex_;
  std::vector<Entry> entries_ GUARDED_BY(mutex_);
  size_t next_ GUARDED_BY(mutex_) = 0;  // The entry that is replaced next when all are used.
};

struct Credentials {
  std::string access_key_id;
  std::string secret;
  std::optional<std::string> session_token;
};

struct SignOptions {
  std::string region;
  std::string service;
  int64_t now_ms = 0;
  PathEncoding path_encoding = PathEncoding::kTwice;
  /// Send the payload's hash as a header too, as S3 wants it.
  bool add_payload_header = false;
  /// The SHA-256 of the body in hexadecimal, when it is not in memory. Empty: that of the request's
  /// body.
  std::string payload_hash{};
};

/// Signs a request that has at least a `host` header, with all the headers it has. Returns the
/// headers to add: `x-amz-date`, `authorization`, and `x-amz-security-token` and
/// `x-amz-content-sha256` where they apply. `cache` may be shared by any number of callers.
HeaderList Sign(const SignableRequest& request, const Credentials& credentials,
                const SignOptions& options, SigningKeyCache& cache);

struct PresignOptions {
  std::string region;
  int64_t now_ms = 0;
  /// How long the link is good for, in seconds: 1 to kPresignedExpiresMaxS.
  int64_t expires_s = 0;
};

/// S3 refuses links that are good for longer than a week.
inline constexpr int64_t kPresignedExpiresMaxS = 7 * 24 * 60 * 60;

/// Presigns a request to S3, so that whoever has the link may send it once or often until it
/// expires. Returns the whole query, the request's own first. The headers, `host` among them, have
/// to be sent as they are here; the path is taken as it is sent, and the payload is not covered.
std::string PresignS3(const SignableRequest& request, const Credentials& credentials,
                      const PresignOptions& options, SigningKeyCache& cache);

/// The secret that belongs to an access key. A temporary key has a session token, and requests must
/// carry it.
struct AccessKeySecret {
  std::string secret;
  std::optional<std::string> session_token;
};

/// Where a verifier finds the secrets. Implementations must be thread-safe.
class CredentialStore {
 public:
  virtual ~CredentialStore() = default;
  /// Nothing when there is no such key, or it is not in use.
  virtual std::optional<AccessKeySecret> SecretFor(std::string_view access_key_id) const = 0;
};

struct VerifierConfig {
  std::string service = "dynamodb";
  /// Absent: clients may sign for any region. The signature covers the region either way.
  std::optional<std::string> region;
  /// How far a client's clock may be off, in milliseconds. Default: 15 minutes, as DynamoDB has it.
  int64_t skew_ms_max = 15 * 60 * 1000;
};

struct VerifiedIdentity {
  std::string access_key_id;
  std::string region;
};

/// Verifies requests that are signed by header, or presigned: by parameters of the query. Refuses,
/// in AWS's order and words, what is missing (kMissingAuthentication, kIncompleteSignature),
/// unknown (kUnrecognizedClient) or wrong (kInvalidSignature). Thread-safe; the store must outlive
/// it.
class SignatureVerifier {
 public:
  SignatureVerifier(VerifierConfig config, const CredentialStore& store)
      : config_(std::move(config)), store_(store) {}

  Result<VerifiedIdentity> Verify(const SignableRequest& request, int64_t now_ms);

  /// What of Verify can be told before the body is there, so that nobody has to keep the body of a
  /// request that will be refused: all but the signature itself, and that as well when the request
  /// says what the hash of its body is. Verify has the last word. `request.body` is not looked at.
  Status VerifyHead(const SignableRequest& request, int64_t now_ms);

 private:
  struct CheckedClaim;
  Result<CheckedClaim> CheckClaim(const SignableRequest& request, int64_t now_ms) const;
  Status CheckSignature(const SignableRequest& request, const CheckedClaim& checked,
                        std::string_view payload_hash);

  const VerifierConfig config_;
  const CredentialStore& store_;
  SigningKeyCache keys_;
};

}  // namespace tintype::sigv4
