#pragma once

#include <string_view>

#include "base/error.h"

namespace tintype::http::dynamodb {

/// How DynamoDB names an error, and the HTTP status it comes with.
struct ErrorEntry {
  std::string_view exception;  // The full name, as `__type` has it.
  int status = 400;
};

/// The one place where an ErrorCode becomes something that a DynamoDB client understands.
ErrorEntry ErrorEntryFor(ErrorCode code);

}  // namespace tintype::http::dynamodb
