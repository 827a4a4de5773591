#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tables/language/values/value.h"

/// Tables and indexes as a client declares and sees them.
namespace tintype::tables {

/// Key attributes by role. A table has one hash attribute and at most one range attribute; an index
/// may have up to four of each, and a global one needs no range attribute.
struct KeySchema {
  std::vector<std::string> hash;
  std::vector<std::string> range;

  /// Hash attributes, then range attributes.
  std::vector<std::string> All() const;
  bool Contains(std::string_view attribute) const;
  bool operator==(const KeySchema&) const = default;
};

struct AttributeDefinition {
  std::string name;
  Type type = Type::kString;  // kString, kNumber or kBinary.
  bool operator==(const AttributeDefinition&) const = default;
};

struct IndexProjection {
  enum class Kind { kAll, kKeysOnly, kInclude };
  Kind kind = Kind::kAll;
  std::vector<std::string> include;  // Only for kInclude.
  bool operator==(const IndexProjection&) const = default;
};

/// As a client writes it: ALL, KEYS_ONLY or INCLUDE.
std::string_view ProjectionTypeName(IndexProjection::Kind kind);

struct Throughput {
  int64_t read_units = 0;
  int64_t write_units = 0;
  bool operator==(const Throughput&) const = default;
};

struct IndexDefinition {
  std::string name;
  KeySchema keys;
  IndexProjection projection;
  std::optional<Throughput> throughput;            // Global indexes of provisioned tables.
  std::optional<Throughput> on_demand_throughput;  // Maximum request units; -1 means none.
};

enum class BillingMode { kProvisioned, kPayPerRequest };
enum class StreamView { kKeysOnly, kNewImage, kOldImage, kNewAndOldImages };
enum class TableClass { kStandard, kStandardInfrequentAccess };

struct EncryptionSpecification {
  bool enabled = false;
  std::optional<std::string> type;        // AES256 or KMS.
  std::optional<std::string> master_key;  // Key id, ARN or alias.
};

/// Tags by key.
using Tags = std::map<std::string, std::string>;

/// A policy that is attached to a table or a stream: who may do what to it.
struct ResourcePolicy {
  std::string document;     // JSON, as it was given.
  std::string revision_id;  // Every change makes another one.
  bool operator==(const ResourcePolicy&) const = default;
};

struct TableDefinition {
  std::string name;
  std::vector<AttributeDefinition> attributes;
  KeySchema keys;
  std::vector<IndexDefinition> local_indexes;
  std::vector<IndexDefinition> global_indexes;
  BillingMode billing_mode = BillingMode::kProvisioned;
  std::optional<Throughput> throughput;            // For kProvisioned.
  std::optional<Throughput> on_demand_throughput;  // Maximum request units; -1 means none.
  std::optional<StreamView> stream;
  std::optional<EncryptionSpecification> encryption;
  bool deletion_protection = false;
  TableClass table_class = TableClass::kStandard;
};

enum class TableStatus { kCreating, kUpdating, kDeleting, kActive };
enum class IndexStatus { kCreating, kUpdating, kDeleting, kActive };

struct IndexDescription {
  IndexDefinition definition;
  IndexStatus status = IndexStatus::kActive;
  bool backfilling = false;
  int64_t item_count = 0;
  int64_t size_bytes = 0;
  std::string arn;
};

/// Where a restored table came from. One that was restored to a point in time has no backup.
struct RestoreSummary {
  std::optional<std::string> source_backup_arn;
  std::optional<std::string> source_table_arn;
  int64_t time_ms = 0;  // Of the backup, or the time that was asked for.
  bool in_progress = false;
};

struct TableDescription {
  TableDefinition definition;  // Its index lists are empty here; see below.
  std::vector<IndexDescription> local_indexes;
  std::vector<IndexDescription> global_indexes;
  TableStatus status = TableStatus::kActive;
  std::string id;  // A UUID, new for every table that is created.
  std::string arn;
  int64_t created_ms = 0;
  int64_t item_count = 0;
  int64_t size_bytes = 0;
  /// When the table last became on-demand; absent if it never was.
  std::optional<int64_t> on_demand_since_ms;
  /// When the class was last changed; absent if it never was.
  std::optional<int64_t> class_changed_ms;
  int64_t throughput_decreases_today = 0;
  std::optional<int64_t> last_increase_ms;
  std::optional<int64_t> last_decrease_ms;
  std::optional<std::string> stream_arn;
  std::optional<std::string> stream_label;
  std::optional<RestoreSummary> restore;
};

}  // namespace tintype::tables
