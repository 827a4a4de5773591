#pragma once

#include <cstddef>
#include <cstdint>

/// DynamoDB's documented limits. Everything a client can grow is bounded by one of these.
namespace tintype::tables::limits {

inline constexpr size_t kItemBytes = 400 * 1024;
inline constexpr size_t kAttributeNameBytes = 65535;
inline constexpr size_t kKeyAttributeNameBytes = 255;
inline constexpr size_t kHashKeyBytes = 2048;
inline constexpr size_t kRangeKeyBytes = 1024;
inline constexpr int kNestingLevels = 32;

/// Names of tables and indexes.
inline constexpr size_t kNameBytesMin = 3;
inline constexpr size_t kNameBytes = 255;

inline constexpr size_t kPlaceholderBytes = 255;
inline constexpr size_t kExpressionBytes = 4096;
inline constexpr int kExpressionOperators = 300;
inline constexpr size_t kInOperands = 100;
/// All ExpressionAttributeNames and ExpressionAttributeValues of a request together.
inline constexpr size_t kExpressionVariableBytes = 2 * 1024 * 1024;
/// The values in a parsed expression, each counted as often as it is used. A limit of ours: a few
/// bytes of text can name a large value a thousand times.
inline constexpr size_t kExpressionValueUseBytes = 16 * 1024 * 1024;

inline constexpr size_t kPageBytes = 1024 * 1024;
inline constexpr size_t kAttributesToGet = 255;
inline constexpr int64_t kScanSegments = 1'000'000;
inline constexpr size_t kListedTables = 100;
inline constexpr size_t kBatchGetKeys = 100;
inline constexpr size_t kBatchGetBytes = 16 * 1024 * 1024;
inline constexpr size_t kBatchWriteActions = 25;
inline constexpr size_t kTransactActions = 100;
inline constexpr size_t kTransactBytes = 4 * 1024 * 1024;
inline constexpr size_t kClientTokenBytes = 36;
inline constexpr int64_t kIdempotencyMs = 10 * 60 * 1000;

inline constexpr size_t kLocalIndexes = 5;
inline constexpr size_t kGlobalIndexes = 20;
inline constexpr size_t kKeyAttributesPerRole = 4;
inline constexpr size_t kIncludedAttributesPerIndex = 20;
inline constexpr size_t kProjectedAttributes = 100;
inline constexpr size_t kTagsPerResource = 50;
inline constexpr size_t kResourcePolicyBytes = 20 * 1024;  // Blanks included.
inline constexpr size_t kRevisionIdBytes = 255;
inline constexpr size_t kResourceArnBytes = 1283;

inline constexpr size_t kListedStreams = 100;
inline constexpr size_t kListedShards = 100;
inline constexpr size_t kStreamRecords = 1000;
inline constexpr size_t kListedBackups = 100;
inline constexpr size_t kListedTransfers = 25;
inline constexpr int64_t kRecoveryDays = 35;

}  // namespace tintype::tables::limits
