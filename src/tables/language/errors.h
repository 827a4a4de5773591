#pragma once

#include <string>
#include <utility>

#include "base/error.h"

/// The cases of errors that DynamoDB tells apart and a kind alone does not. DynamoDB's names for
/// them are in `tables/wire/error_table.h`.
namespace tintype::tables {

namespace reasons {

/// The request's JSON does not have the documented shape.
inline constexpr Reason kSerialization{ErrorKind::kValidation, "Serialization"};
/// A transaction was not applied; carries a CancellationDetail.
inline constexpr Reason kTransactionCanceled{ErrorKind::kAborted, "TransactionCanceled"};
/// A client token was used again with other parameters.
inline constexpr Reason kIdempotentMismatch{ErrorKind::kValidation, "IdempotentMismatch"};
/// No such operation.
inline constexpr Reason kUnknownOperation{ErrorKind::kValidation, "UnknownOperation"};
/// A stream's iterator is too old to be used.
inline constexpr Reason kExpiredIterator{ErrorKind::kValidation, "ExpiredIterator"};
/// The records asked for are older than those that are kept.
inline constexpr Reason kTrimmed{ErrorKind::kNotFound, "Trimmed"};
/// Another process holds the data directory.
inline constexpr Reason kAlreadyOpen{ErrorKind::kInUse, "AlreadyOpen"};

// The operations that restore, export and import tables have names of their own for tables that
// exist or do not.
inline constexpr Reason kTableExists{ErrorKind::kInUse, "TableExists"};
inline constexpr Reason kTableNotFound{ErrorKind::kNotFound, "TableNotFound"};

/// The table or stream has no policy, or not the one that was expected.
inline constexpr Reason kPolicyNotFound{ErrorKind::kNotFound, "PolicyNotFound"};

inline constexpr Reason kBackupNotFound{ErrorKind::kNotFound, "BackupNotFound"};
/// The backup is being made, restored or deleted.
inline constexpr Reason kBackupInUse{ErrorKind::kInUse, "BackupInUse"};
/// Recovery is not on for the table.
inline constexpr Reason kRecoveryUnavailable{ErrorKind::kInUse, "RecoveryUnavailable"};
/// Not within the time that can be recovered.
inline constexpr Reason kInvalidRestoreTime{ErrorKind::kValidation, "InvalidRestoreTime"};
/// The same, of an export.
inline constexpr Reason kInvalidExportTime{ErrorKind::kValidation, "InvalidExportTime"};

inline constexpr Reason kExportNotFound{ErrorKind::kNotFound, "ExportNotFound"};
/// The export's token, or what it would write, is another's.
inline constexpr Reason kExportConflict{ErrorKind::kInUse, "ExportConflict"};
inline constexpr Reason kImportNotFound{ErrorKind::kNotFound, "ImportNotFound"};
/// The import's token is another's.
inline constexpr Reason kImportConflict{ErrorKind::kInUse, "ImportConflict"};

}  // namespace reasons

inline Error SerializationError(std::string message) {
  return {reasons::kSerialization, std::move(message)};
}

}  // namespace tintype::tables
