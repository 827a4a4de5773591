#include "tables/wire/codec.h"
#include "tables/wire/internal/json_writer.h"
#include "tables/wire/internal/request_writer.h"
#include "tables/wire/internal/table_members.h"

namespace tintype::tables::wire {

namespace {

std::string_view StatusName(StreamStatus status) {
  switch (status) {
    case StreamStatus::kEnabling:
      return "ENABLING";
    case StreamStatus::kDisabling:
      return "DISABLING";
    case StreamStatus::kDisabled:
      return "DISABLED";
    case StreamStatus::kEnabled:
      break;
  }
  return "ENABLED";
}

std::string_view EventName(StreamRecord::Event event) {
  switch (event) {
    case StreamRecord::Event::kInsert:
      return "INSERT";
    case StreamRecord::Event::kModify:
      return "MODIFY";
    case StreamRecord::Event::kRemove:
      break;
  }
  return "REMOVE";
}

void WriteStreamSummary(JsonWriter& json, const StreamSummary& stream) {
  WriteText(json, "StreamArn", stream.arn);
  WriteText(json, "StreamLabel", stream.label);
  WriteText(json, "TableName", stream.table);
}

void WriteShard(JsonWriter& json, const ShardDescription& shard) {
  json.OpenObject();
  WriteText(json, "ShardId", shard.id);
  WriteOptional(json, "ParentShardId", shard.parent);
  json.Name("SequenceNumberRange");
  json.OpenObject();
  WriteText(json, "StartingSequenceNumber", shard.first);
  WriteOptional(json, "EndingSequenceNumber", shard.last);
  json.CloseObject();
  json.CloseObject();
}

void WriteImage(JsonWriter& json, std::string_view name, const std::optional<Item>& image) {
  if (image) {
    json.Name(name);
    json.Attributes(image->view());
  }
}

void WriteRecord(JsonWriter& json, const StreamRecord& record) {
  json.OpenObject();
  WriteText(json, "eventID", record.event_id);
  WriteText(json, "eventName", EventName(record.event));
  WriteText(json, "eventVersion", "1.1");
  WriteText(json, "eventSource", "aws:dynamodb");
  WriteText(json, "awsRegion", record.region);
  json.Name("dynamodb");
  json.OpenObject();
  // Of a record DynamoDB tells the second only.
  WriteTime(json, "ApproximateCreationDateTime", record.created_ms - record.created_ms % 1000);
  json.Name("Keys");
  json.Attributes(record.keys.view());
  WriteImage(json, "NewImage", record.new_image);
  WriteImage(json, "OldImage", record.old_image);
  WriteText(json, "SequenceNumber", record.sequence_number);
  WriteInteger(json, "SizeBytes", record.size_bytes);
  WriteText(json, "StreamViewType", Name(record.view));
  json.CloseObject();
  if (record.expired) {
    json.Name("userIdentity");
    json.OpenObject();
    WriteText(json, "PrincipalId", "dynamodb.amazonaws.com");
    WriteText(json, "Type", "Service");
    json.CloseObject();
  }
  json.CloseObject();
}

}  // namespace

std::string EncodeListStreams(const ListStreamsResponse& response) {
  return WriteBody([&](JsonWriter& json) {
    json.Name("Streams");
    json.OpenArray();
    for (const StreamSummary& stream : response.streams) {
      json.OpenObject();
      WriteStreamSummary(json, stream);
      json.CloseObject();
    }
    json.CloseArray();
    WriteOptional(json, "LastEvaluatedStreamArn", response.last_evaluated_arn);
  });
}

std::string EncodeDescribeStream(const DescribeStreamResponse& response) {
  return WriteBody([&](JsonWriter& json) {
    json.Name("StreamDescription");
    json.OpenObject();
    WriteStreamSummary(json, response.stream);
    WriteText(json, "StreamStatus", StatusName(response.status));
    WriteText(json, "StreamViewType", Name(response.view));
    WriteTime(json, "CreationRequestDateTime", response.created_ms);
    WriteKeySchema(json, response.keys);
    json.Name("Shards");
    json.OpenArray();
    for (const ShardDescription& shard : response.shards) {
      WriteShard(json, shard);
    }
    json.CloseArray();
    WriteOptional(json, "LastEvaluatedShardId", response.last_evaluated_shard);
    json.CloseObject();
  });
}

std::string EncodeGetShardIterator(const GetShardIteratorResponse& response) {
  return WriteBody([&](JsonWriter& json) { WriteText(json, "ShardIterator", response.iterator); });
}

std::string EncodeGetRecords(const GetRecordsResponse& response) {
  return WriteBody([&](JsonWriter& json) {
    json.Name("Records");
    json.OpenArray();
    for (const StreamRecord& record : response.records) {
      WriteRecord(json, record);
    }
    json.CloseArray();
    WriteOptional(json, "NextShardIterator", response.next_iterator);
  });
}

}  // namespace tintype::tables::wire
