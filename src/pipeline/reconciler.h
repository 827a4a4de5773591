#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "flows/product.h"
#include "pipeline/follower_positions.h"
#include "tables/language/changes.h"
#include "tables/language/follower.h"

namespace tintype::pipeline {

struct ReconcilerConfig {
  /// How often a position is stored when nothing had to be queued. Default 10 min: well below the
  /// day for which changes are kept, and no second write for each of ours.
  std::chrono::milliseconds store_interval{600'000};
};

/// Queues what follows from writes that others made to our tables (flows/upkeep/reconcile.h).
/// Positions are stored with what is queued, so that no change is missed and none is acted on
/// twice, crashes included. Owned by the program's wiring; a ChangeReader calls it.
class Reconciler : public tables::Follower {
 public:
  /// `woken` is called when something was queued. `log` is the one that it follows.
  Reconciler(ReconcilerConfig config, flows::Product& product, tables::ChangeLog& log,
             std::function<void()> woken);

  const std::string& name() const override { return name_; }
  const std::vector<std::string>& tables() const override { return tables_; }
  Result<std::vector<tables::FollowerPosition>> LoadPositions() override;
  Status Follow(std::span<const tables::Change> changes,
                const tables::FollowerPosition& reached) override;
  Status Forget(const tables::ShardName& shard, bool missed) override;

 private:
  using Consequences = std::map<std::string, contexts::backlog::Work>;

  /// As many changes as fit one transaction.
  Status FollowSome(std::span<const tables::Change> changes,
                    const tables::FollowerPosition& reached);
  Result<Consequences> ConsequencesOf(std::span<const tables::Change> changes);
  /// A foreign write may yield work that the backlog rejects; log it and go on.
  Status QueueOneByOne(const Consequences& consequences, const tables::FollowerPosition& reached);

  const std::string name_ = "reconciler";
  const ReconcilerConfig config_;
  flows::Product& product_;
  tables::ChangeLog& log_;
  const std::function<void()> woken_;
  const std::vector<std::string> tables_;
  const FollowerPositions positions_;
  /// Up to where changes were acted on, whether that is stored or not, and when it was stored.
  std::map<tables::ShardName, tables::ChangePosition> acted_on_;
  std::map<tables::ShardName, int64_t> stored_ms_;
};

}  // namespace tintype::pipeline
