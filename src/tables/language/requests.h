#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "tables/language/expressions/condition.h"
#include "tables/language/expressions/key_condition.h"
#include "tables/language/expressions/projection.h"
#include "tables/language/expressions/update.h"
#include "tables/language/limits.h"
#include "tables/language/schema.h"
#include "tables/language/values/value.h"

/// DynamoDB's operations as types: what a request asks and what a response says. Expressions are
/// parsed (expressions.h) and legacy parameters translated before a request is made.
namespace tintype::tables {

enum class ReturnCapacity { kNone, kTotal, kIndexes };
enum class ReturnValues { kNone, kAllOld, kUpdatedOld, kAllNew, kUpdatedNew };

/// Capacity that one table and its indexes were charged.
struct ConsumedCapacity {
  struct Units {
    double read = 0;
    double write = 0;
    double total() const { return read + write; }
  };
  std::string table;
  Units table_units;
  std::map<std::string, Units> local_indexes;
  std::map<std::string, Units> global_indexes;
  /// Transactions report read and write units apart, in TOTAL too.
  bool show_read_write = false;
  /// INDEXES was asked for.
  bool show_breakdown = false;

  double Total() const;
};

/// For tables with local indexes, if asked for: the partition that was written and its estimated
/// size.
struct ItemCollectionMetrics {
  Item collection_key;
  double size_gb_low = 0;
  double size_gb_high = 0;
};

// Single items.

struct GetItemRequest {
  std::string table;
  Item key;
  std::optional<Projection> projection;
  bool consistent_read = false;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};
struct GetItemResponse {
  std::optional<Item> item;
  std::optional<ConsumedCapacity> capacity;
};

/// What the four single-item writes have in common.
struct WriteOptions {
  std::optional<Condition> condition;
  /// Put and Delete take kNone and kAllOld; Update takes all.
  ReturnValues return_values = ReturnValues::kNone;
  /// ALL_OLD: a failed condition carries the item (ConditionFailedDetail).
  bool return_old_on_condition_failure = false;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  bool return_collection_metrics = false;
};
struct PutItemRequest {
  std::string table;
  Item item;
  WriteOptions options;
};
struct DeleteItemRequest {
  std::string table;
  Item key;
  WriteOptions options;
};
struct UpdateItemRequest {
  std::string table;
  Item key;
  Update update;
  WriteOptions options;
};
struct WriteItemResponse {
  std::optional<Item> attributes;
  std::optional<ConsumedCapacity> capacity;
  std::optional<ItemCollectionMetrics> collection_metrics;
};

// Batches.

struct BatchGetItemRequest {
  struct Table {
    std::string table;
    std::vector<Item> keys;
    std::optional<Projection> projection;
    bool consistent_read = false;
  };
  std::vector<Table> tables;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};
struct BatchGetItemResponse {
  /// Per table of the request, in its order.
  std::vector<std::pair<std::string, std::vector<Item>>> items;
  /// Keys left over when the answer grew to its limit, as positions into the request's tables.
  struct Unprocessed {
    size_t table_index = 0;
    std::vector<Item> keys;
  };
  std::vector<Unprocessed> unprocessed;
  std::vector<ConsumedCapacity> capacity;
};

struct BatchWriteItemRequest {
  struct Put {
    Item item;
  };
  struct Delete {
    Item key;
  };
  struct Table {
    std::string table;
    std::vector<std::variant<Put, Delete>> actions;
  };
  std::vector<Table> tables;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  bool return_collection_metrics = false;
};
struct BatchWriteItemResponse {
  std::vector<ConsumedCapacity> capacity;
  std::vector<std::pair<std::string, std::vector<ItemCollectionMetrics>>> collection_metrics;
};

// Query and Scan.

enum class Select { kAllAttributes, kAllProjectedAttributes, kSpecificAttributes, kCount };

/// What Query and Scan have in common.
struct ReadOptions {
  std::optional<std::string> index;
  std::optional<Condition> filter;
  /// The filter was given as QueryFilter: DynamoDB then names that in its messages.
  bool legacy_filter = false;
  std::optional<Projection> projection;
  /// Absent: all attributes of a table, all projected ones of an index; or what `projection` says.
  std::optional<Select> select;
  std::optional<int64_t> limit;  // At least 1.
  std::optional<Item> exclusive_start_key;
  bool consistent_read = false;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};
struct QueryRequest {
  std::string table;
  KeyCondition key_condition;
  bool forward = true;
  ReadOptions options;
};
struct ScanRequest {
  struct Segment {
    int64_t number = 0;
    int64_t total = 1;
  };
  std::string table;
  std::optional<Segment> segment;
  ReadOptions options;
};
struct ReadResponse {
  std::vector<Item> items;  // Empty for Select::kCount.
  bool count_only = false;
  int64_t count = 0;
  int64_t scanned_count = 0;
  std::optional<Item> last_evaluated_key;
  std::optional<ConsumedCapacity> capacity;
};

// Transactions.

struct TransactGetItemsRequest {
  struct Get {
    std::string table;
    Item key;
    std::optional<Projection> projection;
  };
  std::vector<Get> gets;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};
struct TransactGetItemsResponse {
  std::vector<std::optional<Item>> items;
  std::vector<ConsumedCapacity> capacity;
};

struct TransactWriteItemsRequest {
  struct Put {
    Item item;
  };
  struct Delete {
    Item key;
  };
  struct UpdateAction {
    Item key;
    Update update;
  };
  struct Check {
    Item key;
  };
  struct Action {
    std::string table;
    std::variant<Put, Delete, UpdateAction, Check> what;
    std::optional<Condition> condition;  // Required for Check.
    bool return_old_on_condition_failure = false;
  };
  std::vector<Action> actions;
  std::optional<std::string> client_token;
  /// A digest of the request's parameters: a token may be reused only with the same ones.
  std::string parameters_digest;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  bool return_collection_metrics = false;
};
struct TransactWriteItemsResponse {
  std::vector<ConsumedCapacity> capacity;
  std::vector<std::pair<std::string, std::vector<ItemCollectionMetrics>>> collection_metrics;
};

/// Carried by a kConditionFailed error when the request asked for the item.
struct ConditionFailedDetail : ErrorDetail {
  std::optional<Item> item;
};

/// Carried by a kTransactionCanceled error: one reason per action, in order.
struct CancellationDetail : ErrorDetail {
  struct Reason {
    std::string code = "None";  // None, ConditionalCheckFailed, ValidationError, ...
    std::string message;
    std::optional<Item> item;
  };
  std::vector<Reason> reasons;

  /// Another transaction in the way, or want of capacity, passes; a false condition does not.
  std::optional<RetryAdvice> retry_advice() const override {
    for (const Reason& reason : reasons) {
      if (reason.code != "None" && reason.code != "TransactionConflict" &&
          reason.code != "ThrottlingError" && reason.code != "ProvisionedThroughputExceeded") {
        return RetryAdvice::kNever;
      }
    }
    return RetryAdvice::kRefused;
  }
};

// Tables.

struct CreateTableRequest {
  TableDefinition definition;
  Tags tags;
  std::optional<std::string> resource_policy = std::nullopt;  // A document.
};
struct UpdateTableRequest {
  struct UpdateIndex {
    std::string name;
    std::optional<Throughput> throughput;
    std::optional<Throughput> on_demand_throughput;
  };
  struct DeleteIndex {
    std::string name;
  };
  using IndexChange = std::variant<IndexDefinition, UpdateIndex, DeleteIndex>;

  std::string table;
  std::vector<AttributeDefinition> attributes;
  std::optional<BillingMode> billing_mode;
  std::optional<Throughput> throughput;
  std::optional<Throughput> on_demand_throughput;
  std::vector<IndexChange> index_changes;
  std::optional<bool> deletion_protection;
  std::optional<TableClass> table_class;
  std::optional<EncryptionSpecification> encryption;
  /// Engaged to change the stream; the inner value is absent to turn it off.
  std::optional<std::optional<StreamView>> stream;
};
struct DeleteTableRequest {
  std::string table;
};
struct DescribeTableRequest {
  std::string table;
};
struct TableResponse {
  TableDescription table;
};
struct ListTablesRequest {
  std::optional<std::string> exclusive_start_name;
  size_t limit = limits::kListedTables;
};
struct ListTablesResponse {
  std::vector<std::string> names;
  std::optional<std::string> last_evaluated_name;
};

struct TagResourceRequest {
  std::string arn;
  Tags tags;
};
struct UntagResourceRequest {
  std::string arn;
  std::vector<std::string> keys;
};
struct ListTagsRequest {
  std::string arn;
  std::optional<std::string> next_token;
};
struct ListTagsResponse {
  Tags tags;
  std::optional<std::string> next_token;
};
struct EmptyResponse {};

// Policies of tables and streams.

/// What a PutResourcePolicy expects that must not replace a policy.
inline constexpr std::string_view kNoResourcePolicy = "NO_POLICY";

struct PutResourcePolicyRequest {
  std::string arn;  // Of a table or a stream.
  std::string document;
  std::optional<std::string> expected_revision_id;
  /// The caller knows that it may not change the policy afterwards.
  bool confirm_remove_self_access = false;
};
struct GetResourcePolicyRequest {
  std::string arn;
};
struct GetResourcePolicyResponse {
  ResourcePolicy policy;
};
struct DeleteResourcePolicyRequest {
  std::string arn;
  std::optional<std::string> expected_revision_id;
};
/// Of what was put or deleted; nothing when there was no policy to delete.
struct ResourcePolicyResponse {
  std::optional<std::string> revision_id;
};

// Items that expire.

struct UpdateTimeToLiveRequest {
  std::string table;
  bool enabled = false;
  std::string attribute;  // Holds the time, in seconds since 1970.
};
struct UpdateTimeToLiveResponse {
  bool enabled = false;
  std::string attribute;
};
enum class TimeToLiveStatus { kEnabling, kDisabling, kEnabled, kDisabled };
struct DescribeTimeToLiveRequest {
  std::string table;
};
struct DescribeTimeToLiveResponse {
  TimeToLiveStatus status = TimeToLiveStatus::kDisabled;
  std::optional<std::string> attribute;  // Absent while it is off.
};

}  // namespace tintype::tables
