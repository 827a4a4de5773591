#include "tables/engine/schema/stream_change.h"

#include "tables/engine/storage/meta_keys.h"

namespace tintype::tables::engine {

void BeginStream(CommitGroup& group, TableInfo& table) {
  table.stream_since = group.core().positions.NextMoment(group.now_ms());
  table.stream_policy = nullptr;  // That was the one before it.
}

void StageRetiredStream(CommitGroup& group, StreamInfo stream) {
  Core& core = group.core();
  group.batch()
      .Put(core.storage->meta(), meta::PositionKey(meta::kRetiredStream, stream.begin),
           stream.ToStored().payload())
      .PermitUncheckedError();
  group.OnWritten([&core, stream = std::move(stream)] { core.retired_streams.Put(stream); });
}

void RetireStream(CommitGroup& group, const TableInfo& table) {
  std::optional<StreamInfo> stream = EnabledStream(table);
  if (!stream) {
    return;
  }
  stream->end = group.core().positions.Next(group.now_ms());
  StageRetiredStream(group, *std::move(stream));
}

void ForgetOldStreams(CommitGroup& group) {
  Core& core = group.core();
  for (const StreamInfo& stream : core.retired_streams.All()) {
    if (TimeOf(stream.end.value()) >= group.now_ms() - kStreamRetentionMs) {
      continue;
    }
    group.batch()
        .Delete(core.storage->meta(), meta::PositionKey(meta::kRetiredStream, stream.begin))
        .PermitUncheckedError();
    group.OnWritten([&core, begin = stream.begin] { core.retired_streams.Erase(begin); });
  }
}

}  // namespace tintype::tables::engine
