#include "tables/wire/client_codec.h"
#include "tables/wire/internal/json_writer.h"
#include "tables/wire/internal/request_writer.h"

// Requests about tables and tags, as a client writes them.
namespace tintype::tables::wire {

namespace {

void WriteThroughput(JsonWriter& json, const std::optional<Throughput>& throughput) {
  if (!throughput) {
    return;
  }
  json.Name("ProvisionedThroughput");
  json.OpenObject();
  WriteInteger(json, "ReadCapacityUnits", throughput->read_units);
  WriteInteger(json, "WriteCapacityUnits", throughput->write_units);
  json.CloseObject();
}

void WriteIndex(JsonWriter& json, const IndexDefinition& index) {
  json.OpenObject();
  WriteText(json, "IndexName", index.name);
  WriteKeySchema(json, index.keys);
  WriteIndexProjection(json, index.projection);
  WriteThroughput(json, index.throughput);
  WriteOnDemandThroughput(json, index.on_demand_throughput);
  json.CloseObject();
}

void WriteIndexes(JsonWriter& json, std::string_view name,
                  const std::vector<IndexDefinition>& indexes) {
  if (indexes.empty()) {
    return;
  }
  json.Name(name);
  json.OpenArray();
  for (const IndexDefinition& index : indexes) {
    WriteIndex(json, index);
  }
  json.CloseArray();
}

void WriteStream(JsonWriter& json, const std::optional<StreamView>& view) {
  json.Name("StreamSpecification");
  json.OpenObject();
  json.Name("StreamEnabled");
  json.Bool(view.has_value());
  if (view) {
    WriteText(json, "StreamViewType", Name(*view));
  }
  json.CloseObject();
}

void WriteEncryption(JsonWriter& json, const std::optional<EncryptionSpecification>& encryption) {
  if (!encryption) {
    return;
  }
  json.Name("SSESpecification");
  json.OpenObject();
  json.Name("Enabled");
  json.Bool(encryption->enabled);
  if (encryption->type) {
    WriteText(json, "SSEType", *encryption->type);
  }
  if (encryption->master_key) {
    WriteText(json, "KMSMasterKeyId", *encryption->master_key);
  }
  json.CloseObject();
}

void WriteTags(JsonWriter& json, const Tags& tags) {
  json.Name("Tags");
  json.OpenArray();
  for (const auto& [key, value] : tags) {
    json.OpenObject();
    WriteText(json, "Key", key);
    WriteText(json, "Value", value);
    json.CloseObject();
  }
  json.CloseArray();
}

void WriteIndexChange(JsonWriter& json, const UpdateTableRequest::IndexChange& change) {
  json.OpenObject();
  if (const auto* create = std::get_if<IndexDefinition>(&change)) {
    json.Name("Create");
    WriteIndex(json, *create);
  } else if (const auto* update = std::get_if<UpdateTableRequest::UpdateIndex>(&change)) {
    json.Name("Update");
    json.OpenObject();
    WriteText(json, "IndexName", update->name);
    WriteThroughput(json, update->throughput);
    WriteOnDemandThroughput(json, update->on_demand_throughput);
    json.CloseObject();
  } else {
    json.Name("Delete");
    json.OpenObject();
    WriteText(json, "IndexName", std::get<UpdateTableRequest::DeleteIndex>(change).name);
    json.CloseObject();
  }
  json.CloseObject();
}

std::string EncodeTableName(std::string_view table) {
  return WriteBody([&](JsonWriter& json) { WriteText(json, "TableName", table); });
}

}  // namespace

// What is at its default is not written, because older services refuse members that they do not
// know.
std::string EncodeRequest(const CreateTableRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    const TableDefinition& table = request.definition;
    WriteText(json, "TableName", table.name);
    WriteAttributeDefinitions(json, table.attributes);
    WriteKeySchema(json, table.keys);
    WriteIndexes(json, "LocalSecondaryIndexes", table.local_indexes);
    WriteIndexes(json, "GlobalSecondaryIndexes", table.global_indexes);
    if (table.billing_mode != BillingMode::kProvisioned) {
      WriteText(json, "BillingMode", Name(table.billing_mode));
    }
    WriteThroughput(json, table.throughput);
    WriteOnDemandThroughput(json, table.on_demand_throughput);
    if (table.stream) {
      WriteStream(json, table.stream);
    }
    WriteEncryption(json, table.encryption);
    if (table.deletion_protection) {
      json.Name("DeletionProtectionEnabled");
      json.Bool(true);
    }
    if (table.table_class != TableClass::kStandard) {
      WriteText(json, "TableClass", Name(table.table_class));
    }
    if (!request.tags.empty()) {
      WriteTags(json, request.tags);
    }
  });
}

std::string EncodeRequest(const UpdateTableRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    WriteText(json, "TableName", request.table);
    if (!request.attributes.empty()) {
      WriteAttributeDefinitions(json, request.attributes);
    }
    if (request.billing_mode) {
      WriteText(json, "BillingMode", Name(*request.billing_mode));
    }
    WriteThroughput(json, request.throughput);
    WriteOnDemandThroughput(json, request.on_demand_throughput);
    if (!request.index_changes.empty()) {
      json.Name("GlobalSecondaryIndexUpdates");
      json.OpenArray();
      for (const UpdateTableRequest::IndexChange& change : request.index_changes) {
        WriteIndexChange(json, change);
      }
      json.CloseArray();
    }
    if (request.deletion_protection) {
      json.Name("DeletionProtectionEnabled");
      json.Bool(*request.deletion_protection);
    }
    if (request.table_class) {
      WriteText(json, "TableClass", Name(*request.table_class));
    }
    WriteEncryption(json, request.encryption);
    if (request.stream) {
      WriteStream(json, *request.stream);
    }
  });
}

std::string EncodeRequest(const DeleteTableRequest& request) {
  return EncodeTableName(request.table);
}

std::string EncodeRequest(const DescribeTableRequest& request) {
  return EncodeTableName(request.table);
}

std::string EncodeRequest(const ListTablesRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    if (request.exclusive_start_name) {
      WriteText(json, "ExclusiveStartTableName", *request.exclusive_start_name);
    }
    WriteInteger(json, "Limit", static_cast<int64_t>(request.limit));
  });
}

std::string EncodeRequest(const TagResourceRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    WriteText(json, "ResourceArn", request.arn);
    WriteTags(json, request.tags);
  });
}

std::string EncodeRequest(const UntagResourceRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    WriteText(json, "ResourceArn", request.arn);
    json.Name("TagKeys");
    json.OpenArray();
    for (const std::string& key : request.keys) {
      json.String(key);
    }
    json.CloseArray();
  });
}

std::string EncodeRequest(const ListTagsRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    WriteText(json, "ResourceArn", request.arn);
    if (request.next_token) {
      WriteText(json, "NextToken", *request.next_token);
    }
  });
}

}  // namespace tintype::tables::wire
