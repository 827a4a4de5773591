#pragma once

#include "tables/engine/commit/core.h"
#include "tables/language/database.h"
#include "tables/language/records.h"

/// DynamoDB's operations: tables. CoreDatabase and RocksDatabase forward to these.
namespace tintype::tables::engine {

// create_table.cc, update_table.cc, delete_table.cc, describe_table.cc, tags.cc,
// resource_policies.cc
void CreateTable(Core& core, CreateTableRequest request, Done<TableResponse> done);
void UpdateTable(Core& core, UpdateTableRequest request, Done<TableResponse> done);
void DeleteTable(Core& core, DeleteTableRequest request, Done<TableResponse> done);
Result<TableResponse> DescribeTable(Core& core, const DescribeTableRequest& request);
Result<ListTablesResponse> ListTables(Core& core, const ListTablesRequest& request);
void TagResource(Core& core, TagResourceRequest request, Done<EmptyResponse> done);
void UntagResource(Core& core, UntagResourceRequest request, Done<EmptyResponse> done);
Result<ListTagsResponse> ListTagsOfResource(Core& core, const ListTagsRequest& request);
void PutResourcePolicy(Core& core, PutResourcePolicyRequest request,
                       Done<ResourcePolicyResponse> done);
Result<GetResourcePolicyResponse> GetResourcePolicy(Core& core,
                                                    const GetResourcePolicyRequest& request);
void DeleteResourcePolicy(Core& core, DeleteResourcePolicyRequest request,
                          Done<ResourcePolicyResponse> done);

// records.cc
Result<std::map<std::string, std::string>> ReadRecords(Core& core, std::string_view prefix);
void ChangeRecords(Core& core, ChangeRecordsRequest request, Done<EmptyResponse> done);

}  // namespace tintype::tables::engine
