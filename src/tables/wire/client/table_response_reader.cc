#include <utility>

#include "base/strings.h"
#include "tables/wire/client_codec.h"
#include "tables/wire/internal/answer.h"
#include "tables/wire/internal/answer_members.h"
#include "tables/wire/internal/table_members.h"

// Answers about tables and tags, as a client reads them.
namespace tintype::tables::wire {

namespace {

constexpr Names<TableStatus, 4> kTableStatuses = {{{"CREATING", TableStatus::kCreating},
                                                   {"UPDATING", TableStatus::kUpdating},
                                                   {"DELETING", TableStatus::kDeleting},
                                                   {"ACTIVE", TableStatus::kActive}}};
constexpr Names<IndexStatus, 4> kIndexStatuses = {{{"CREATING", IndexStatus::kCreating},
                                                   {"UPDATING", IndexStatus::kUpdating},
                                                   {"DELETING", IndexStatus::kDeleting},
                                                   {"ACTIVE", IndexStatus::kActive}}};
constexpr Names<IndexProjection::Kind, 3> kProjections = {
    {{"ALL", IndexProjection::Kind::kAll},
     {"KEYS_ONLY", IndexProjection::Kind::kKeysOnly},
     {"INCLUDE", IndexProjection::Kind::kInclude}}};

constexpr Names<TimeToLiveStatus, 4> kTimeToLiveStatuses = {
    {{"ENABLING", TimeToLiveStatus::kEnabling},
     {"DISABLING", TimeToLiveStatus::kDisabling},
     {"ENABLED", TimeToLiveStatus::kEnabled},
     {"DISABLED", TimeToLiveStatus::kDisabled}}};

std::vector<AttributeDefinition> ReadAttributeDefinitions(const AnswerObject& json) {
  std::vector<AttributeDefinition> attributes;
  for (const AnswerObject& attribute : json.Objects("AttributeDefinitions")) {
    const auto type = TypeFromName(attribute.Text("AttributeType").value_or(""));
    if (!type) {
      attribute.Fail("AttributeType is not known");
    }
    attributes.push_back(
        {attribute.Text("AttributeName").value_or(""), type.value_or(Type::kString)});
  }
  return attributes;
}

/// On-demand tables and indexes show zeros, which no provisioned one can have.
std::optional<Throughput> ReadThroughput(const AnswerObject& json) {
  const auto throughput = json.Object("ProvisionedThroughput");
  if (!throughput) {
    return std::nullopt;
  }
  const Throughput units{throughput->Integer("ReadCapacityUnits").value_or(0),
                         throughput->Integer("WriteCapacityUnits").value_or(0)};
  return units == Throughput{} ? std::nullopt : std::optional(units);
}

std::optional<Throughput> ReadOnDemandThroughput(const AnswerObject& json) {
  const auto throughput = json.Object("OnDemandThroughput");
  if (!throughput) {
    return std::nullopt;
  }
  return Throughput{throughput->Integer("MaxReadRequestUnits").value_or(-1),
                    throughput->Integer("MaxWriteRequestUnits").value_or(-1)};
}

IndexDescription ReadIndex(const AnswerObject& json) {
  IndexDescription index;
  index.definition.name = json.Text("IndexName").value_or("");
  index.definition.keys = ReadKeySchema(json);
  if (const auto projection = json.Object("Projection")) {
    index.definition.projection.kind =
        ReadName(*projection, "ProjectionType", kProjections, IndexProjection::Kind::kAll);
    index.definition.projection.include = projection->Texts("NonKeyAttributes");
  }
  index.definition.throughput = ReadThroughput(json);
  index.definition.on_demand_throughput = ReadOnDemandThroughput(json);
  index.status = ReadName(json, "IndexStatus", kIndexStatuses, IndexStatus::kActive);
  index.backfilling = json.Bool("Backfilling").value_or(false);
  index.item_count = json.Integer("ItemCount").value_or(0);
  index.size_bytes = json.Integer("IndexSizeBytes").value_or(0);
  index.arn = json.Text("IndexArn").value_or("");
  return index;
}

std::vector<IndexDescription> ReadIndexes(const AnswerObject& json, std::string_view member) {
  std::vector<IndexDescription> indexes;
  for (const AnswerObject& index : json.Objects(member)) {
    indexes.push_back(ReadIndex(index));
  }
  return indexes;
}

void ReadBilling(const AnswerObject& json, TableDescription& table) {
  table.definition.throughput = ReadThroughput(json);
  table.definition.on_demand_throughput = ReadOnDemandThroughput(json);
  if (const auto throughput = json.Object("ProvisionedThroughput")) {
    table.throughput_decreases_today = throughput->Integer("NumberOfDecreasesToday").value_or(0);
    table.last_increase_ms = throughput->TimeMs("LastIncreaseDateTime");
    table.last_decrease_ms = throughput->TimeMs("LastDecreaseDateTime");
  }
  // Tables that were provisioned all their life have no summary.
  if (const auto billing = json.Object("BillingModeSummary")) {
    if (billing->Text("BillingMode") == Name(BillingMode::kPayPerRequest)) {
      table.definition.billing_mode = BillingMode::kPayPerRequest;
    }
    table.on_demand_since_ms = billing->TimeMs("LastUpdateToPayPerRequestDateTime");
  }
}

void ReadSettings(const AnswerObject& json, TableDescription& table) {
  if (const auto stream = json.Object("StreamSpecification");
      stream && stream->Bool("StreamEnabled").value_or(false)) {
    table.definition.stream =
        ReadName(*stream, "StreamViewType", kStreamViews, StreamView::kNewAndOldImages);
  }
  table.stream_label = json.Text("LatestStreamLabel");
  table.stream_arn = json.Text("LatestStreamArn");
  if (const auto encryption = json.Object("SSEDescription")) {
    const std::string status = encryption->Text("Status").value_or("");
    table.definition.encryption =
        EncryptionSpecification{.enabled = status == "ENABLED" || status == "ENABLING",
                                .type = encryption->Text("SSEType"),
                                .master_key = encryption->Text("KMSMasterKeyArn")};
  }
  if (const auto restore = json.Object("RestoreSummary")) {
    table.restore =
        RestoreSummary{.source_backup_arn = restore->Text("SourceBackupArn"),
                       .source_table_arn = restore->Text("SourceTableArn"),
                       .time_ms = restore->TimeMs("RestoreDateTime").value_or(0),
                       .in_progress = restore->Bool("RestoreInProgress").value_or(false)};
  }
  if (const auto table_class = json.Object("TableClassSummary")) {
    if (table_class->Text("TableClass") == Name(TableClass::kStandardInfrequentAccess)) {
      table.definition.table_class = TableClass::kStandardInfrequentAccess;
    }
    table.class_changed_ms = table_class->TimeMs("LastUpdateDateTime");
  }
  table.definition.deletion_protection = json.Bool("DeletionProtectionEnabled").value_or(false);
}

TableDescription ReadTable(const AnswerObject& json) {
  TableDescription table;
  table.definition.name = json.Text("TableName").value_or("");
  table.definition.attributes = ReadAttributeDefinitions(json);
  table.definition.keys = ReadKeySchema(json);
  table.status = ReadName(json, "TableStatus", kTableStatuses, TableStatus::kActive);
  table.created_ms = json.TimeMs("CreationDateTime").value_or(0);
  table.size_bytes = json.Integer("TableSizeBytes").value_or(0);
  table.item_count = json.Integer("ItemCount").value_or(0);
  table.arn = json.Text("TableArn").value_or("");
  table.id = json.Text("TableId").value_or("");
  table.local_indexes = ReadIndexes(json, "LocalSecondaryIndexes");
  table.global_indexes = ReadIndexes(json, "GlobalSecondaryIndexes");
  ReadBilling(json, table);
  ReadSettings(json, table);
  return table;
}

}  // namespace

Result<TableResponse> DecodeTableResponse(std::string_view body) {
  return ReadAnswer<TableResponse>(body, [](const AnswerObject& json) {
    // DescribeTable has another name for it than the operations that change tables.
    const auto table = json.Object(json.Has("Table") ? "Table" : "TableDescription");
    if (!table) {
      json.Fail("it has no table");
      return TableResponse();
    }
    return TableResponse{ReadTable(*table)};
  });
}

Result<ListTablesResponse> DecodeListTablesResponse(std::string_view body) {
  return ReadAnswer<ListTablesResponse>(body, [](const AnswerObject& json) {
    return ListTablesResponse{json.Texts("TableNames"), json.Text("LastEvaluatedTableName")};
  });
}

Result<ListTagsResponse> DecodeListTagsResponse(std::string_view body) {
  return ReadAnswer<ListTagsResponse>(body, [](const AnswerObject& json) {
    ListTagsResponse response;
    for (const AnswerObject& tag : json.Objects("Tags")) {
      response.tags[tag.Text("Key").value_or("")] = tag.Text("Value").value_or("");
    }
    response.next_token = json.Text("NextToken");
    return response;
  });
}

Result<ResourcePolicyResponse> DecodeResourcePolicyResponse(std::string_view body) {
  return ReadAnswer<ResourcePolicyResponse>(body, [](const AnswerObject& json) {
    return ResourcePolicyResponse{json.Text("RevisionId")};
  });
}

Result<GetResourcePolicyResponse> DecodeGetResourcePolicyResponse(std::string_view body) {
  return ReadAnswer<GetResourcePolicyResponse>(body, [](const AnswerObject& json) {
    const auto document = json.Text("Policy");
    if (!document) {
      json.Fail("it has no Policy");
    }
    return GetResourcePolicyResponse{{document.value_or(""), json.Text("RevisionId").value_or("")}};
  });
}

Result<UpdateTimeToLiveResponse> DecodeUpdateTimeToLiveResponse(std::string_view body) {
  return ReadAnswer<UpdateTimeToLiveResponse>(body, [](const AnswerObject& json) {
    const auto specification = json.Object("TimeToLiveSpecification");
    if (!specification) {
      json.Fail("it has no TimeToLiveSpecification");
      return UpdateTimeToLiveResponse();
    }
    return UpdateTimeToLiveResponse{specification->Bool("Enabled").value_or(false),
                                    specification->Text("AttributeName").value_or("")};
  });
}

Result<DescribeTimeToLiveResponse> DecodeDescribeTimeToLiveResponse(std::string_view body) {
  return ReadAnswer<DescribeTimeToLiveResponse>(body, [](const AnswerObject& json) {
    const auto description = json.Object("TimeToLiveDescription");
    if (!description) {
      json.Fail("it has no TimeToLiveDescription");
      return DescribeTimeToLiveResponse();
    }
    return DescribeTimeToLiveResponse{ReadName(*description, "TimeToLiveStatus",
                                               kTimeToLiveStatuses, TimeToLiveStatus::kDisabled),
                                      description->Text("AttributeName")};
  });
}

}  // namespace tintype::tables::wire
