#include "http/dynamodb/error_table.h"

namespace tintype::http::dynamodb {

// The prefix differs by the layer of AWS's service that finds the fault: its web framework, the
// framework's validation, or DynamoDB itself. SDKs look only at what follows the '#'.
ErrorEntry ErrorEntryFor(ErrorCode code) {
  switch (code) {
    case ErrorCode::kValidation:
      return {"com.amazon.coral.validate#ValidationException", 400};
    case ErrorCode::kSerialization:
      return {"com.amazon.coral.service#SerializationException", 400};
    case ErrorCode::kConditionFailed:
      return {"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException", 400};
    case ErrorCode::kTransactionCanceled:
      return {"com.amazonaws.dynamodb.v20120810#TransactionCanceledException", 400};
    case ErrorCode::kIdempotentMismatch:
      return {"com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException", 400};
    case ErrorCode::kNotFound:
      return {"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException", 400};
    case ErrorCode::kInUse:
      return {"com.amazonaws.dynamodb.v20120810#ResourceInUseException", 400};
    case ErrorCode::kLimitExceeded:
      return {"com.amazonaws.dynamodb.v20120810#LimitExceededException", 400};
    case ErrorCode::kUnknownOperation:
      return {"com.amazon.coral.service#UnknownOperationException", 400};
    case ErrorCode::kMissingAuthentication:
      return {"com.amazon.coral.service#MissingAuthenticationTokenException", 400};
    case ErrorCode::kIncompleteSignature:
      return {"com.amazon.coral.service#IncompleteSignatureException", 400};
    case ErrorCode::kUnrecognizedClient:
      return {"com.amazon.coral.service#UnrecognizedClientException", 400};
    case ErrorCode::kInvalidSignature:
      return {"com.amazon.coral.service#InvalidSignatureException", 400};
    case ErrorCode::kAccessDenied:
      return {"com.amazon.coral.service#AccessDeniedException", 400};
    case ErrorCode::kRequestTooLarge:
      return {"com.amazon.coral.service#RequestEntityTooLargeException", 413};
    case ErrorCode::kOverloaded:
      // SDKs back off and try again.
      return {"com.amazon.coral.availability#ThrottlingException", 400};
    case ErrorCode::kUnavailable:
      return {"com.amazon.coral.service#ServiceUnavailableException", 503};
    case ErrorCode::kAlreadyOpen:
    case ErrorCode::kCorruption:
    case ErrorCode::kIo:
    case ErrorCode::kInternal:
      break;
  }
  return {"com.amazonaws.dynamodb.v20120810#InternalServerError", 500};
}

}  // namespace tintype::http::dynamodb
