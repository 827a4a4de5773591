#include <algorithm>
#include <map>

#include "tables/engine/changes/change_log.h"
#include "tables/engine/streams/operations.h"
#include "tables/language/errors.h"
#include "tables/language/limits.h"

// The change log of several tables as one.
namespace tintype::tables::engine {
namespace {

// A place between changes is the position of the last one before it.
constexpr Position FirstAfter(ChangePosition place) { return place + 1; }

struct Followed {
  TablePtr table;
  ShardReader reader;
};

Change ToChange(const TableInfo& table, ChangeRecord record) {
  Change change;
  change.position = record.at.position;
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

}  // namespace

Result<ReadChangesResponse> ReadChanges(Core& core, const ReadChangesRequest& request) {
  // Taken before the readers see the log: what is committed while they read comes the next time.
  const Position committed = core.positions.committed();
  const Position horizon = FirstPositionAt(core.clock.NowMs() - kStreamRetentionMs);
  // Whoever has read everything has missed nothing, however long ago that was.
  if (request.after != 0 && request.after < std::min(horizon, committed)) {
    return Error(tables::reasons::kTrimmed, "Changes after this position are not kept any more");
  }
  const ScopedSnapshot snapshot(core.storage->db());
  std::multimap<Position, Followed> next;  // By the position that each stands at.
  const auto add = [&next](Followed followed) -> Status {
    if (followed.reader.valid()) {
      const Position position = followed.reader.position();
      next.emplace(position, std::move(followed));
      return OkStatus();
    }
    return followed.reader.status();
  };
  for (const std::string& name : request.tables) {
    const TablePtr table = core.catalog.FindOrNull(name);
    if (!table || !table->definition.stream) {
      continue;
    }
    const Position from = std::max({FirstAfter(request.after), *table->stream_since, horizon});
    for (uint8_t shard = 0; shard < kShards; ++shard) {
      Followed followed{table, ShardReader(*core.storage, table->id, shard, snapshot.get())};
      followed.reader.Seek(from);
      RETURN_IF_ERROR(add(std::move(followed)));
    }
  }
  ReadChangesResponse response;
  response.next = std::max(request.after, committed);
  size_t bytes = 0;
  while (!next.empty()) {
    if (response.changes.size() >= request.limit || bytes >= limits::kPageBytes) {
      response.next = response.changes.back().position;
      break;
    }
    auto first = next.extract(next.begin());
    Followed& followed = first.mapped();
    ASSIGN_OR_RETURN(ChangeRecord record, followed.reader.Read());
    response.changes.push_back(ToChange(*followed.table, std::move(record)));
    bytes += BytesOf(response.changes.back());
    response.next = std::max(response.next, response.changes.back().position);
    followed.reader.Next();
    RETURN_IF_ERROR(add(std::move(followed)));
  }
  return response;
}

}  // namespace tintype::tables::engine
