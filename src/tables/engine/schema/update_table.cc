#include <algorithm>
#include <limits>
#include <map>

#include "base/strings.h"
#include "tables/engine/commit/task.h"
#include "tables/engine/registry/durations.h"
#include "tables/engine/schema/backfill.h"
#include "tables/engine/schema/describe_table.h"
#include "tables/engine/schema/operations.h"
#include "tables/engine/schema/stream_change.h"
#include "tables/engine/schema/table_change.h"
#include "tables/language/limits.h"
#include "tables/language/schema_validation.h"

namespace tintype::tables::engine {
namespace {

using DeleteIndex = UpdateTableRequest::DeleteIndex;
using UpdateIndex = UpdateTableRequest::UpdateIndex;

// Works out what a table becomes. Nothing is staged until all of the request has been accepted.
class TableUpdate {
 public:
  TableUpdate(const TableInfo& before, const UpdateTableRequest& request, int64_t now_ms)
      : request_(request), now_ms_(now_ms), table_(before) {}

  Status Apply() {
    RETURN_IF_ERROR(ApplyBilling());
    RETURN_IF_ERROR(ApplyAttributes());
    for (const UpdateTableRequest::IndexChange& change : request_.index_changes) {
      RETURN_IF_ERROR(ApplyIndexChange(change));
    }
    PruneAttributes();
    RETURN_IF_ERROR(ApplyStream());
    ApplyPlainSettings();
    // The table must be one that CreateTable would have made, whatever was asked for.
    return ValidateTableDefinition(WholeDefinition());
  }

  TableInfo& table() { return table_; }
  const std::optional<IndexId>& created() const { return created_; }
  const std::optional<IndexInfo>& deleted() const { return deleted_; }

 private:
  Status ApplyBilling() {
    TableDefinition& definition = table_.definition;
    const BillingMode mode = request_.billing_mode.value_or(definition.billing_mode);
    const bool mode_changes = mode != definition.billing_mode;
    if (mode == BillingMode::kPayPerRequest) {
      if (request_.throughput) {
        return Error::Validation(
            "One or more parameter values were invalid: Neither ReadCapacityUnits nor "
            "WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST");
      }
      if (mode_changes) {
        definition.throughput.reset();
        table_.on_demand_since_ms = now_ms_;
        for (IndexInfo& index : table_.indexes) {
          index.definition.throughput.reset();
        }
      }
    } else if (mode_changes && !request_.throughput) {
      return Error::Validation(
          "One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits "
          "must both be specified when BillingMode is PROVISIONED");
    }
    definition.billing_mode = mode;
    if (mode == BillingMode::kProvisioned) {
      definition.on_demand_throughput.reset();
      for (IndexInfo& index : table_.indexes) {
        index.definition.on_demand_throughput.reset();
      }
    }
    if (mode_changes && mode == BillingMode::kProvisioned) {
      RETURN_IF_ERROR(CheckIndexesGetThroughput());
    }
    return request_.throughput ? ApplyThroughput(mode_changes) : OkStatus();
  }

  // On the way to PROVISIONED every global index needs units of its own.
  Status CheckIndexesGetThroughput() {
    for (IndexInfo& index : table_.indexes) {
      if (index.local) {
        continue;
      }
      const auto given =
          std::find_if(request_.index_changes.begin(), request_.index_changes.end(),
                       [&](const UpdateTableRequest::IndexChange& change) {
                         const auto* update = std::get_if<UpdateIndex>(&change);
                         return update != nullptr && update->name == index.definition.name;
                       });
      if (given == request_.index_changes.end()) {
        return Error::Validation(
            StrCat("One or more parameter values were invalid: ProvisionedThroughput must be "
                   "specified for index: ",
                   index.definition.name));
      }
    }
    return OkStatus();
  }

  Status ApplyThroughput(bool mode_changes) {
    const Throughput& wanted = *request_.throughput;
    const Throughput before = table_.definition.throughput.value_or(Throughput{});
    if (wanted == before && !mode_changes && request_.index_changes.empty()) {
      return Error::Validation(StrCat(
          "The provisioned throughput for the table will not change. The requested value equals "
          "the current value. Current ReadCapacityUnits provisioned for the table: ",
          before.read_units, ". Requested ReadCapacityUnits: ", wanted.read_units,
          ". Current WriteCapacityUnits provisioned for the table: ", before.write_units,
          ". Requested WriteCapacityUnits: ", wanted.write_units,
          ". Refer to the Amazon DynamoDB Developer Guide for current limits and how to request "
          "higher limits."));
    }
    if (wanted.read_units > before.read_units || wanted.write_units > before.write_units) {
      table_.last_increase_ms = now_ms_;
    }
    if (wanted.read_units < before.read_units || wanted.write_units < before.write_units) {
      CountDecrease();
    }
    table_.definition.throughput = wanted;
    return OkStatus();
  }

  void CountDecrease() {
    const bool same_day =
        table_.last_decrease_ms && *table_.last_decrease_ms / kDayMs == now_ms_ / kDayMs;
    table_.decreases_today = same_day ? table_.decreases_today + 1 : 1;
    table_.last_decrease_ms = now_ms_;
  }

  // Definitions of the request are merged into those of the table.
  Status ApplyAttributes() {
    std::map<std::string_view, Type> known;
    for (const AttributeDefinition& attribute : table_.definition.attributes) {
      known.emplace(attribute.name, attribute.type);
    }
    std::vector<AttributeDefinition> added;
    for (const AttributeDefinition& wanted : request_.attributes) {
      const auto [entry, is_new] = known.emplace(wanted.name, wanted.type);
      if (entry->second != wanted.type) {
        return Error::Validation(
            "One or more parameter values were invalid: Attributes cannot be redefined. Please "
            "check that your attribute has the same type as previously defined.");
      }
      if (is_new) {
        added.push_back(wanted);
      }
    }
    auto& attributes = table_.definition.attributes;
    attributes.insert(attributes.end(), added.begin(), added.end());
    return OkStatus();
  }

  // Attributes that no key uses any more are no longer described.
  void PruneAttributes() {
    auto& attributes = table_.definition.attributes;
    const auto unused = [this](const AttributeDefinition& attribute) {
      return !table_.definition.keys.Contains(attribute.name) &&
             std::none_of(table_.indexes.begin(), table_.indexes.end(),
                          [&](const IndexInfo& index) {
                            return index.definition.keys.Contains(attribute.name);
                          });
    };
    attributes.erase(std::remove_if(attributes.begin(), attributes.end(), unused),
                     attributes.end());
  }

  IndexInfo* FindGlobalIndex(const std::string& name) {
    const auto found = std::find_if(
        table_.indexes.begin(), table_.indexes.end(),
        [&](const IndexInfo& index) { return !index.local && index.definition.name == name; });
    return found == table_.indexes.end() ? nullptr : &*found;
  }

  Status ApplyIndexChange(const UpdateTableRequest::IndexChange& change) {
    if (const auto* create = std::get_if<IndexDefinition>(&change)) {
      return CreateIndex(*create);
    }
    if (const auto* update = std::get_if<UpdateIndex>(&change)) {
      return ChangeIndex(*update);
    }
    return RemoveIndex(std::get<DeleteIndex>(change));
  }

  Status CheckOneAtATime() const {
    const bool creating =
        std::any_of(table_.indexes.begin(), table_.indexes.end(),
                    [](const IndexInfo& index) { return index.status == IndexStatus::kCreating; });
    if (creating || created_ || deleted_) {
      return Error::LimitExceeded(
          "Subscriber limit exceeded: Only 1 online index can be created or deleted "
          "simultaneously per table");
    }
    return OkStatus();
  }

  Status CreateIndex(const IndexDefinition& wanted) {
    if (table_.FindIndex(wanted.name) != nullptr) {
      return Error::Validation("Attempting to create an index which already exists");
    }
    RETURN_IF_ERROR(CheckOneAtATime());
    const auto globals = std::count_if(table_.indexes.begin(), table_.indexes.end(),
                                       [](const IndexInfo& index) { return !index.local; });
    if (static_cast<size_t>(globals) >= limits::kGlobalIndexes) {
      return Error::LimitExceeded(
          StrCat("One or more parameter values were invalid: GlobalSecondaryIndex count exceeds "
                 "the per-table limit of ",
                 limits::kGlobalIndexes));
    }
    if (table_.next_index_id == std::numeric_limits<IndexId>::max()) {
      return Error::LimitExceeded("The table has had too many indexes; create a new table");
    }
    IndexInfo index;
    index.id = table_.next_index_id++;
    index.definition = wanted;
    index.status = IndexStatus::kCreating;
    created_ = index.id;
    table_.indexes.push_back(std::move(index));
    return OkStatus();
  }

  TableDefinition WholeDefinition() const {
    TableDefinition whole = table_.definition;
    for (const IndexInfo& index : table_.indexes) {
      (index.local ? whole.local_indexes : whole.global_indexes).push_back(index.definition);
    }
    return whole;
  }

  Status ChangeIndex(const UpdateIndex& wanted) {
    IndexInfo* index = FindGlobalIndex(wanted.name);
    if (index == nullptr) {
      return Error::NotFound("Requested resource not found");
    }
    if (wanted.throughput) {
      if (table_.definition.billing_mode == BillingMode::kPayPerRequest) {
        return Error::Validation(
            "One or more parameter values were invalid: Neither ReadCapacityUnits nor "
            "WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST");
      }
      index->definition.throughput = wanted.throughput;
    }
    if (wanted.on_demand_throughput) {
      index->definition.on_demand_throughput = wanted.on_demand_throughput;
    }
    return OkStatus();
  }

  Status RemoveIndex(const DeleteIndex& wanted) {
    IndexInfo* index = FindGlobalIndex(wanted.name);
    if (index == nullptr) {
      return Error::NotFound("Requested resource not found");
    }
    // One that is still being filled may be given up.
    if (index->status != IndexStatus::kCreating) {
      RETURN_IF_ERROR(CheckOneAtATime());
    }
    deleted_ = *index;
    table_.indexes.erase(table_.indexes.begin() + (index - table_.indexes.data()));
    return OkStatus();
  }

  Status ApplyStream() {
    if (!request_.stream) {
      return OkStatus();
    }
    const bool on = table_.definition.stream.has_value();
    if (*request_.stream && on) {
      return Error::Validation(
          StrCat("Table already has an enabled stream: TableName: ", table_.definition.name));
    }
    if (!*request_.stream && !on) {
      return Error::Validation(
          StrCat("Table has no stream to disable: TableName: ", table_.definition.name));
    }
    table_.definition.stream = *request_.stream;
    return OkStatus();
  }

  void ApplyPlainSettings() {
    TableDefinition& definition = table_.definition;
    if (request_.deletion_protection) {
      definition.deletion_protection = *request_.deletion_protection;
    }
    if (request_.table_class && *request_.table_class != definition.table_class) {
      definition.table_class = *request_.table_class;
      table_.class_changed_ms = now_ms_;
    }
    if (request_.encryption) {
      definition.encryption = request_.encryption;
    }
    if (request_.on_demand_throughput) {
      definition.on_demand_throughput = request_.on_demand_throughput;
    }
  }

  const UpdateTableRequest& request_;
  const int64_t now_ms_;
  TableInfo table_;
  std::optional<IndexId> created_;
  std::optional<IndexInfo> deleted_;
};

TableDescription DescribeUpdate(const Core& core, const TableUpdate& update, TableInfo table) {
  if (update.deleted()) {
    IndexInfo leaving = *update.deleted();
    leaving.status = IndexStatus::kDeleting;
    table.indexes.push_back(std::move(leaving));
  }
  TableDescription description = Describe(core, table);
  description.status = TableStatus::kUpdating;
  return description;
}

Result<TableResponse> DecideUpdate(CommitGroup& group, const UpdateTableRequest& request) {
  Core& core = group.core();
  const TablePtr before = core.tables.FindOrNull(request.table);
  if (!before) {
    return TableNotFound(request.table);
  }
  if (before->creating()) {
    return Error::InUse(StrCat("Table is being created: ", request.table));
  }
  TableUpdate update(*before, request, group.now_ms());
  RETURN_IF_ERROR(update.Apply());
  if (request.stream && *request.stream) {
    BeginStream(group, update.table());
  } else if (request.stream) {
    RetireStream(group, *before);
    update.table().stream_policy = nullptr;  // It has gone with the stream.
  }
  TableResponse response{DescribeUpdate(core, update, update.table())};
  if (update.created()) {
    group.OnWritten([&core, name = request.table, table = before->id, index = *update.created()] {
      ContinueBackfill(core, name, table, index);
    });
  }
  StageTable(group, std::move(update.table()));
  if (update.deleted()) {
    // Published before its files go, so that a read that misses them finds out why.
    DropIndexData(group, *before, update.deleted()->id);
  }
  return response;
}

}  // namespace

void UpdateTable(Core& core, UpdateTableRequest request, Done<TableResponse> done) {
  // Without a new index only the table's description changes, and what makes room may need that: an
  // index is removed, or a table's protection against deletion.
  const bool adds_index = std::ranges::any_of(request.index_changes, [](const auto& change) {
    return std::holds_alternative<IndexDefinition>(change);
  });
  SubmitTableChange<TableResponse>(
      core, adds_index ? Space::kTakes : Space::kFrees,
      [request = std::move(request)](CommitGroup& group) { return DecideUpdate(group, request); },
      std::move(done));
}

}  // namespace tintype::tables::engine
