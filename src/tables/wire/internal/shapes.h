#pragma once

#include "tables/wire/internal/shape.h"

/// The shapes of all requests.
namespace tintype::tables::wire {

extern const RequestShape kGetItemShape;
extern const RequestShape kPutItemShape;
extern const RequestShape kDeleteItemShape;
extern const RequestShape kUpdateItemShape;
extern const RequestShape kBatchGetItemShape;
extern const RequestShape kBatchWriteItemShape;
extern const RequestShape kTransactGetItemsShape;
extern const RequestShape kTransactWriteItemsShape;
extern const RequestShape kQueryShape;
extern const RequestShape kScanShape;

extern const RequestShape kCreateTableShape;
extern const RequestShape kUpdateTableShape;
/// For DeleteTable and DescribeTable.
extern const RequestShape kNameTableShape;
extern const RequestShape kListTablesShape;
extern const RequestShape kTagResourceShape;
extern const RequestShape kUntagResourceShape;
extern const RequestShape kListTagsShape;

}  // namespace tintype::tables::wire
