#include "tables/wire/error_table.h"

#include <algorithm>
#include <array>

namespace tintype::tables::wire {

namespace {

// The first entry of a code is what we answer; further ones are only understood. The prefix differs
// by the layer of AWS's service that finds the fault: its web framework, the framework's
// validation, or DynamoDB itself. SDKs look only at what follows the '#'.
//
// An internal error leaves open whether a write was carried out: DynamoDB's documentation says so
// of its own.
constexpr auto kEntries = std::to_array<ErrorEntry>({
    {ErrorCode::kInternal, "com.amazonaws.dynamodb.v20120810#InternalServerError", 500,
     Retry::kOutcomeOpen},
    {ErrorCode::kValidation, "com.amazon.coral.validate#ValidationException"},
    {ErrorCode::kSerialization, "com.amazon.coral.service#SerializationException"},
    {ErrorCode::kConditionFailed,
     "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"},
    {ErrorCode::kTransactionCanceled,
     "com.amazonaws.dynamodb.v20120810#TransactionCanceledException"},
    {ErrorCode::kIdempotentMismatch,
     "com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException"},
    {ErrorCode::kNotFound, "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"},
    {ErrorCode::kInUse, "com.amazonaws.dynamodb.v20120810#ResourceInUseException"},
    {ErrorCode::kLimitExceeded, "com.amazonaws.dynamodb.v20120810#LimitExceededException"},
    {ErrorCode::kExpiredIterator, "com.amazonaws.dynamodb.v20120810#ExpiredIteratorException"},
    {ErrorCode::kTrimmed, "com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException"},
    {ErrorCode::kTableExists, "com.amazonaws.dynamodb.v20120810#TableAlreadyExistsException"},
    {ErrorCode::kTableNotFound, "com.amazonaws.dynamodb.v20120810#TableNotFoundException"},
    {ErrorCode::kBackupNotFound, "com.amazonaws.dynamodb.v20120810#BackupNotFoundException"},
    {ErrorCode::kBackupInUse, "com.amazonaws.dynamodb.v20120810#BackupInUseException"},
    {ErrorCode::kRecoveryUnavailable,
     "com.amazonaws.dynamodb.v20120810#PointInTimeRecoveryUnavailableException"},
    {ErrorCode::kInvalidRestoreTime,
     "com.amazonaws.dynamodb.v20120810#InvalidRestoreTimeException"},
    {ErrorCode::kInvalidExportTime, "com.amazonaws.dynamodb.v20120810#InvalidExportTimeException"},
    {ErrorCode::kExportNotFound, "com.amazonaws.dynamodb.v20120810#ExportNotFoundException"},
    {ErrorCode::kExportConflict, "com.amazonaws.dynamodb.v20120810#ExportConflictException"},
    {ErrorCode::kImportNotFound, "com.amazonaws.dynamodb.v20120810#ImportNotFoundException"},
    {ErrorCode::kImportConflict, "com.amazonaws.dynamodb.v20120810#ImportConflictException"},
    {ErrorCode::kUnknownOperation, "com.amazon.coral.service#UnknownOperationException"},
    {ErrorCode::kMissingAuthentication,
     "com.amazon.coral.service#MissingAuthenticationTokenException"},
    {ErrorCode::kIncompleteSignature, "com.amazon.coral.service#IncompleteSignatureException"},
    {ErrorCode::kUnrecognizedClient, "com.amazon.coral.service#UnrecognizedClientException"},
    {ErrorCode::kInvalidSignature, "com.amazon.coral.service#InvalidSignatureException"},
    {ErrorCode::kAccessDenied, "com.amazon.coral.service#AccessDeniedException"},
    {ErrorCode::kRequestTooLarge, "com.amazon.coral.service#RequestEntityTooLargeException", 413},
    // SDKs back off and try again.
    {ErrorCode::kOverloaded, "com.amazon.coral.availability#ThrottlingException", 400,
     Retry::kRefused},
    {ErrorCode::kUnavailable, "com.amazon.coral.service#ServiceUnavailableException", 503,
     Retry::kOutcomeOpen},

    // What other services answer and we do not.
    {ErrorCode::kOverloaded,
     "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException", 400,
     Retry::kRefused},
    {ErrorCode::kOverloaded, "com.amazonaws.dynamodb.v20120810#RequestLimitExceeded", 400,
     Retry::kRefused},
    // Something else is being done to the item, or with the token, at this moment.
    {ErrorCode::kOverloaded, "com.amazonaws.dynamodb.v20120810#TransactionConflictException", 400,
     Retry::kRefused},
    {ErrorCode::kOverloaded, "com.amazonaws.dynamodb.v20120810#TransactionInProgressException", 400,
     Retry::kRefused},
    {ErrorCode::kOverloaded, "com.amazonaws.dynamodb.v20120810#ReplicatedWriteConflictException",
     400, Retry::kRefused},
    {ErrorCode::kLimitExceeded,
     "com.amazonaws.dynamodb.v20120810#ItemCollectionSizeLimitExceededException"},
    {ErrorCode::kInUse, "com.amazonaws.dynamodb.v20120810#TableInUseException"},
    {ErrorCode::kUnrecognizedClient, "com.amazon.coral.service#InvalidClientTokenIdException"},
    {ErrorCode::kUnrecognizedClient, "com.amazon.coral.service#ExpiredTokenException"},
    {ErrorCode::kInternal, "com.amazon.coral.service#InternalFailure", 500, Retry::kOutcomeOpen},
    {ErrorCode::kUnavailable, "com.amazon.coral.service#ServiceUnavailable", 503,
     Retry::kOutcomeOpen},
});

std::string_view ShortName(std::string_view exception) {
  // Without a '#' this is the whole, since npos + 1 is 0.
  return exception.substr(exception.find('#') + 1);
}

}  // namespace

const ErrorEntry& ErrorEntryFor(ErrorCode code) {
  const auto* found = std::ranges::find(kEntries, code, &ErrorEntry::code);
  // Damage, refusals of the operating system and the like are internal errors to a client.
  return found != kEntries.end() ? *found : kEntries.front();
}

const ErrorEntry* FindErrorEntry(std::string_view exception) {
  const auto* found =
      std::ranges::find_if(kEntries, [name = ShortName(exception)](const ErrorEntry& entry) {
        return ShortName(entry.exception) == name;
      });
  return found != kEntries.end() ? found : nullptr;
}

}  // namespace tintype::tables::wire
