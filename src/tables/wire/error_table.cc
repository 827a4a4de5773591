#include "tables/wire/error_table.h"

#include <algorithm>
#include <array>

#include "sigv4/sigv4.h"
#include "tables/language/errors.h"

namespace tintype::tables::wire {

namespace {

// The first entry of a reason is what we answer; further ones are only understood. The prefix
// differs by the layer of AWS's service that finds the fault: its web framework, the framework's
// validation, or DynamoDB itself. SDKs look only at what follows the '#'.
constexpr auto kEntries = std::to_array<ErrorEntry>({
    {ErrorKind::kInternal, "com.amazonaws.dynamodb.v20120810#InternalServerError", 500},
    {ErrorKind::kValidation, "com.amazon.coral.validate#ValidationException"},
    {reasons::kSerialization, "com.amazon.coral.service#SerializationException"},
    {ErrorKind::kConditionFailed,
     "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"},
    {reasons::kTransactionCanceled,
     "com.amazonaws.dynamodb.v20120810#TransactionCanceledException"},
    {reasons::kIdempotentMismatch,
     "com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException"},
    {ErrorKind::kNotFound, "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"},
    {ErrorKind::kInUse, "com.amazonaws.dynamodb.v20120810#ResourceInUseException"},
    {ErrorKind::kLimitExceeded, "com.amazonaws.dynamodb.v20120810#LimitExceededException"},
    {reasons::kExpiredIterator, "com.amazonaws.dynamodb.v20120810#ExpiredIteratorException"},
    {reasons::kTrimmed, "com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException"},
    {reasons::kTableExists, "com.amazonaws.dynamodb.v20120810#TableAlreadyExistsException"},
    {reasons::kTableNotFound, "com.amazonaws.dynamodb.v20120810#TableNotFoundException"},
    {reasons::kPolicyNotFound, "com.amazonaws.dynamodb.v20120810#PolicyNotFoundException"},
    {reasons::kBackupNotFound, "com.amazonaws.dynamodb.v20120810#BackupNotFoundException"},
    {reasons::kBackupInUse, "com.amazonaws.dynamodb.v20120810#BackupInUseException"},
    {reasons::kRecoveryUnavailable,
     "com.amazonaws.dynamodb.v20120810#PointInTimeRecoveryUnavailableException"},
    {reasons::kInvalidRestoreTime, "com.amazonaws.dynamodb.v20120810#InvalidRestoreTimeException"},
    {reasons::kInvalidExportTime, "com.amazonaws.dynamodb.v20120810#InvalidExportTimeException"},
    {reasons::kExportNotFound, "com.amazonaws.dynamodb.v20120810#ExportNotFoundException"},
    {reasons::kExportConflict, "com.amazonaws.dynamodb.v20120810#ExportConflictException"},
    {reasons::kImportNotFound, "com.amazonaws.dynamodb.v20120810#ImportNotFoundException"},
    {reasons::kImportConflict, "com.amazonaws.dynamodb.v20120810#ImportConflictException"},
    {reasons::kUnknownOperation, "com.amazon.coral.service#UnknownOperationException"},
    {sigv4::reasons::kMissingAuthentication,
     "com.amazon.coral.service#MissingAuthenticationTokenException"},
    {sigv4::reasons::kIncompleteSignature, "com.amazon.coral.service#IncompleteSignatureException"},
    {sigv4::reasons::kUnrecognizedClient, "com.amazon.coral.service#UnrecognizedClientException"},
    {sigv4::reasons::kInvalidSignature, "com.amazon.coral.service#InvalidSignatureException"},
    {ErrorKind::kAccessDenied, "com.amazon.coral.service#AccessDeniedException"},
    {ErrorKind::kRequestTooLarge, "com.amazon.coral.service#RequestEntityTooLargeException", 413},
    // SDKs back off and try again.
    {ErrorKind::kOverloaded, "com.amazon.coral.availability#ThrottlingException"},
    {ErrorKind::kUnavailable, "com.amazon.coral.service#ServiceUnavailableException", 503},

    // What other services answer and we do not.
    {ErrorKind::kOverloaded,
     "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"},
    {ErrorKind::kOverloaded, "com.amazonaws.dynamodb.v20120810#RequestLimitExceeded"},
    // Something else is being done to the item, or with the token, at this moment.
    {ErrorKind::kOverloaded, "com.amazonaws.dynamodb.v20120810#TransactionConflictException"},
    {ErrorKind::kOverloaded, "com.amazonaws.dynamodb.v20120810#TransactionInProgressException"},
    {ErrorKind::kOverloaded, "com.amazonaws.dynamodb.v20120810#ReplicatedWriteConflictException"},
    {ErrorKind::kLimitExceeded,
     "com.amazonaws.dynamodb.v20120810#ItemCollectionSizeLimitExceededException"},
    {ErrorKind::kInUse, "com.amazonaws.dynamodb.v20120810#TableInUseException"},
    {sigv4::reasons::kUnrecognizedClient, "com.amazon.coral.service#InvalidClientTokenIdException"},
    {sigv4::reasons::kUnrecognizedClient, "com.amazon.coral.service#ExpiredTokenException"},
    {ErrorKind::kInternal, "com.amazon.coral.service#InternalFailure", 500},
    {ErrorKind::kUnavailable, "com.amazon.coral.service#ServiceUnavailable", 503},
});

std::string_view ShortName(std::string_view exception) {
  // Without a '#' this is the whole, since npos + 1 is 0.
  return exception.substr(exception.find('#') + 1);
}

}  // namespace

const ErrorEntry& ErrorEntryFor(const Reason& reason) {
  for (const Reason& wanted : {reason, Reason(reason.kind)}) {
    const auto* found = std::ranges::find(kEntries, wanted, &ErrorEntry::reason);
    if (found != kEntries.end()) {
      return *found;
    }
  }
  // Damage, refusals of the operating system and the like are internal errors to a client.
  return kEntries.front();
}

const ErrorEntry* FindErrorEntry(std::string_view exception) {
  const auto* found =
      std::ranges::find_if(kEntries, [name = ShortName(exception)](const ErrorEntry& entry) {
        return ShortName(entry.exception) == name;
      });
  return found != kEntries.end() ? found : nullptr;
}

}  // namespace tintype::tables::wire
