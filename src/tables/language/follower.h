#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "tables/language/changes.h"

namespace tintype::tables {

/// Where a follower stands in one shard.
struct FollowerPosition {
  ShardName shard;
  /// Everything before it was acted on; kShardEnd once the shard was read to its end.
  ChangePosition position;
  /// For people: what the position means.
  std::string text;
};

/// In place of a position: the shard is closed, and all of it was acted on.
inline constexpr std::string_view kShardEnd = "END";

/// Someone who acts on the changes of tables, none of which it misses, crashes included: it stores
/// its position together with what it does. Called by one thread at a time, that of the reader
/// (`pipeline/change_reader.h`).
class Follower {
 public:
  virtual ~Follower() = default;

  /// Under this name it is known to people and in the tables.
  virtual const std::string& name() const = 0;
  virtual const std::vector<std::string>& tables() const = 0;

  /// What it has stored. Called before anything else, until it succeeds.
  virtual Result<std::vector<FollowerPosition>> LoadPositions() = 0;

  /// Acts on changes of one shard, in their order; there may be none. Afterwards it stands at
  /// `reached`, and stores that at the latest with the next effect that it has. Changes are given
  /// again after an error, and those since the last stored position after a restart.
  virtual Status Follow(std::span<const Change> changes, const FollowerPosition& reached) = 0;

  /// The position in this shard is of no use any more, and goes: the shard is gone, or what came
  /// after the position is. If `missed`, changes may have gone unseen, so that whatever was made
  /// from the tables has to be made anew; it goes on with what is kept.
  virtual Status Forget(const ShardName& shard, bool missed) = 0;
};

}  // namespace tintype::tables
