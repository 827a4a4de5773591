#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/retry_advice.h"

namespace tintype {

/// What a caller can do about an error, in general. Few on purpose: a case that a caller has to
/// tell apart is a Reason.
enum class ErrorKind {
  kValidation,       ///< The request is malformed or breaks a documented limit.
  kUnauthenticated,  ///< The caller is unknown: no credentials, or wrong ones.
  kAccessDenied,     ///< The caller is known, but not allowed.
  kNotFound,         ///< The thing does not exist.
  kInUse,            ///< The thing exists already, or its state does not allow this now.
  kConditionFailed,  ///< A condition was false: somebody else changed the thing first.
  kAborted,          ///< A transaction was not applied; its detail says why.
  kLimitExceeded,    ///< A limit or quota is used up.
  kRequestTooLarge,  ///< The request body is over its limit.
  kOverloaded,       ///< A bounded queue is full; try again.
  kUnavailable,      ///< Shutting down, or not able to serve just now.
  kCorruption,       ///< Stored bytes are damaged; the message names the file, if known.
  kIo,               ///< The operating system refused.
  kInternal,         ///< A bug of ours.
};

/// One case of a kind, by a name that stays the same: programs compare reasons, people read
/// messages. Reasons are constants, each owned by the room whose rule it is:
///
///   inline constexpr Reason kUsernameTaken{ErrorKind::kInUse, "UsernameTaken"};
///
/// A kind converts to a reason without a name, which stands for every case of the kind.
struct Reason {
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Reason(ErrorKind general) : kind(general) {}
  /// `text` is a literal: it outlives every error.
  constexpr Reason(ErrorKind of, std::string_view text) : kind(of), name(text) {}

  bool operator==(const Reason& other) const = default;

  ErrorKind kind;
  std::string_view name;  // Empty when the kind says it all.
};

/// Extra structure that some errors carry, such as the item a failed condition returns. Rooms
/// derive their own; readers use Error::DetailAs.
class ErrorDetail {
 public:
  virtual ~ErrorDetail() = default;

  /// What the detail knows better than the error's kind about trying again.
  virtual std::optional<RetryAdvice> retry_advice() const { return std::nullopt; }
};

/// An error value: a reason, a message that may be shown to a client, and an internal note that
/// never leaves the process except in logs. Code decides by kind and reason, never by the message's
/// text (tools/check_errors.py). Cheap to move; copies share the detail.
class Error {
 public:
  Error(Reason reason, std::string message) : reason_(reason), message_(std::move(message)) {}

  static Error Validation(std::string message) {
    return {ErrorKind::kValidation, std::move(message)};
  }
  static Error NotFound(std::string message) { return {ErrorKind::kNotFound, std::move(message)}; }
  static Error InUse(std::string message) { return {ErrorKind::kInUse, std::move(message)}; }
  static Error LimitExceeded(std::string message) {
    return {ErrorKind::kLimitExceeded, std::move(message)};
  }
  static Error Corruption(std::string message) {
    return {ErrorKind::kCorruption, std::move(message)};
  }
  static Error Io(std::string message) { return {ErrorKind::kIo, std::move(message)}; }
  static Error Internal(std::string note) {
    return Error(ErrorKind::kInternal, "Internal server error").WithNote(std::move(note));
  }

  [[nodiscard]] Error WithNote(std::string note) && {
    note_ = std::move(note);
    return std::move(*this);
  }
  [[nodiscard]] Error WithDetail(std::shared_ptr<const ErrorDetail> detail) && {
    detail_ = std::move(detail);
    return std::move(*this);
  }
  /// The same error under another reason, for a caller to whom it means something else.
  [[nodiscard]] Error WithReason(Reason reason) && {
    reason_ = reason;
    return std::move(*this);
  }

  ErrorKind kind() const { return reason_.kind; }
  const Reason& reason() const { return reason_; }
  /// Whether this is that case; for a reason without a name, any case of its kind.
  bool Is(const Reason& reason) const {
    return reason.name.empty() ? reason_.kind == reason.kind : reason_ == reason;
  }
  /// Safe to show to a client.
  const std::string& message() const { return message_; }
  /// For logs only.
  const std::string& note() const { return note_; }

  /// The detail if the error carries one of type T, else null.
  template <typename T>
  const T* DetailAs() const {
    return dynamic_cast<const T*>(detail_.get());
  }
  const ErrorDetail* detail() const { return detail_.get(); }

 private:
  Reason reason_;
  std::string message_;
  std::string note_;
  std::shared_ptr<const ErrorDetail> detail_;  // Shared so that copying an error stays cheap.
};

}  // namespace tintype
