#include <algorithm>

#include "base/numbers.h"
#include "base/strings.h"
#include "tables/engine/changes/change_log.h"
#include "tables/engine/registry/durations.h"
#include "tables/engine/streams/operations.h"
#include "tables/engine/streams/shard_iterator.h"
#include "tables/language/errors.h"
#include "tables/language/limits.h"

// The change log as followers read it. Shards and positions are those of the table's stream, so
// that a follower can go on when the same tables are read through the endpoint.
namespace tintype::tables::engine {
namespace {

Change ToChange(const TableInfo& table, ChangeRecord record) {
  Change change;
  change.position = ToSequenceNumber(record.at.position);
  change.table = table.definition.name;
  change.event = static_cast<Change::Event>(record.event);
  change.origin = static_cast<Change::Origin>(record.origin);
  change.time_ms = TimeOf(record.at.position);
  change.key = record.KeyOf(table.definition.keys);
  change.old_image = std::move(record.old_image);
  change.new_image = std::move(record.new_image);
  return change;
}

size_t BytesOf(const Change& change) {
  return change.key.payload().size() + (change.old_image ? change.old_image->payload().size() : 0) +
         (change.new_image ? change.new_image->payload().size() : 0);
}

// Format 1 had one position for all tables, stored as a plain number.
Result<Position> ParsePosition(const ChangePosition& text) {
  if (text.empty()) {
    return Position{0};
  }
  auto position = FromSequenceNumber(text);
  if (position.ok()) {
    return position;
  }
  if (const auto plain = ParseInteger<Position>(text)) {
    return *plain;
  }
  return position;
}

// Every record from here on is still there: those of the last day for the stream, and for as long
// as recovery reaches back those too.
Position KeptSince(const TableInfo& table, int64_t now_ms) {
  const Position of_stream = FirstPositionAt(now_ms - kStreamRetentionMs);
  if (!table.recovery) {
    return of_stream;
  }
  const Position of_recovery =
      std::max(table.recovery->since, FirstPositionAt(now_ms - table.recovery->days * kDayMs));
  return std::min(of_stream, of_recovery);
}

std::optional<uint8_t> FindShard(const StreamInfo& stream, const std::string& id) {
  for (uint8_t shard = 0; shard < kShards; ++shard) {
    if (ShardId(stream.begin, shard) == id) {
      return shard;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<ChangeShard> ListShards(Core& core, const std::string& table) {
  std::vector<ChangeShard> shards;
  const TablePtr info = core.tables.FindOrNull(table);
  const std::optional<StreamInfo> stream = info ? EnabledStream(*info) : std::nullopt;
  for (uint8_t shard = 0; stream && shard < kShards; ++shard) {
    shards.push_back({{table, ShardId(stream->begin, shard)}});
  }
  return shards;
}

Result<ReadChangesResponse> ReadChanges(Core& core, const ReadChangesRequest& request) {
  const TablePtr table = core.tables.FindOrNull(request.shard.table);
  const std::optional<StreamInfo> stream = table ? EnabledStream(*table) : std::nullopt;
  const std::optional<uint8_t> shard =
      stream ? FindShard(*stream, request.shard.shard) : std::nullopt;
  if (!shard) {
    return Error::NotFound(
        StrCat("The table ", request.shard.table, " has no shard ", request.shard.shard));
  }
  ASSIGN_OR_RETURN(const Position after, ParsePosition(request.after));
  // Taken before the reader sees the log: what is committed while it reads comes the next time.
  const Position committed = core.positions.committed();
  const Position kept_since = KeptSince(*table, core.clock.NowMs());
  // A reader that has read everything has missed nothing, however long ago that was.
  if (after != 0 && after < std::min(kept_since, committed)) {
    return Error(tables::reasons::kTrimmed, "Changes after this position are not kept any more");
  }
  ShardReader reader(*core.storage, table->id, *shard);
  reader.Seek(std::max({after + 1, stream->begin, kept_since}));
  ReadChangesResponse response;
  Position next = std::max(after, committed);
  size_t bytes = 0;
  while (reader.valid()) {
    if (response.changes.size() >= request.limit || bytes >= limits::kPageBytes) {
      response.more = true;
      break;
    }
    ASSIGN_OR_RETURN(ChangeRecord record, reader.Read());
    next = std::max(next, record.at.position);
    response.changes.push_back(ToChange(*table, std::move(record)));
    bytes += BytesOf(response.changes.back());
    reader.Next();
  }
  RETURN_IF_ERROR(reader.status());
  response.next = response.more ? response.changes.back().position : ToSequenceNumber(next);
  response.time_ms = response.more ? response.changes.back().time_ms : TimeOf(next);
  return response;
}

}  // namespace tintype::tables::engine
