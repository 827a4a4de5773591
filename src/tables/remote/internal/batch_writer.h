#pragma once

#include "tables/language/database.h"
#include "tables/remote/internal/caller.h"

namespace tintype::tables::remote::internal {

/// Carries out a BatchWriteItem as one call, in as many requests as the service needs: actions that
/// an answer leaves unprocessed are sent again. The response adds them up.
void StartBatchWrite(Caller& caller, const BatchWriteItemRequest& request,
                     Done<BatchWriteItemResponse> done);

}  // namespace tintype::tables::remote::internal
