#include "tables/remote/remote_changes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/strings.h"
#include "tables/language/await.h"
#include "tables/language/errors.h"
#include "tables/language/limits.h"

namespace tintype::tables::remote {
namespace {

Change ToChange(const std::string& table, StreamRecord record) {
  Change change;
  change.position = std::move(record.sequence_number);
  change.table = table;
  change.event = static_cast<Change::Event>(record.event);
  change.origin = record.expired ? Change::Origin::kExpiry : Change::Origin::kUnknown;
  change.time_ms = record.created_ms;
  change.key = std::move(record.keys);
  change.old_image = std::move(record.old_image);
  change.new_image = std::move(record.new_image);
  return change;
}

/// Parents before their children. A service lists them in any order, and those that have become too
/// old not at all.
std::vector<ChangeShard> ParentsFirst(const std::string& table,
                                      std::vector<ShardDescription> shards) {
  std::vector<ChangeShard> sorted;
  std::set<std::string> waiting;
  for (const ShardDescription& shard : shards) {
    waiting.insert(shard.id);
  }
  while (!shards.empty()) {
    // Without std::ranges, whose views clang 14 cannot read in GCC's headers.
    auto first = std::stable_partition(shards.begin(), shards.end(), [&](const auto& shard) {
      return shard.parent && waiting.contains(*shard.parent);
    });
    if (first == shards.end()) {
      first = shards.begin();  // Never with an honest service: each other's parents.
    }
    for (auto shard = first; shard != shards.end(); ++shard) {
      waiting.erase(shard->id);
      sorted.push_back({{table, std::move(shard->id)}, std::move(shard->parent)});
    }
    shards.erase(first, shards.end());
  }
  return sorted;
}

}  // namespace

Result<std::optional<std::string>> RemoteChanges::FindStream(const std::string& table) {
  ListStreamsRequest request;
  request.table = table;
  std::optional<StreamSummary> latest;
  do {
    ASSIGN_OR_RETURN(ListStreamsResponse page, Await(streams_, &Streams::ListStreams, request));
    for (StreamSummary& stream : page.streams) {
      // Labels are times.
      if (stream.table == table && (!latest || latest->label < stream.label)) {
        latest = std::move(stream);
      }
    }
    request.exclusive_start_arn = std::move(page.last_evaluated_arn);
  } while (request.exclusive_start_arn);
  return latest ? std::optional(std::move(latest->arn)) : std::nullopt;
}

Result<RemoteChanges::ListedShards> RemoteChanges::ReadShards(const std::string& table) {
  ListedShards listed;
  listed.listed_ms = clock_.NowMs();
  ASSIGN_OR_RETURN(const std::optional<std::string> arn, FindStream(table));
  if (!arn) {
    return listed;
  }
  listed.stream_arn = *arn;
  DescribeStreamRequest request;
  request.arn = *arn;
  std::vector<ShardDescription> shards;
  do {
    ASSIGN_OR_RETURN(DescribeStreamResponse page,
                     Await(streams_, &Streams::DescribeStream, request));
    std::ranges::move(page.shards, std::back_inserter(shards));
    request.exclusive_start_shard = std::move(page.last_evaluated_shard);
  } while (request.exclusive_start_shard);
  listed.shards = ParentsFirst(table, std::move(shards));
  return listed;
}

Result<RemoteChanges::ListedShards> RemoteChanges::Listed(const std::string& table) {
  {
    const MutexLock lock(mutex_);
    const auto known = listed_.find(table);
    if (known != listed_.end() &&
        clock_.NowMs() - known->second.listed_ms < config_.shards_kept.count()) {
      return known->second;
    }
  }
  ASSIGN_OR_RETURN(ListedShards listed, ReadShards(table));
  const MutexLock lock(mutex_);
  listed_.insert_or_assign(table, listed);
  return listed;
}

Result<std::vector<ChangeShard>> RemoteChanges::ListShards(const std::string& table) {
  ASSIGN_OR_RETURN(ListedShards listed, Listed(table));
  return std::move(listed.shards);
}

Result<std::string> RemoteChanges::NewIterator(const ReadChangesRequest& request) {
  ASSIGN_OR_RETURN(const ListedShards listed, Listed(request.shard.table));
  if (listed.stream_arn.empty()) {
    return Error::NotFound(StrCat("The table ", request.shard.table, " has no stream"));
  }
  GetShardIteratorRequest wanted;
  wanted.stream_arn = listed.stream_arn;
  wanted.shard = request.shard.shard;
  if (!request.after.empty()) {
    wanted.type = ShardIteratorType::kAfterSequenceNumber;
    wanted.sequence_number = request.after;
  }
  auto response = Await(streams_, &Streams::GetShardIterator, std::move(wanted));
  if (!response.ok() && response.error().Is(ErrorKind::kValidation) && !request.after.empty()) {
    // No place in this shard, and it never will be: the position is from before the stream, or from
    // where these tables were kept before.
    return Error(reasons::kTrimmed, response.error().message());
  }
  if (!response.ok()) {
    return std::move(response).error();
  }
  return std::move(response->iterator);
}

std::optional<std::string> RemoteChanges::KnownIterator(const ReadChangesRequest& request) {
  const MutexLock lock(mutex_);
  // Taken out: it is good for one page.
  const auto node = iterators_.extract(request.shard);
  return !node.empty() && node.mapped().after == request.after
             ? std::optional(std::move(node.mapped().text))
             : std::nullopt;
}

Result<GetRecordsResponse> RemoteChanges::ReadRecords(const ReadChangesRequest& request) {
  const size_t limit = std::min(request.limit, limits::kStreamRecords);
  if (const std::optional<std::string> known = KnownIterator(request)) {
    auto records = Await(streams_, &Streams::GetRecords, GetRecordsRequest{*known, limit});
    // Its position may be good where the iterator is not any more.
    if (records.ok() ||
        !(records.error().Is(reasons::kExpiredIterator) || records.error().Is(reasons::kTrimmed))) {
      return records;
    }
  }
  ASSIGN_OR_RETURN(std::string iterator, NewIterator(request));
  auto records =
      Await(streams_, &Streams::GetRecords, GetRecordsRequest{std::move(iterator), limit});
  if (!records.ok() && records.error().Is(reasons::kTrimmed) && request.after.empty()) {
    // The oldest record went between the two calls.
    ASSIGN_OR_RETURN(iterator, NewIterator(request));
    return Await(streams_, &Streams::GetRecords, GetRecordsRequest{std::move(iterator), limit});
  }
  return records;
}

Result<ReadChangesResponse> RemoteChanges::ReadChanges(const ReadChangesRequest& request) {
  ASSIGN_OR_RETURN(GetRecordsResponse page, ReadRecords(request));
  ReadChangesResponse response;
  response.next = request.after;
  response.time_ms = clock_.NowMs();
  for (StreamRecord& record : page.records) {
    response.changes.push_back(ToChange(request.shard.table, std::move(record)));
    response.next = response.changes.back().position;
    response.time_ms = response.changes.back().time_ms;
  }
  response.ended = !page.next_iterator;
  // Whether there is more, only the next page tells.
  response.more = !response.ended && !response.changes.empty();
  const MutexLock lock(mutex_);
  if (page.next_iterator) {
    iterators_.insert_or_assign(request.shard, Iterator{response.next, *page.next_iterator});
  } else {
    listed_.erase(request.shard.table);  // By now it has children.
  }
  return response;
}

}  // namespace tintype::tables::remote
