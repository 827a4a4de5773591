#pragma once

#include <string_view>

#include "base/error.h"

namespace tintype::tables::wire {

/// How DynamoDB names an error, and the HTTP status it comes with.
struct ErrorEntry {
  Reason reason;               // Without a name it stands for every error of its kind.
  std::string_view exception;  // The full name, as `__type` has it.
  int status = 400;
};

/// What a client of ours is told about an error: the entry of its reason, else that of its kind.
const ErrorEntry& ErrorEntryFor(const Reason& reason);

/// What an answer of a service means that has this `__type`. The part up to the '#' may differ or
/// be missing. Null when the name is not known.
const ErrorEntry* FindErrorEntry(std::string_view exception);

}  // namespace tintype::tables::wire
