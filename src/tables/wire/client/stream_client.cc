#include <utility>

#include "tables/language/limits.h"
#include "tables/wire/client_codec.h"
#include "tables/wire/internal/answer.h"
#include "tables/wire/internal/answer_members.h"
#include "tables/wire/internal/json_writer.h"
#include "tables/wire/internal/request_writer.h"

// Requests about streams as a client writes them, and their answers as it reads them.
namespace tintype::tables::wire {

namespace {

constexpr Names<StreamStatus, 4> kStreamStatuses = {{{"ENABLING", StreamStatus::kEnabling},
                                                     {"ENABLED", StreamStatus::kEnabled},
                                                     {"DISABLING", StreamStatus::kDisabling},
                                                     {"DISABLED", StreamStatus::kDisabled}}};
constexpr Names<StreamRecord::Event, 3> kEvents = {{{"INSERT", StreamRecord::Event::kInsert},
                                                    {"MODIFY", StreamRecord::Event::kModify},
                                                    {"REMOVE", StreamRecord::Event::kRemove}}};

std::string_view NameOf(ShardIteratorType type) {
  switch (type) {
    case ShardIteratorType::kTrimHorizon:
      return "TRIM_HORIZON";
    case ShardIteratorType::kLatest:
      return "LATEST";
    case ShardIteratorType::kAtSequenceNumber:
      return "AT_SEQUENCE_NUMBER";
    case ShardIteratorType::kAfterSequenceNumber:
      break;
  }
  return "AFTER_SEQUENCE_NUMBER";
}

/// Left out where it is what the service takes without one.
void WriteLimit(JsonWriter& json, size_t limit, size_t otherwise) {
  if (limit != otherwise) {
    WriteInteger(json, "Limit", static_cast<int64_t>(limit));
  }
}

StreamSummary ReadSummary(const AnswerObject& json) {
  return {json.Text("StreamArn").value_or(""), json.Text("StreamLabel").value_or(""),
          json.Text("TableName").value_or("")};
}

ShardDescription ReadShard(const AnswerObject& json) {
  ShardDescription shard;
  shard.id = json.Text("ShardId").value_or("");
  shard.parent = json.Text("ParentShardId");
  if (const auto range = json.Object("SequenceNumberRange")) {
    shard.first = range->Text("StartingSequenceNumber").value_or("");
    shard.last = range->Text("EndingSequenceNumber");
  }
  return shard;
}

StreamRecord ReadRecord(const AnswerObject& json) {
  StreamRecord record;
  record.event_id = json.Text("eventID").value_or("");
  record.event = ReadName(json, "eventName", kEvents, StreamRecord::Event::kModify);
  record.region = json.Text("awsRegion").value_or("");
  if (const auto identity = json.Object("userIdentity")) {
    // The documentation and the service disagree about the first letter's case.
    const auto member = [&](std::string_view upper, std::string_view lower) {
      return identity->Has(upper) ? identity->Text(upper) : identity->Text(lower);
    };
    record.expired = member("Type", "type") == "Service" &&
                     member("PrincipalId", "principalId") == "dynamodb.amazonaws.com";
  }
  const auto change = json.Object("dynamodb");
  if (!change) {
    json.Fail("a record has no change");
    return record;
  }
  record.created_ms = change->TimeMs("ApproximateCreationDateTime").value_or(0);
  record.sequence_number = change->Text("SequenceNumber").value_or("");
  record.view = ReadName(*change, "StreamViewType", kStreamViews, StreamView::kKeysOnly);
  record.keys = change->Attributes("Keys").value_or(Item());
  record.old_image = change->Attributes("OldImage");
  record.new_image = change->Attributes("NewImage");
  record.size_bytes = change->Integer("SizeBytes").value_or(0);
  if (record.sequence_number.empty()) {
    json.Fail("a record has no SequenceNumber");
  }
  return record;
}

}  // namespace

std::string EncodeRequest(const ListStreamsRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    WriteOptional(json, "TableName", request.table);
    WriteOptional(json, "ExclusiveStartStreamArn", request.exclusive_start_arn);
    WriteLimit(json, request.limit, limits::kListedStreams);
  });
}

std::string EncodeRequest(const DescribeStreamRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    WriteText(json, "StreamArn", request.arn);
    WriteOptional(json, "ExclusiveStartShardId", request.exclusive_start_shard);
    WriteLimit(json, request.limit, limits::kListedShards);
  });
}

std::string EncodeRequest(const GetShardIteratorRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    WriteText(json, "StreamArn", request.stream_arn);
    WriteText(json, "ShardId", request.shard);
    WriteText(json, "ShardIteratorType", NameOf(request.type));
    WriteOptional(json, "SequenceNumber", request.sequence_number);
  });
}

std::string EncodeRequest(const GetRecordsRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    WriteText(json, "ShardIterator", request.iterator);
    WriteLimit(json, request.limit, limits::kStreamRecords);
  });
}

Result<ListStreamsResponse> DecodeListStreamsResponse(std::string_view body) {
  return ReadAnswer<ListStreamsResponse>(body, [](const AnswerObject& json) {
    ListStreamsResponse response;
    for (const AnswerObject& stream : json.Objects("Streams")) {
      response.streams.push_back(ReadSummary(stream));
    }
    response.last_evaluated_arn = json.Text("LastEvaluatedStreamArn");
    return response;
  });
}

Result<DescribeStreamResponse> DecodeDescribeStreamResponse(std::string_view body) {
  return ReadAnswer<DescribeStreamResponse>(body, [](const AnswerObject& json) {
    DescribeStreamResponse response;
    const auto stream = json.Object("StreamDescription");
    if (!stream) {
      json.Fail("it has no StreamDescription");
      return response;
    }
    response.stream = ReadSummary(*stream);
    response.status = ReadName(*stream, "StreamStatus", kStreamStatuses, StreamStatus::kEnabled);
    response.view = ReadName(*stream, "StreamViewType", kStreamViews, StreamView::kKeysOnly);
    response.created_ms = stream->TimeMs("CreationRequestDateTime").value_or(0);
    response.keys = ReadKeySchema(*stream);
    for (const AnswerObject& shard : stream->Objects("Shards")) {
      response.shards.push_back(ReadShard(shard));
    }
    response.last_evaluated_shard = stream->Text("LastEvaluatedShardId");
    return response;
  });
}

Result<GetShardIteratorResponse> DecodeGetShardIteratorResponse(std::string_view body) {
  return ReadAnswer<GetShardIteratorResponse>(body, [](const AnswerObject& json) {
    GetShardIteratorResponse response{json.Text("ShardIterator").value_or("")};
    if (response.iterator.empty()) {
      json.Fail("it has no ShardIterator");
    }
    return response;
  });
}

Result<GetRecordsResponse> DecodeGetRecordsResponse(std::string_view body) {
  return ReadAnswer<GetRecordsResponse>(body, [](const AnswerObject& json) {
    GetRecordsResponse response;
    for (const AnswerObject& record : json.Objects("Records")) {
      response.records.push_back(ReadRecord(record));
    }
    response.next_iterator = json.Text("NextShardIterator");
    return response;
  });
}

}  // namespace tintype::tables::wire
