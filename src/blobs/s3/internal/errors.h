#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "net/http.h"

/// What the answers of S3 mean to us.
namespace tintype::blobs::s3 {

/// The service does not know this call, or not with these headers.
inline constexpr Reason kNotImplemented{ErrorKind::kIo, "NotImplementedByStorage"};

/// Whether the same call may succeed in a moment.
bool ShouldRetry(const net::HttpAnswer& answer);

/// The error that an answer is, whose status is not one of success. `call` is for the log.
/// kNotFound when S3 says in its own words that there is no such object; kUnavailable for all that
/// is not about the object, such as the 404 of a proxy; else kIo.
Error ErrorOf(const net::HttpAnswer& answer, std::string_view call);

/// There was no answer.
Error Unreachable(std::string_view problem, std::string_view call);

/// An answer that says that all is well, but not in words that we know.
Error Unreadable(std::string_view call);

/// The storage has other bytes than it was sent.
Error Damaged(std::string_view what);

/// Whether it is an XML document that tells of an error.
bool IsErrorDocument(std::string_view body);

}  // namespace tintype::blobs::s3
