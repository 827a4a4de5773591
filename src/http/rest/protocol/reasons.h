#pragma once

#include "base/error.h"

/// The cases of refusals that HTTP itself brings about. Those of the product's rules are with the
/// rules; `http/rest/api/problem.cc` has the status of each.
namespace tintype::http::rest::reasons {

inline constexpr Reason kMethodNotAllowed{ErrorKind::kValidation, "MethodNotAllowed"};
inline constexpr Reason kUnsupportedContentType{ErrorKind::kValidation, "UnsupportedContentType"};
/// The Host header, or the page that the request comes from, is not this server's.
inline constexpr Reason kUnknownHost{ErrorKind::kValidation, "UnknownHost"};
inline constexpr Reason kForeignOrigin{ErrorKind::kAccessDenied, "ForeignOrigin"};
/// The disk is nearly full: additions wait, sign-in and deletions go on.
inline constexpr Reason kDiskNearlyFull{ErrorKind::kUnavailable, "DiskNearlyFull"};
inline constexpr Reason kTooManyRequests{ErrorKind::kLimitExceeded, "TooManyRequests"};
/// Names that the contract does not have, or that are there more than once.
inline constexpr Reason kUnknownParameter{ErrorKind::kValidation, "UnknownParameter"};
inline constexpr Reason kRepeatedParameter{ErrorKind::kValidation, "RepeatedParameter"};
inline constexpr Reason kUnknownField{ErrorKind::kValidation, "UnknownField"};
inline constexpr Reason kRepeatedField{ErrorKind::kValidation, "RepeatedField"};
inline constexpr Reason kInvalidCsrfToken{ErrorKind::kAccessDenied, "InvalidCsrfToken"};

// Preconditions and ranges.
inline constexpr Reason kVersionRequired{ErrorKind::kValidation, "VersionRequired"};
inline constexpr Reason kPreconditionFailed{ErrorKind::kConditionFailed, "PreconditionFailed"};
inline constexpr Reason kRangeNotSatisfiable{ErrorKind::kValidation, "RangeNotSatisfiable"};

// Links and media.
/// The file is damaged, or of a kind that cannot be resized.
inline constexpr Reason kCannotResize{ErrorKind::kValidation, "CannotResize"};
inline constexpr Reason kInvalidLink{ErrorKind::kAccessDenied, "InvalidSignature"};
inline constexpr Reason kLinkExpired{ErrorKind::kAccessDenied, "LinkExpired"};

// Uploads in several requests.
inline constexpr Reason kUnsupportedTusVersion{ErrorKind::kValidation, "UnsupportedTusVersion"};
inline constexpr Reason kUploadExpired{ErrorKind::kNotFound, "UploadExpired"};
inline constexpr Reason kUploadInUse{ErrorKind::kInUse, "UploadInUse"};
inline constexpr Reason kWrongOffset{ErrorKind::kConditionFailed, "WrongOffset"};
inline constexpr Reason kWrongSize{ErrorKind::kValidation, "WrongSize"};
inline constexpr Reason kUnknownChecksumAlgorithm{ErrorKind::kValidation,
                                                  "UnknownChecksumAlgorithm"};
/// Of one part, whose bytes are dropped; the upload goes on.
inline constexpr Reason kPartChecksumMismatch{ErrorKind::kConditionFailed, "ChecksumMismatch"};

}  // namespace tintype::http::rest::reasons
