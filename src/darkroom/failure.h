#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace tintype::darkroom {

/// Why an item failed. The first ones are the file's or the request's fault: trying again gives the
/// same. The others are worth another attempt, but not many: the same file may do it again.
enum class FailureKind : uint8_t {
  kInvalidRequest,   ///< Such as a crop outside of the image.
  kNotAnImage,       ///< Empty, or not a media file at all.
  kUnsupportedType,  ///< Media, but of a type that is not developed.
  kTooLarge,         ///< Over a limit on bytes or pixels.
  kCorrupt,          ///< Damaged beyond use.
  kOutOfMemory,      ///< Needed more memory than an item may have.
  kOutOfTime,        ///< Needed more time than an item may have.
  kDied,             ///< The helper ended, or answered nonsense.
  kOutput,           ///< An output could not be written.
  kNotRunning,       ///< There is no helper: stopped, or it does not start.
};

/// The name of a kind as records and logs have it, such as "TOO_LARGE".
std::string_view FailureName(FailureKind kind);

/// What the errors of this room carry; read it with KindOf.
class FailureDetail : public ErrorDetail {
 public:
  explicit FailureDetail(FailureKind kind) : kind_(kind) {}
  FailureKind kind() const { return kind_; }

  /// Another helper may manage what one died of; without any helper the file was not even looked
  /// at.
  std::optional<RetryAdvice> retry_advice() const override;

 private:
  FailureKind kind_;
};

/// An error of that kind, whose message may be shown to a person. It is of the kind kValidation
/// if it is permanent, kIo for kOutput, else kUnavailable.
Error MakeFailure(FailureKind kind, std::string message);

/// Whether trying again is of no use.
bool IsPermanent(FailureKind kind);
bool IsPermanent(const Error& error);

/// The kind of an error of this room; kDied for any other error.
FailureKind KindOf(const Error& error);

}  // namespace tintype::darkroom
