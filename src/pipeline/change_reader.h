#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "tables/language/changes.h"
#include "tables/language/follower.h"

namespace tintype::pipeline {

struct ChangeReaderConfig {
  /// How long it rests between two looks, so that many commits make one. Default 50 ms. A log that
  /// cannot wait for a commit is asked as often as this says.
  std::chrono::milliseconds pause{50};
  /// The longest wait for a commit after that. Default 200 ms.
  std::chrono::milliseconds wait{200};
  /// How long a follower rests after an error: from the shard or the table that has it, or, when
  /// everything would fail, from all. Default 1 s.
  std::chrono::milliseconds retry{1000};
  /// Changes that are read at once. Default 1000.
  size_t page = 1000;
};

/// Reads the change log for all followers of a process: each page once, however many followers
/// stand there. One that fails or is far behind holds up none of the others. Owned by the program's
/// wiring. Thread-safe.
class ChangeReader {
 public:
  /// Begins to read. The log and the followers outlive it.
  ChangeReader(ChangeReaderConfig config, tables::ChangeLog& log,
               const std::vector<tables::Follower*>& followers);
  /// Stops, if Stop was not called.
  ~ChangeReader();
  ChangeReader(const ChangeReader&) = delete;
  ChangeReader& operator=(const ChangeReader&) = delete;

  /// Lets the followers finish what they were given, and joins the thread.
  void Stop();

 private:
  using SteadyClock = std::chrono::steady_clock;

  struct Following {
    tables::Follower* follower = nullptr;
    bool loaded = false;
    std::map<tables::ShardName, tables::ChangePosition> positions;
    /// What it leaves alone until then: shards, whole tables (no shard), everything (no table).
    std::map<tables::ShardName, SteadyClock::time_point> rests_until;

    bool Follows(const std::string& table) const;
    bool RestsFrom(const tables::ShardName& place) const;
    bool IsActiveIn(const tables::ShardName& shard) const;
    const tables::ChangePosition& PositionIn(const tables::ShardName& shard) const;
    bool HasEnded(const tables::ShardName& shard) const;
  };

  void Run();
  bool is_stopping() const;
  void Pause();
  /// Reads once what has happened in all shards; true if there is more.
  bool Round();
  bool ReadTable(const std::string& table);
  bool ReadShard(const tables::ChangeShard& shard, const std::set<std::string>& listed);
  /// Takes leave of shards that cannot be read any more.
  void ForgetGone(const std::string& table, const std::set<std::string>& listed);
  void Forget(Following& following, const tables::ShardName& shard, bool missed);
  void Load(Following& following);
  /// Hands over what a follower has not seen of a page.
  bool Give(Following& following, const tables::ShardName& shard,
            const tables::ReadChangesResponse& page);
  void Rest(Following& following, const tables::ShardName& place, const Error& error);

  const ChangeReaderConfig config_;
  tables::ChangeLog& log_;
  // Only the reader's own thread uses these.
  std::vector<Following> followings_;
  std::set<std::string> tables_;
  mutable Mutex mutex_;
  CondVar changed_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace tintype::pipeline
