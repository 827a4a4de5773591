#include "contexts/identity/throttling/hashing_queue.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "base/retry.h"

namespace tintype::contexts::identity {
namespace {

Error Busy() {
  return {ErrorKind::kOverloaded, "Too many people are logging in just now. Try again."};
}

}  // namespace

HashingQueueConfig HashingQueueConfig::ForCores(size_t cores) {
  HashingQueueConfig config;
  config.strangers.places = std::max<size_t>(1, cores / 2);
  config.members.places = std::max<size_t>(2, cores / 2);
  return config;
}

HashingQueue::HashingQueue(const HashingQueueConfig& config)
    : account_max_(config.account_max),
      strangers_{.config = config.strangers},
      members_{.config = config.members} {}

HashingQueue::Lane& HashingQueue::LaneOf(HashingLane lane) {
  return lane == HashingLane::kMember ? members_ : strangers_;
}

Result<HashingQueue::Place> HashingQueue::Enter(const HashingTurn& turn) {
  const MutexLock lock(mutex_);
  if (!turn.account_id.empty()) {
    size_t& entered = by_account_[turn.account_id];
    if (entered >= account_max_) {
      return Error::LimitExceeded(
                 "The password of this account is being checked already. Try again in 1 s.")
          .WithDetail(std::make_shared<RetryAfter>(1));
    }
    ++entered;
  }
  if (const Status placed = WaitForPlace(LaneOf(turn.lane)); !placed.ok()) {
    LeaveAccount(turn.account_id);
    return placed.error();
  }
  return Place(*this, turn);
}

Status HashingQueue::WaitForPlace(Lane& lane) {
  if (lane.running < lane.config.places && lane.waiting.empty()) {
    ++lane.running;
    return OkStatus();
  }
  if (lane.waiting.size() >= lane.config.waiting_max) {
    return Busy();
  }
  const auto deadline = std::chrono::steady_clock::now() + lane.config.patience;
  const auto mine = lane.waiting.insert(lane.waiting.end(), 0);
  while (lane.running >= lane.config.places || mine != lane.waiting.begin()) {
    const auto left = deadline - std::chrono::steady_clock::now();
    if (left <= std::chrono::steady_clock::duration::zero()) {
      lane.waiting.erase(mine);
      lane.changed.SignalAll();  // There may be a place, and another who is the first now.
      return Busy();
    }
    lane.changed.WaitFor(mutex_, left);
  }
  lane.waiting.erase(mine);
  ++lane.running;
  lane.changed.SignalAll();
  return OkStatus();
}

void HashingQueue::Leave(const HashingTurn& turn) {
  const MutexLock lock(mutex_);
  Lane& lane = LaneOf(turn.lane);
  --lane.running;
  LeaveAccount(turn.account_id);
  lane.changed.SignalAll();
}

void HashingQueue::LeaveAccount(const std::string& account_id) {
  if (const auto found = by_account_.find(account_id);
      found != by_account_.end() && --found->second == 0) {
    by_account_.erase(found);
  }
}

size_t HashingQueue::waiting(HashingLane lane) const {
  const MutexLock lock(mutex_);
  return (lane == HashingLane::kMember ? members_ : strangers_).waiting.size();
}

}  // namespace tintype::contexts::identity
