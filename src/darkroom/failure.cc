#include "darkroom/failure.h"

#include <memory>
#include <utility>

#include "base/check.h"

namespace tintype::darkroom {

std::string_view FailureName(FailureKind kind) {
  switch (kind) {
    case FailureKind::kInvalidRequest:
      return "INVALID_REQUEST";
    case FailureKind::kNotAnImage:
      return "NOT_AN_IMAGE";
    case FailureKind::kUnsupportedType:
      return "UNSUPPORTED_TYPE";
    case FailureKind::kTooLarge:
      return "TOO_LARGE";
    case FailureKind::kCorrupt:
      return "CORRUPT";
    case FailureKind::kOutOfMemory:
      return "OUT_OF_MEMORY";
    case FailureKind::kOutOfTime:
      return "OUT_OF_TIME";
    case FailureKind::kDied:
      return "DIED";
    case FailureKind::kOutput:
      return "OUTPUT";
    case FailureKind::kNotRunning:
      return "NOT_RUNNING";
  }
  CHECK(false);
}

bool IsPermanent(FailureKind kind) { return kind <= FailureKind::kCorrupt; }

bool IsPermanent(const Error& error) { return IsPermanent(KindOf(error)); }

Error MakeFailure(FailureKind kind, std::string message) {
  ErrorKind error = ErrorKind::kUnavailable;
  if (IsPermanent(kind)) {
    error = ErrorKind::kValidation;
  } else if (kind == FailureKind::kOutput) {
    error = ErrorKind::kIo;
  }
  return Error(error, std::move(message)).WithDetail(std::make_shared<FailureDetail>(kind));
}

std::optional<RetryAdvice> FailureDetail::retry_advice() const {
  if (IsPermanent(kind_)) {
    return RetryAdvice::kNever;
  }
  return kind_ == FailureKind::kNotRunning ? RetryAdvice::kRefused : RetryAdvice::kOutcomeOpen;
}

FailureKind KindOf(const Error& error) {
  const auto* detail = error.DetailAs<FailureDetail>();
  return detail == nullptr ? FailureKind::kDied : detail->kind();
}

}  // namespace tintype::darkroom
