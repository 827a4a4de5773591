#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace tintype {

/// What went wrong, in the terms a caller can act on. `tables/wire/error_table.h` maps each code to
/// a DynamoDB exception and an HTTP status, and back; nothing else interprets them.
enum class ErrorCode {
  kValidation,             ///< The request is malformed or breaks a documented limit.
  kSerialization,          ///< The request's JSON does not have the documented shape.
  kConditionFailed,        ///< A condition was false; may carry the item that failed it.
  kTransactionCanceled,    ///< A transaction was not applied; carries a reason per action.
  kIdempotentMismatch,     ///< A client token was reused with other parameters.
  kNotFound,               ///< The table, index or resource does not exist.
  kInUse,                  ///< The table or index exists already, or is being changed.
  kLimitExceeded,          ///< Too many of something at once.
  kExpiredIterator,        ///< A stream's iterator is too old to be used.
  kTrimmed,                ///< The records asked for are older than what is kept.
  kTableExists,            ///< As kInUse and kNotFound, of the operations that restore, export and
  kTableNotFound,          ///<   import tables, for which DynamoDB has other names.
  kBackupNotFound,         ///< No such backup.
  kBackupInUse,            ///< The backup is being made, restored or deleted.
  kRecoveryUnavailable,    ///< Recovery is not on for the table.
  kInvalidRestoreTime,     ///< Not within the time that can be recovered.
  kInvalidExportTime,      ///< The same, of an export.
  kExportNotFound,         ///< No such export.
  kExportConflict,         ///< The export's token, or what it would write, is another's.
  kImportNotFound,         ///< No such import.
  kImportConflict,         ///< The import's token is another's.
  kUnknownOperation,       ///< No such operation.
  kMissingAuthentication,  ///< No credentials were presented.
  kIncompleteSignature,    ///< Credentials were presented in a form that cannot be read.
  kUnrecognizedClient,     ///< The access key is not known.
  kInvalidSignature,       ///< The signature or its date is wrong.
  kAccessDenied,           ///< Known, but not allowed.
  kRequestTooLarge,        ///< The request body is over its limit.
  kOverloaded,             ///< A bounded queue is full; try again.
  kUnavailable,            ///< Shutting down, or not able to serve just now.
  kAlreadyOpen,            ///< Another process holds the data directory.
  kCorruption,             ///< Stored bytes are damaged; the message names the file, if known.
  kIo,                     ///< The operating system refused.
  kInternal,               ///< A bug of ours.
};

/// Extra structure that some errors carry, such as the item a failed condition returns. Rooms
/// derive their own; readers use Error::DetailAs.
class ErrorDetail {
 public:
  virtual ~ErrorDetail() = default;
};

/// An error value: a code, a message that may be shown to a client, and an internal note that never
/// leaves the process except in logs. Cheap to move; copies share the detail.
class Error {
 public:
  Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

  static Error Validation(std::string message) {
    return {ErrorCode::kValidation, std::move(message)};
  }
  static Error Serialization(std::string message) {
    return {ErrorCode::kSerialization, std::move(message)};
  }
  static Error NotFound(std::string message) { return {ErrorCode::kNotFound, std::move(message)}; }
  static Error InUse(std::string message) { return {ErrorCode::kInUse, std::move(message)}; }
  static Error LimitExceeded(std::string message) {
    return {ErrorCode::kLimitExceeded, std::move(message)};
  }
  static Error Corruption(std::string message) {
    return {ErrorCode::kCorruption, std::move(message)};
  }
  static Error Io(std::string message) { return {ErrorCode::kIo, std::move(message)}; }
  static Error Internal(std::string note) {
    return Error(ErrorCode::kInternal, "Internal server error").WithNote(std::move(note));
  }

  [[nodiscard]] Error WithNote(std::string note) && {
    note_ = std::move(note);
    return std::move(*this);
  }
  [[nodiscard]] Error WithDetail(std::shared_ptr<const ErrorDetail> detail) && {
    detail_ = std::move(detail);
    return std::move(*this);
  }

  ErrorCode code() const { return code_; }
  /// Safe to show to a client.
  const std::string& message() const { return message_; }
  /// For logs only.
  const std::string& note() const { return note_; }

  /// The detail if the error carries one of type T, else null.
  template <typename T>
  const T* DetailAs() const {
    return dynamic_cast<const T*>(detail_.get());
  }

 private:
  ErrorCode code_;
  std::string message_;
  std::string note_;
  std::shared_ptr<const ErrorDetail> detail_;  // Shared so that copying an error stays cheap.
};

}  // namespace tintype
