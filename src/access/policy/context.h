#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tintype::access {

/// The condition keys that a request can have a value for. All others are absent.
enum class ConditionKey : uint8_t {
  kLeadingKeys,             ///< `dynamodb:LeadingKeys`
  kAttributes,              ///< `dynamodb:Attributes`
  kSelect,                  ///< `dynamodb:Select`
  kReturnValues,            ///< `dynamodb:ReturnValues`
  kReturnConsumedCapacity,  ///< `dynamodb:ReturnConsumedCapacity`
  kEnclosingOperation,      ///< `dynamodb:EnclosingOperation`
  kFullTableScan,           ///< `dynamodb:FullTableScan`
  kSourceIp,                ///< `aws:SourceIp`
  kCurrentTime,             ///< `aws:CurrentTime`
  kEpochTime,               ///< `aws:EpochTime`
  kSecureTransport,         ///< `aws:SecureTransport`
  kUsername,                ///< `aws:username`
  kUserId,                  ///< `aws:userid`
  kPrincipalArn,            ///< `aws:PrincipalArn`
  kPrincipalType,           ///< `aws:PrincipalType`
  kPrincipalAccount,        ///< `aws:PrincipalAccount`
  kUserAgent,               ///< `aws:UserAgent`
  kRequestedRegion,         ///< `aws:RequestedRegion`
  kUnknown,                 ///< A key of another service, or one that AWS alone has.
};

/// What policies can ask about a request beside its action and resource. Views: nothing is copied,
/// and all of it has to outlive the evaluation. A text or list that is empty, and an optional
/// without a value, is an absent key; AWS treats null values and keys that are not there alike.
struct PolicyContext {
  /// The partition keys that the request names: the text of a string, a number as DynamoDB writes
  /// it, the Base64 of binary. Absent for a Scan.
  std::span<const std::string_view> leading_keys;
  /// The top-level attributes that the request names or gets back; absent when it names none and so
  /// gets all of them.
  std::span<const std::string_view> attributes;
  /// Of reads, as in effect: `ALL_ATTRIBUTES` when the request names none, else
  /// `SPECIFIC_ATTRIBUTES`. By AWS's guide it always has a value, for GetItem and BatchGetItem too,
  /// although these have no such parameter: policies for some attributes rely on it.
  std::string_view select;
  /// Of PutItem, UpdateItem and DeleteItem, as in effect: `NONE` when the request says nothing.
  /// `ALL_OLD` also for ReturnValuesOnConditionCheckFailure, in a decision of its own.
  std::string_view return_values;
  std::string_view return_consumed_capacity;
  /// `TransactGetItems` or `TransactWriteItems`, for the parts of a transaction.
  std::string_view enclosing_operation;
  std::optional<bool> full_table_scan;

  /// IPv4 or IPv6, without a port.
  std::string_view source_ip;
  /// Milliseconds since the Unix epoch.
  std::optional<int64_t> now_ms;
  std::optional<bool> secure_transport;

  /// The name of the access key.
  std::string_view username;
  std::string_view user_id;
  /// Such as `arn:aws:iam::000000000000:user/NAME`.
  std::string_view principal_arn;
  /// `Account` for the root key, else `User`.
  std::string_view principal_type;
  std::string_view principal_account;
  std::string_view user_agent;
  std::string_view requested_region;
};

}  // namespace tintype::access
