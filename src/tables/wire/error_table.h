#pragma once

#include <string_view>

#include "base/error.h"

namespace tintype::tables::wire {

/// Whether a request that got this error may be sent again.
enum class Retry {
  kNever,        ///< It would get the same answer.
  kRefused,      ///< It was not carried out, and may be next time.
  kOutcomeOpen,  ///< It may have been carried out, and may be next time.
};

/// How DynamoDB names an error, the HTTP status it comes with, and what it is to us.
struct ErrorEntry {
  ErrorCode code;
  std::string_view exception;  // The full name, as `__type` has it.
  int status = 400;
  Retry retry = Retry::kNever;
};

/// What a client of ours is told about an error. Every code has an entry; several codes may share
/// one.
const ErrorEntry& ErrorEntryFor(ErrorCode code);

/// What an answer of a service means that has this `__type`. The part up to the '#' may differ or
/// be missing. Null when the name is not known.
const ErrorEntry* FindErrorEntry(std::string_view exception);

}  // namespace tintype::tables::wire
