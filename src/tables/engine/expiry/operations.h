#pragma once

#include "tables/engine/commit/core.h"
#include "tables/language/database.h"

/// DynamoDB's operations: time to live. CoreDatabase and RocksDatabase forward to these.
namespace tintype::tables::engine {

// time_to_live.cc
void UpdateTimeToLive(Core& core, UpdateTimeToLiveRequest request,
                      Done<UpdateTimeToLiveResponse> done);
Result<DescribeTimeToLiveResponse> DescribeTimeToLive(Core& core,
                                                      const DescribeTimeToLiveRequest& request);

}  // namespace tintype::tables::engine
