#include "tables/engine/registry/stream_info.h"

#include <cstdio>
#include <ctime>

#include "base/strings.h"
#include "tables/engine/registry/stored_policy.h"
#include "tables/engine/registry/table_arn.h"
#include "tables/engine/storage/stored_item.h"

namespace tintype::tables::engine {

std::string StreamInfo::Label() const {
  const int64_t since_ms = TimeOf(begin);
  const std::time_t seconds = static_cast<std::time_t>(since_ms / 1000);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[32];
  const size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(text + length, sizeof text - length, ".%03d", static_cast<int>(since_ms % 1000));
  return text;
}

std::string StreamInfo::Arn(const EngineConfig& config) const {
  return StrCat(TableArn(config, table_name), "/stream/", Label());
}

Item StreamInfo::ToStored() const {
  StoredWriter out;
  out.Put("table", static_cast<int64_t>(table));
  out.Put("name", table_name);
  out.Put("view", static_cast<int64_t>(view));
  out.Put("hash", keys.hash);
  out.Put("range", keys.range);
  out.Put("begin", static_cast<int64_t>(begin));
  out.Put("end", static_cast<int64_t>(end.value_or(0)));
  StorePolicy(out, "policy", policy);
  return out.Finish();
}

Result<StreamInfo> StreamInfo::FromStored(MapView stored) {
  StoredReader in(stored);
  StreamInfo stream;
  stream.table = static_cast<TableId>(in.Integer("table"));
  stream.table_name = in.Text("name");
  stream.view = in.OneOf("view", StreamView::kNewAndOldImages);
  stream.keys.hash = in.Texts("hash");
  stream.keys.range = in.Texts("range");
  stream.begin = static_cast<Position>(in.Integer("begin"));
  stream.end = static_cast<Position>(in.Integer("end"));
  stream.policy = ReadPolicy(in, "policy");
  if (in.damaged()) {
    return Error::Corruption("The stored description of a stream is damaged");
  }
  return stream;
}

void RetiredStreams::Put(StreamInfo stream) {
  const MutexLock lock(mutex_);
  // The number rises before it falls, as in TableRegistry.
  policies_ += stream.policy != nullptr ? 1 : 0;
  StreamInfo& place = streams_[stream.begin];
  policies_ -= place.policy != nullptr ? 1 : 0;
  place = std::move(stream);
}

void RetiredStreams::Erase(Position begin) {
  const MutexLock lock(mutex_);
  if (const auto found = streams_.find(begin); found != streams_.end()) {
    policies_ -= found->second.policy != nullptr ? 1 : 0;
    streams_.erase(found);
  }
}

std::vector<StreamInfo> RetiredStreams::All() const {
  const MutexLock lock(mutex_);
  std::vector<StreamInfo> all;
  all.reserve(streams_.size());
  for (const auto& [begin, stream] : streams_) {
    all.push_back(stream);
  }
  return all;
}

std::optional<StreamInfo> EnabledStream(const TableInfo& table) {
  if (!table.definition.stream) {
    return std::nullopt;
  }
  return StreamInfo{.table = table.id,
                    .table_name = table.definition.name,
                    .view = *table.definition.stream,
                    .keys = table.definition.keys,
                    .begin = table.stream_since.value(),
                    .end = std::nullopt,
                    .policy = table.stream_policy};
}

}  // namespace tintype::tables::engine
