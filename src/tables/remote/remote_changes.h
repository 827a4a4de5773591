#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "tables/language/changes.h"
#include "tables/language/streams.h"

namespace tintype::tables::remote {

struct RemoteChangesConfig {
  /// How long a list of shards is believed. Default 10 s: shards are closed and continued by others
  /// every few hours, and the end of one has the list read anew at once.
  std::chrono::milliseconds shards_kept{10'000};
};

/// The changes of tables on a service that has DynamoDB Streams: those of each table's latest
/// stream. Positions are sequence numbers. It is not known who made a change, but for items that
/// expired. Nothing tells of a commit: readers ask again after a while.
///
/// Keeps the iterators of shards, so that going on costs one request; an iterator that has expired
/// is replaced. Thread-safe; one reader at a time makes the best of it.
class RemoteChanges : public ChangeLog {
 public:
  /// The clock is for the age of lists. Both outlive this.
  RemoteChanges(RemoteChangesConfig config, Streams& streams, const Clock& clock)
      : config_(config), streams_(streams), clock_(clock) {}

  Result<std::vector<ChangeShard>> ListShards(const std::string& table) override;
  Result<ReadChangesResponse> ReadChanges(const ReadChangesRequest& request) override;
  uint64_t CommitCount() const override { return 0; }
  bool WaitForCommit(uint64_t /*seen*/, std::chrono::milliseconds /*at_most*/) override {
    return false;
  }

 private:
  struct ListedShards {
    std::string stream_arn;  // Empty when the table has no stream.
    std::vector<ChangeShard> shards;
    int64_t listed_ms = 0;
  };
  /// Where an iterator goes on, which may be past changes that were not there.
  struct Iterator {
    ChangePosition after;
    std::string text;
  };

  Result<ListedShards> ReadShards(const std::string& table);
  Result<std::optional<std::string>> FindStream(const std::string& table);
  Result<ListedShards> Listed(const std::string& table);
  Result<std::string> NewIterator(const ReadChangesRequest& request);
  std::optional<std::string> KnownIterator(const ReadChangesRequest& request);
  /// The records from where the request says, by an iterator that is known or by a new one.
  Result<GetRecordsResponse> ReadRecords(const ReadChangesRequest& request);

  const RemoteChangesConfig config_;
  Streams& streams_;
  const Clock& clock_;
  Mutex mutex_;
  std::map<std::string, ListedShards> listed_ GUARDED_BY(mutex_);  // By table.
  std::map<ShardName, Iterator> iterators_ GUARDED_BY(mutex_);
};

}  // namespace tintype::tables::remote
