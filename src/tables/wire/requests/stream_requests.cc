#include <algorithm>

#include "base/strings.h"
#include "tables/language/limits.h"
#include "tables/wire/codec.h"
#include "tables/wire/internal/shapes.h"
#include "tables/wire/internal/table_name.h"
#include "tables/wire/internal/table_parameters.h"

// ListStreams, DescribeStream, GetShardIterator, GetRecords.
namespace tintype::tables::wire {

namespace {

/// A table's ARN, then the stream's label.
Result<std::string> DecodeStreamArn(std::string_view arn) {
  constexpr std::string_view kStream = "/stream/";
  const size_t table_end = arn.find(kStream);
  if (table_end == std::string_view::npos || table_end + kStream.size() == arn.size() ||
      !IsTableArn(arn.substr(0, table_end))) {
    return Error::Validation("Invalid StreamArn");
  }
  return std::string(arn);
}

ShardIteratorType DecodeIteratorType(std::string_view type) {
  return type == "TRIM_HORIZON"         ? ShardIteratorType::kTrimHorizon
         : type == "LATEST"             ? ShardIteratorType::kLatest
         : type == "AT_SEQUENCE_NUMBER" ? ShardIteratorType::kAtSequenceNumber
                                        : ShardIteratorType::kAfterSequenceNumber;
}

/// Types that start at a record need its number; the others must not have one.
Status CheckSequenceNumber(const GetShardIteratorRequest& request) {
  const bool needs_number = request.type == ShardIteratorType::kAtSequenceNumber ||
                            request.type == ShardIteratorType::kAfterSequenceNumber;
  if (!needs_number) {
    if (request.sequence_number) {
      return InvalidParameter("SequenceNumber should not be passed for this iterator type");
    }
    return OkStatus();
  }
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!request.sequence_number || !std::ranges::all_of(*request.sequence_number, is_digit)) {
    return InvalidParameter("Invalid SequenceNumber");
  }
  return OkStatus();
}

/// `refusal` is how the operation says that it is too much.
Result<size_t> DecodeLimit(const JsonObject& json, size_t max, std::string_view refusal) {
  const auto limit = static_cast<size_t>(json.Integer("Limit").value_or(static_cast<int64_t>(max)));
  if (limit > max) {
    return InvalidParameter(StrCat(refusal, max));
  }
  return limit;
}

}  // namespace

Result<ListStreamsRequest> DecodeListStreams(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kListStreamsShape));
  ListStreamsRequest request;
  request.table = json.String("TableName");
  if (const auto arn = json.String("ExclusiveStartStreamArn")) {
    ASSIGN_OR_RETURN(request.exclusive_start_arn, DecodeStreamArn(*arn));
  }
  ASSIGN_OR_RETURN(request.limit,
                   DecodeLimit(json, limits::kListedStreams,
                               "Limit cannot be greater than the maximum allowed size: "));
  return request;
}

Result<DescribeStreamRequest> DecodeDescribeStream(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kDescribeStreamShape));
  DescribeStreamRequest request;
  ASSIGN_OR_RETURN(request.arn, DecodeStreamArn(json.RequiredString("StreamArn")));
  request.exclusive_start_shard = json.String("ExclusiveStartShardId");
  if (const auto filter = json.Object("ShardFilter")) {
    request.children_of = std::string(filter->RequiredString("ShardId"));
  }
  ASSIGN_OR_RETURN(request.limit, DecodeLimit(json, limits::kListedShards,
                                              "Limit cannot be greater than the maximum: "));
  return request;
}

Result<GetShardIteratorRequest> DecodeGetShardIterator(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kGetShardIteratorShape));
  GetShardIteratorRequest request;
  ASSIGN_OR_RETURN(request.stream_arn, DecodeStreamArn(json.RequiredString("StreamArn")));
  request.shard = std::string(json.RequiredString("ShardId"));
  request.type = DecodeIteratorType(json.RequiredString("ShardIteratorType"));
  request.sequence_number = json.String("SequenceNumber");
  RETURN_IF_ERROR(CheckSequenceNumber(request));
  return request;
}

Result<GetRecordsRequest> DecodeGetRecords(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kGetRecordsShape));
  GetRecordsRequest request;
  request.iterator = std::string(json.RequiredString("ShardIterator"));
  ASSIGN_OR_RETURN(request.limit, DecodeLimit(json, limits::kStreamRecords,
                                              "Limit should be less than or equal to "));
  return request;
}

}  // namespace tintype::tables::wire
