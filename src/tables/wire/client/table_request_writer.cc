#include "tables/wire/client_codec.h"
#include "tables/wire/internal/json_writer.h"
#include "tables/wire/internal/request_writer.h"

// Requests about tables and tags, as a client writes them.
namespace tintype::tables::wire {

namespace {

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

// Defaults are not written, because older services refuse members that they do not know.
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
      WriteStreamSpecification(json, "StreamSpecification", table.stream);
    }
    WriteEncryptionSpecification(json, table.encryption);
    if (table.deletion_protection) {
      WriteBool(json, "DeletionProtectionEnabled", true);
    }
    if (table.table_class != TableClass::kStandard) {
      WriteText(json, "TableClass", Name(table.table_class));
    }
    if (!request.tags.empty()) {
      WriteTags(json, request.tags);
    }
    WriteOptional(json, "ResourcePolicy", request.resource_policy);
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
      WriteBool(json, "DeletionProtectionEnabled", *request.deletion_protection);
    }
    if (request.table_class) {
      WriteText(json, "TableClass", Name(*request.table_class));
    }
    WriteEncryptionSpecification(json, request.encryption);
    if (request.stream) {
      WriteStreamSpecification(json, "StreamSpecification", *request.stream);
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
    WriteOptional(json, "ExclusiveStartTableName", request.exclusive_start_name);
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
    WriteOptional(json, "NextToken", request.next_token);
  });
}

std::string EncodeRequest(const PutResourcePolicyRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    WriteText(json, "ResourceArn", request.arn);
    WriteText(json, "Policy", request.document);
    WriteOptional(json, "ExpectedRevisionId", request.expected_revision_id);
    if (request.confirm_remove_self_access) {
      WriteBool(json, "ConfirmRemoveSelfResourceAccess", true);
    }
  });
}

std::string EncodeRequest(const GetResourcePolicyRequest& request) {
  return WriteBody([&](JsonWriter& json) { WriteText(json, "ResourceArn", request.arn); });
}

std::string EncodeRequest(const DeleteResourcePolicyRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    WriteText(json, "ResourceArn", request.arn);
    WriteOptional(json, "ExpectedRevisionId", request.expected_revision_id);
  });
}

std::string EncodeRequest(const UpdateTimeToLiveRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    WriteText(json, "TableName", request.table);
    json.Name("TimeToLiveSpecification");
    json.OpenObject();
    WriteText(json, "AttributeName", request.attribute);
    WriteBool(json, "Enabled", request.enabled);
    json.CloseObject();
  });
}

std::string EncodeRequest(const DescribeTimeToLiveRequest& request) {
  return EncodeTableName(request.table);
}

}  // namespace tintype::tables::wire
