#include "tables/language/limits.h"
#include "tables/wire/internal/common_shapes.h"
#include "tables/wire/internal/shapes.h"

// The requests of DynamoDB Streams.
namespace tintype::tables::wire {

namespace {

using Kind = Shape::Kind;

constexpr std::string_view kIteratorTypeValues[] = {"TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER",
                                                    "AFTER_SEQUENCE_NUMBER"};

constexpr Member kStreamArn{
    .name = "StreamArn", .shape = &kStringShape, .required = true, .min = 37, .max = 1024};

// The most that is allowed is no constraint of the model; stream_requests.cc checks it.
constexpr Member kLimit{.name = "Limit", .shape = &kIntegerShape, .min = 1};

constexpr Member kListStreamsMembers[] = {
    // Unlike other operations, this one does not take an ARN.
    {.name = "TableName",
     .shape = &kStringShape,
     .min = limits::kNameBytesMin,
     .max = limits::kNameBytes,
     .pattern = Pattern::kName},
    kLimit,
    {.name = "ExclusiveStartStreamArn", .shape = &kStringShape, .min = 37, .max = 1024},
};

constexpr std::string_view kShardFilterTypeValues[] = {"CHILD_SHARDS"};
constexpr Member kShardFilterMembers[] = {
    {.name = "Type", .shape = &kStringShape, .required = true, .one_of = kShardFilterTypeValues},
    {.name = "ShardId", .shape = &kStringShape, .required = true, .min = 28, .max = 65},
};
constexpr Shape kShardFilterShape{
    .kind = Kind::kStruct, .type_name = "ShardFilter", .members = kShardFilterMembers};

constexpr Member kDescribeStreamMembers[] = {
    kStreamArn,
    kLimit,
    {.name = "ExclusiveStartShardId", .shape = &kStringShape, .min = 28, .max = 65},
    {.name = "ShardFilter", .shape = &kShardFilterShape},
};

constexpr Member kGetShardIteratorMembers[] = {
    kStreamArn,
    {.name = "ShardId", .shape = &kStringShape, .required = true, .min = 28, .max = 65},
    {.name = "ShardIteratorType",
     .shape = &kStringShape,
     .required = true,
     .one_of = kIteratorTypeValues},
    {.name = "SequenceNumber", .shape = &kStringShape, .min = 21, .max = 40},
};

constexpr Member kGetRecordsMembers[] = {
    {.name = "ShardIterator", .shape = &kStringShape, .required = true, .min = 1, .max = 2048},
    kLimit,
};

}  // namespace

const RequestShape kListStreamsShape{{.kind = Kind::kStruct, .members = kListStreamsMembers}};
const RequestShape kDescribeStreamShape{{.kind = Kind::kStruct, .members = kDescribeStreamMembers}};
const RequestShape kGetShardIteratorShape{
    {.kind = Kind::kStruct, .members = kGetShardIteratorMembers}};
const RequestShape kGetRecordsShape{{.kind = Kind::kStruct, .members = kGetRecordsMembers}};

}  // namespace tintype::tables::wire
