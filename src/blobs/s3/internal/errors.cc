#include "blobs/s3/internal/errors.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"
#include "blobs/s3/internal/documents.h"

namespace tintype::blobs::s3 {
namespace {

/// Errors that pass by themselves though their status does not say so.
constexpr std::array kPassing = {
    std::string_view("RequestTimeout"), std::string_view("SlowDown"),
    std::string_view("InternalError"), std::string_view("ServiceUnavailable"),
    std::string_view("OperationAborted"), std::string_view("IncompleteBody"),
    // Bytes were damaged on their way.
    std::string_view("BadDigest"), std::string_view("XAmzContentSHA256Mismatch")};

struct Known {
  std::string_view code;
  Reason reason;
  std::string_view message;
};

/// Errors that an operator can do something about have words of their own. The messages may reach a
/// user.
constexpr std::array kKnown = {
    Known{"NoSuchKey", ErrorKind::kNotFound, "No such blob"},
    Known{"PreconditionFailed", ErrorKind::kNotFound, "The blob has been replaced meanwhile"},
    Known{"NoSuchBucket", ErrorKind::kUnavailable, "A bucket of the blob storage is missing"},
    Known{"InvalidAccessKeyId", ErrorKind::kUnavailable,
          "The blob storage does not know the access key it was given"},
    Known{"SignatureDoesNotMatch", ErrorKind::kUnavailable,
          "The blob storage refuses the signature: the secret access key is wrong, or the region"},
    Known{"RequestTimeTooSkewed", ErrorKind::kUnavailable,
          "The clock of this machine differs too much from the blob storage's"},
    Known{"AccessDenied", ErrorKind::kUnavailable, "The blob storage denies access"},
    Known{"AuthorizationHeaderMalformed", ErrorKind::kUnavailable,
          "The blob storage expects another region"},
    Known{"PermanentRedirect", ErrorKind::kUnavailable,
          "The bucket is in another region of the blob storage"},
    Known{"BucketAlreadyExists", ErrorKind::kUnavailable,
          "The bucket's name is taken by somebody else"},
    Known{"QuotaExceeded", ErrorKind::kUnavailable, "There is no room left to store this"},
    Known{"InsufficientCapacity", ErrorKind::kUnavailable, "There is no room left to store this"},
    Known{"NotImplemented", kNotImplemented, "The blob storage refuses this"}};

}  // namespace

bool ShouldRetry(const net::HttpAnswer& answer) {
  if (answer.status >= 200 && answer.status <= 299) {
    return false;
  }
  const int status = answer.status;
  return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 ||
         status == 504 ||
         std::ranges::find(kPassing, ParseError(answer.body).code) != kPassing.end();
}

Error ErrorOf(const net::HttpAnswer& answer, std::string_view call) {
  const ErrorText text = ParseError(answer.body);
  std::string note = StrCat(call, ": ", answer.status, " ", text.code, " ", text.message);
  if (const std::string_view region = answer.Header("x-amz-bucket-region"); !region.empty()) {
    StrAppend(note, " (the bucket is in ", region, ")");
  }
  if (text.code.starts_with("KMS.")) {
    return Error(ErrorKind::kUnavailable, "The blob storage cannot use its encryption key")
        .WithNote(std::move(note));
  }
  const auto known = std::ranges::find(kKnown, text.code, &Known::code);
  if (known != kKnown.end()) {
    return Error(known->reason, std::string(known->message)).WithNote(std::move(note));
  }
  // An answer that is not in S3's words comes from something in between, which knows nothing of
  // objects.
  const int status = answer.status;
  const bool passing = ShouldRetry(answer) || text.code.empty() || status == 401 || status == 403 ||
                       status == 404 || status == 412 || status == 507;
  return passing ? Error(ErrorKind::kUnavailable, "The blob storage cannot serve this just now")
                       .WithNote(std::move(note))
                 : Error::Io("The blob storage refuses this").WithNote(std::move(note));
}

Error Unreachable(std::string_view problem, std::string_view call) {
  return Error(ErrorKind::kUnavailable, "The blob storage cannot be reached just now")
      .WithNote(StrCat(call, ": ", problem));
}

Error Unreadable(std::string_view call) {
  return Error::Io("The blob storage gave an answer that cannot be understood")
      .WithNote(std::string(call));
}

Error Damaged(std::string_view what) {
  return Error(ErrorKind::kUnavailable, "The blob storage received other bytes than were sent")
      .WithNote(std::string(what));
}

bool IsErrorDocument(std::string_view body) { return !ParseError(body).code.empty(); }

}  // namespace tintype::blobs::s3
