#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <string>
#include <unordered_map>

#include "base/mutex.h"
#include "base/result.h"

namespace tintype::contexts::identity {

/// Two queues with places of their own: no number of strangers takes a place of a member.
enum class HashingLane {
  kStranger,  ///< Anybody.
  kMember,    ///< Somebody who is logged in, was here before, or proved it otherwise.
};

/// For whom a password is hashed.
struct HashingTurn {
  HashingLane lane = HashingLane::kMember;
  /// Of a member, whose account may not fill the queue either. Empty: not counted.
  std::string account_id = {};
};

struct HashingLaneConfig {
  /// How many are hashed at once.
  size_t places = 1;
  /// How many may wait for a place; more are refused at once.
  size_t waiting_max = 16;
  /// How long each waits at most.
  std::chrono::milliseconds patience{5'000};
};

struct HashingQueueConfig {
  HashingLaneConfig strangers = {};
  HashingLaneConfig members{.places = 2, .waiting_max = 16, .patience = std::chrono::seconds(10)};
  /// How many of one account may be hashed or wait.
  size_t account_max = 2;

  /// Half of the cores for strangers, so that no attack takes all of them; the same for members,
  /// but two at least.
  static HashingQueueConfig ForCores(size_t cores);
};

/// Who hashes a password now, and who waits: first come, first served in each lane. Each place
/// takes the memory and the core of one hash. Thread-safe.
class HashingQueue {
 public:
  explicit HashingQueue(const HashingQueueConfig& config);

  /// A place, for as long as it lives. Must not outlive the queue.
  class Place {
   public:
    Place(HashingQueue& queue, HashingTurn turn) : queue_(&queue), turn_(std::move(turn)) {}
    Place(Place&& other) noexcept : queue_(other.queue_), turn_(std::move(other.turn_)) {
      other.queue_ = nullptr;
    }
    Place& operator=(Place&&) = delete;
    ~Place() {
      if (queue_ != nullptr) {
        queue_->Leave(turn_);
      }
    }

   private:
    HashingQueue* queue_;
    HashingTurn turn_;
  };

  /// Waits for a place. Errors: kOverloaded when too many wait, or it took too long; kLimitExceeded
  /// when the account has enough.
  Result<Place> Enter(const HashingTurn& turn);

  size_t waiting(HashingLane lane) const;

 private:
  struct Lane {
    HashingLaneConfig config;
    size_t running = 0;
    std::list<int> waiting = {};  // The first is in front; each is known by its place in the list.
    CondVar changed = {};
  };
  Lane& LaneOf(HashingLane lane) REQUIRES_LOCK(mutex_);
  Status WaitForPlace(Lane& lane) REQUIRES_LOCK(mutex_);
  void Leave(const HashingTurn& turn);
  void LeaveAccount(const std::string& account_id) REQUIRES_LOCK(mutex_);

  const size_t account_max_;
  mutable Mutex mutex_;
  Lane strangers_ GUARDED_BY(mutex_);
  Lane members_ GUARDED_BY(mutex_);
  std::unordered_map<std::string, size_t> by_account_ GUARDED_BY(mutex_);
};

}  // namespace tintype::contexts::identity
