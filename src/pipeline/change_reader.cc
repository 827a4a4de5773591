#include "pipeline/change_reader.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/logging.h"
#include "base/retry.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "tables/language/errors.h"

namespace tintype::pipeline {

using tables::Change;
using tables::ChangePosition;
using tables::ChangeShard;
using tables::FollowerPosition;
using tables::ShardName;

namespace {

const ShardName kEverything;
ShardName WholeTable(const std::string& table) { return {table, ""}; }

/// What was read after a position.
struct Page {
  ChangePosition after;
  tables::ReadChangesResponse response;

  /// Whether everything after a position, which is not before this page's, is in the page or after
  /// it. The empty position is before what is kept: what came before the first change that is kept
  /// may be gone.
  bool Has(const ChangePosition& position) const {
    if (position == after) {
      return true;
    }
    if (after.empty() && (response.changes.empty() ||
                          tables::IsBefore(position, response.changes.front().position))) {
      return false;
    }
    return !tables::IsBefore(response.next, position);
  }
};

}  // namespace

bool ChangeReader::Following::Follows(const std::string& table) const {
  return std::ranges::find(follower->tables(), table) != follower->tables().end();
}

bool ChangeReader::Following::RestsFrom(const ShardName& place) const {
  const auto known = rests_until.find(place);
  return known != rests_until.end() && known->second > SteadyClock::now();
}

bool ChangeReader::Following::IsActiveIn(const ShardName& shard) const {
  return loaded && !RestsFrom(kEverything) && !RestsFrom(WholeTable(shard.table)) &&
         !RestsFrom(shard);
}

const ChangePosition& ChangeReader::Following::PositionIn(const ShardName& shard) const {
  static const ChangePosition from_the_beginning;
  const auto known = positions.find(shard);
  return known == positions.end() ? from_the_beginning : known->second;
}

bool ChangeReader::Following::HasEnded(const ShardName& shard) const {
  return PositionIn(shard) == tables::kShardEnd;
}

ChangeReader::ChangeReader(ChangeReaderConfig config, tables::ChangeLog& log,
                           const std::vector<tables::Follower*>& followers)
    : config_(config), log_(log) {
  for (tables::Follower* follower : followers) {
    followings_.push_back({.follower = follower, .positions = {}, .rests_until = {}});
    tables_.insert(follower->tables().begin(), follower->tables().end());
  }
  thread_ = std::thread([this] { Run(); });
}

ChangeReader::~ChangeReader() { Stop(); }

void ChangeReader::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    changed_.SignalAll();
  }
  if (thread_.joinable()) {
    thread_.join();
  }
}

bool ChangeReader::is_stopping() const {
  const MutexLock lock(mutex_);
  return stopping_;
}

void ChangeReader::Pause() {
  const MutexLock lock(mutex_);
  if (!stopping_) {
    changed_.WaitFor(mutex_, config_.pause);
  }
}

void ChangeReader::Run() {
  while (!is_stopping()) {
    const uint64_t seen = log_.CommitCount();
    if (!Round() && !is_stopping()) {
      Pause();
      log_.WaitForCommit(seen, config_.wait);
    }
  }
}

bool ChangeReader::Round() {
  for (Following& following : followings_) {
    if (!following.loaded && !following.RestsFrom(kEverything)) {
      Load(following);
    }
  }
  bool more = false;
  for (const std::string& table : tables_) {
    if (is_stopping()) {
      return false;
    }
    more |= ReadTable(table);
  }
  return more;
}

void ChangeReader::Load(Following& following) {
  Result<std::vector<FollowerPosition>> stored = following.follower->LoadPositions();
  if (!stored.ok()) {
    Rest(following, kEverything, stored.error());
    return;
  }
  for (FollowerPosition& position : *stored) {
    following.positions[std::move(position.shard)] = std::move(position.position);
  }
  following.loaded = true;
}

void ChangeReader::Rest(Following& following, const ShardName& place, const Error& error) {
  LogWarning("changes cannot be followed", {{"follower", following.follower->name()},
                                            {"table", place.table},
                                            {"shard", place.shard},
                                            {"error", error.message()},
                                            {"note", error.note()}});
  // One shard that cannot be followed must not hold up the others for good.
  following.rests_until[IsOutage(error) ? kEverything : place] = SteadyClock::now() + config_.retry;
}

bool ChangeReader::ReadTable(const std::string& table) {
  const auto shards = log_.ListShards(table);
  if (!shards.ok()) {
    for (Following& following : followings_) {
      if (following.IsActiveIn(WholeTable(table)) && following.Follows(table)) {
        Rest(following, WholeTable(table), shards.error());
      }
    }
    return false;
  }
  std::set<std::string> listed;
  for (const ChangeShard& shard : *shards) {
    listed.insert(shard.name.shard);
  }
  ForgetGone(table, listed);
  bool more = false;
  for (const ChangeShard& shard : *shards) {
    if (is_stopping()) {
      return false;
    }
    more |= ReadShard(shard, listed);
  }
  return more;
}

void ChangeReader::ForgetGone(const std::string& table, const std::set<std::string>& listed) {
  for (Following& following : followings_) {
    std::vector<ShardName> gone;
    for (const auto& [shard, position] : following.positions) {
      if (shard.table == table && !listed.contains(shard.shard) && following.IsActiveIn(shard)) {
        gone.push_back(shard);
      }
    }
    for (const ShardName& shard : gone) {
      Forget(following, shard, /*missed=*/!following.HasEnded(shard));
    }
  }
}

void ChangeReader::Forget(Following& following, const ShardName& shard, bool missed) {
  const Status forgotten = following.follower->Forget(shard, missed);
  if (forgotten.ok()) {
    following.positions.erase(shard);
    following.rests_until.erase(shard);
  } else {
    Rest(following, shard, forgotten.error());
  }
}

bool ChangeReader::ReadShard(const ChangeShard& shard, const std::set<std::string>& listed) {
  std::vector<Following*> waiting;
  for (Following& following : followings_) {
    const bool parent_first = shard.parent && listed.contains(*shard.parent) &&
                              !following.HasEnded({shard.name.table, *shard.parent});
    if (following.IsActiveIn(shard.name) && following.Follows(shard.name.table) && !parent_first &&
        !following.HasEnded(shard.name)) {
      waiting.push_back(&following);
    }
  }
  // From the one that is furthest behind: a follower that stands within a page that was read gets
  // the rest of it.
  std::ranges::sort(waiting, [&](const Following* one, const Following* other) {
    return tables::IsBefore(one->PositionIn(shard.name), other->PositionIn(shard.name));
  });
  bool more = false;
  std::optional<Page> page;
  for (Following* following : waiting) {
    const ChangePosition& after = following->PositionIn(shard.name);
    if (!page || !page->Has(after)) {
      auto read = log_.ReadChanges({shard.name, after, config_.page});
      if (!read.ok() && read.error().Is(tables::reasons::kTrimmed)) {
        Forget(*following, shard.name, /*missed=*/true);
        more = true;
        continue;
      }
      if (!read.ok() && read.error().kind() == ErrorKind::kNotFound) {
        return more;  // The next list of shards will not have it.
      }
      if (!read.ok()) {
        Rest(*following, shard.name, read.error());
        continue;
      }
      page = Page{after, *std::move(read)};
    }
    more |= Give(*following, shard.name, page->response);
  }
  return more;
}

bool ChangeReader::Give(Following& following, const ShardName& shard,
                        const tables::ReadChangesResponse& page) {
  const ChangePosition& after = following.PositionIn(shard);
  const auto first = std::ranges::find_if(
      page.changes, [&](const Change& change) { return tables::IsBefore(after, change.position); });
  const std::span<const Change> unseen(first, page.changes.end());
  if (unseen.empty() && !page.ended && page.next == after) {
    return false;
  }
  const FollowerPosition reached{
      shard, page.ended ? ChangePosition(tables::kShardEnd) : page.next,
      StrCat(page.ended ? "read to its end, " : "read up to ", TimeText(page.time_ms))};
  const Status followed = following.follower->Follow(unseen, reached);
  if (!followed.ok()) {
    Rest(following, shard, followed.error());
    return false;
  }
  following.positions[shard] = reached.position;
  // Children of a shard that has ended can be read now.
  return page.more || page.ended;
}

}  // namespace tintype::pipeline
