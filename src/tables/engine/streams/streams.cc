#include <algorithm>
#include <memory>
#include <utility>

#include "base/strings.h"
#include "tables/engine/changes/change_log.h"
#include "tables/engine/streams/operations.h"
#include "tables/engine/streams/shard_iterator.h"
#include "tables/language/errors.h"
#include "tables/language/limits.h"

// ListStreams, DescribeStream, GetShardIterator, GetRecords.
namespace tintype::tables::engine {
namespace {

// So many records are a short read.
constexpr size_t kShortLimit = 100;

Error StreamNotFound(std::string_view arn) {
  return Error::NotFound(StrCat("Requested resource not found: Stream: ", arn, " not found"));
}

// Every stream that can be read, by ARN.
std::vector<std::pair<std::string, StreamInfo>> AllStreams(const Core& core) {
  std::vector<std::pair<std::string, StreamInfo>> all;
  for (const TablePtr& table : core.tables.All()) {
    if (std::optional<StreamInfo> stream = EnabledStream(*table)) {
      std::string arn = stream->Arn(core.config);
      all.emplace_back(std::move(arn), *std::move(stream));
    }
  }
  const int64_t oldest_ms = core.clock.NowMs() - kStreamRetentionMs;
  for (StreamInfo& stream : core.retired_streams.All()) {
    if (TimeOf(stream.end.value()) >= oldest_ms) {
      std::string arn = stream.Arn(core.config);
      all.emplace_back(std::move(arn), std::move(stream));
    }
  }
  std::ranges::sort(all, {}, &std::pair<std::string, StreamInfo>::first);
  return all;
}

Result<StreamInfo> FindStream(const Core& core, std::string_view arn) {
  // `arn:...:table/NAME/stream/LABEL`: the table that is there now is the likely one.
  constexpr std::string_view kTable = ":table/";
  constexpr std::string_view kStream = "/stream/";
  const size_t table_at = arn.find(kTable);
  const size_t stream_at = arn.find(kStream);
  if (table_at == std::string_view::npos || stream_at == std::string_view::npos ||
      stream_at < table_at) {
    return Error::Validation(StrCat("Invalid StreamArn: ", arn));
  }
  const size_t name_at = table_at + kTable.size();
  if (const TablePtr table = core.tables.FindOrNull(arn.substr(name_at, stream_at - name_at))) {
    std::optional<StreamInfo> stream = EnabledStream(*table);
    if (stream && stream->Arn(core.config) == arn) {
      return *std::move(stream);
    }
  }
  for (auto& [known, stream] : AllStreams(core)) {
    if (known == arn) {
      return std::move(stream);
    }
  }
  return StreamNotFound(arn);
}

// Before this, records are not shown any more, even if recovery still needs them.
Position Horizon(const StreamInfo& stream, int64_t now_ms) {
  return std::max(stream.begin, FirstPositionAt(now_ms - kStreamRetentionMs));
}

Error Trimmed() {
  return {tables::reasons::kTrimmed,
          "The operation attempted to read past the oldest stream record in a shard."};
}

Status CheckAge(const ShardIterator& iterator, int64_t now_ms) {
  if (iterator.made_ms >= now_ms - kIteratorLifeMs) {
    return OkStatus();
  }
  return Error(tables::reasons::kExpiredIterator,
               StrCat("Iterator expired. The iterator was created at time ", iterator.made_ms,
                      " while right now it is ", now_ms,
                      " which is further in the future than the tolerated delay of ",
                      kIteratorLifeMs, " milliseconds."));
}

StreamRecord ToStreamRecord(const Core& core, const StreamInfo& stream, ChangeRecord change) {
  StreamRecord record;
  record.event_id =
      StrCat(PaddedNumber(stream.begin, 16, 16), PaddedNumber(change.at.position, 16, 16));
  record.event = change.event == ChangeEvent::kInsert   ? StreamRecord::Event::kInsert
                 : change.event == ChangeEvent::kModify ? StreamRecord::Event::kModify
                                                        : StreamRecord::Event::kRemove;
  record.region = core.config.region;
  record.expired = change.origin == ChangeOrigin::kExpiry;
  record.created_ms = TimeOf(change.at.position) / 1000 * 1000;  // DynamoDB tells whole seconds.
  record.sequence_number = ToSequenceNumber(change.at.position);
  record.view = stream.view;
  record.keys = change.KeyOf(stream.keys);
  const bool both = stream.view == StreamView::kNewAndOldImages;
  if (both || stream.view == StreamView::kOldImage) {
    record.old_image = std::move(change.old_image);
  }
  if (both || stream.view == StreamView::kNewImage) {
    record.new_image = std::move(change.new_image);
  }
  size_t bytes = ItemSizeBytes(record.keys.view());
  bytes += record.old_image ? ItemSizeBytes(record.old_image->view()) : 0;
  bytes += record.new_image ? ItemSizeBytes(record.new_image->view()) : 0;
  record.size_bytes = static_cast<int64_t>(bytes);
  return record;
}

Result<Position> IteratorPosition(const Core& core, const StreamInfo& stream, uint8_t shard,
                                  const GetShardIteratorRequest& request) {
  const Position horizon = Horizon(stream, core.clock.NowMs());
  if (request.type == ShardIteratorType::kTrimHorizon) {
    return horizon;
  }
  if (request.type == ShardIteratorType::kLatest) {
    return std::max(stream.begin, core.positions.committed() + 1);
  }
  if (!request.sequence_number) {
    return Error::Validation(
        "SequenceNumber must be specified for AT_SEQUENCE_NUMBER and AFTER_SEQUENCE_NUMBER");
  }
  ASSIGN_OR_RETURN(const Position position, FromSequenceNumber(*request.sequence_number));
  if (position < stream.begin || (stream.end && position >= *stream.end)) {
    return Error::Validation(StrCat("Invalid SequenceNumber: ", *request.sequence_number,
                                    " is not in the range of shard ",
                                    ShardId(stream.begin, shard)));
  }
  if (position < horizon) {
    return Trimmed();
  }
  return request.type == ShardIteratorType::kAtSequenceNumber ? position : position + 1;
}

Result<GetRecordsResponse> ReadRecords(Core& core, const GetRecordsRequest& request) {
  ASSIGN_OR_RETURN(ShardIterator iterator, ShardIterator::Decode(request.iterator));
  const int64_t now_ms = core.clock.NowMs();
  RETURN_IF_ERROR(CheckAge(iterator, now_ms));
  ASSIGN_OR_RETURN(const StreamInfo stream, FindStream(core, iterator.arn));
  // As of when the iterator was made: one for the oldest record must not be too late because time
  // has passed since.
  const Position horizon = Horizon(stream, iterator.made_ms);
  // Everything committed from now on comes with the next call, if this one reads to the end.
  const Position committed = core.positions.committed();
  ShardReader reader(*core.storage, stream.table, iterator.shard);
  reader.Seek(std::max(iterator.position, stream.begin));
  if (reader.valid() && reader.position() < horizon) {
    return Trimmed();
  }
  GetRecordsResponse response;
  size_t bytes = 0;
  const auto in_stream = [&] {
    return reader.valid() && !(stream.end && reader.position() >= *stream.end);
  };
  while (in_stream() && response.records.size() < request.limit && bytes < limits::kPageBytes) {
    ASSIGN_OR_RETURN(ChangeRecord change, reader.Read());
    iterator.position = change.at.position + 1;
    response.records.push_back(ToStreamRecord(core, stream, std::move(change)));
    bytes += static_cast<size_t>(response.records.back().size_bytes);
    reader.Next();
  }
  RETURN_IF_ERROR(reader.status());
  if (!in_stream()) {
    if (stream.end) {
      return response;  // All that there will ever be has been read.
    }
    iterator.position = std::max(iterator.position, committed + 1);
  }
  iterator.made_ms = now_ms;
  response.next_iterator = iterator.Encode();
  return response;
}

}  // namespace

Result<ListStreamsResponse> ListStreams(Core& core, const ListStreamsRequest& request) {
  ListStreamsResponse response;
  for (const auto& [arn, stream] : AllStreams(core)) {
    if ((request.table && stream.table_name != *request.table) ||
        (request.exclusive_start_arn && arn <= *request.exclusive_start_arn)) {
      continue;
    }
    if (response.streams.size() == request.limit) {
      response.last_evaluated_arn = response.streams.back().arn;
      break;
    }
    response.streams.push_back({arn, stream.Label(), stream.table_name});
  }
  return response;
}

Result<DescribeStreamResponse> DescribeStream(Core& core, const DescribeStreamRequest& request) {
  ASSIGN_OR_RETURN(const StreamInfo stream, FindStream(core, request.arn));
  DescribeStreamResponse response;
  response.stream = {request.arn, stream.Label(), stream.table_name};
  response.status = stream.end ? StreamStatus::kDisabled : StreamStatus::kEnabled;
  response.view = stream.view;
  response.created_ms = TimeOf(stream.begin);
  response.keys = stream.keys;
  if (request.children_of) {
    return response;  // Shards are never split.
  }
  for (uint8_t shard = 0; shard < kShards; ++shard) {
    std::string id = ShardId(stream.begin, shard);
    if (request.exclusive_start_shard && id <= *request.exclusive_start_shard) {
      continue;
    }
    if (response.shards.size() == request.limit) {
      response.last_evaluated_shard = response.shards.back().id;
      break;
    }
    ShardDescription description{std::move(id), ToSequenceNumber(stream.begin), std::nullopt};
    if (stream.end) {
      description.last = ToSequenceNumber(*stream.end - 1);
    }
    response.shards.push_back(std::move(description));
  }
  return response;
}

Result<GetShardIteratorResponse> GetShardIterator(Core& core,
                                                  const GetShardIteratorRequest& request) {
  ASSIGN_OR_RETURN(const StreamInfo stream, FindStream(core, request.stream_arn));
  for (uint8_t shard = 0; shard < kShards; ++shard) {
    if (ShardId(stream.begin, shard) == request.shard) {
      ASSIGN_OR_RETURN(const Position position, IteratorPosition(core, stream, shard, request));
      const ShardIterator iterator{request.stream_arn, shard, position, core.clock.NowMs()};
      return GetShardIteratorResponse{iterator.Encode()};
    }
  }
  return Error::NotFound(StrCat("Requested resource not found: Shard: ", request.shard,
                                " of stream: ", request.stream_arn, " not found"));
}

void GetRecords(Core& core, GetRecordsRequest request, Done<GetRecordsResponse> done) {
  const auto length =
      request.limit <= kShortLimit ? ReadPool::Length::kShort : ReadPool::Length::kLong;
  // Shared by the task and by this thread, which answers if the task is refused.
  const auto call = std::make_shared<std::pair<GetRecordsRequest, Done<GetRecordsResponse>>>(
      std::move(request), std::move(done));
  const bool accepted =
      core.reads.Submit(length, 0, [&core, call] { call->second(ReadRecords(core, call->first)); });
  if (!accepted) {
    call->second(TooManyReads());
  }
}

}  // namespace tintype::tables::engine
