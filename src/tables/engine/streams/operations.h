#pragma once

#include "tables/engine/commit/core.h"
#include "tables/language/changes.h"
#include "tables/language/streams.h"

/// DynamoDB's operations: streams and the change log. CoreDatabase and RocksDatabase forward to
/// these.
namespace tintype::tables::engine {

// streams.cc
Result<ListStreamsResponse> ListStreams(Core& core, const ListStreamsRequest& request);
Result<DescribeStreamResponse> DescribeStream(Core& core, const DescribeStreamRequest& request);
Result<GetShardIteratorResponse> GetShardIterator(Core& core,
                                                  const GetShardIteratorRequest& request);
/// Answers in the pool.
void GetRecords(Core& core, GetRecordsRequest request, Done<GetRecordsResponse> done);

// changes.cc
std::vector<ChangeShard> ListShards(Core& core, const std::string& table);
Result<ReadChangesResponse> ReadChanges(Core& core, const ReadChangesRequest& request);

}  // namespace tintype::tables::engine
