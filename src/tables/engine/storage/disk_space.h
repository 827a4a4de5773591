#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "base/mutex.h"

namespace tintype::tables::engine {

/// What the disk has room for.
enum class Room {
  kEnough,   ///< Every write.
  kReserve,  ///< Only writes that free space in the end, and this server's own.
  kNone,     ///< Nothing.
};

/// Watches the disk that the tables are on, so that writes are refused before the disk refuses
/// them: RocksDB cannot go on after its log could not be appended to.
///
/// There are two marks. Below `min_free_bytes` only deletions are accepted, because they are how a
/// user makes room, and they take room first: the log, then the merging of files; and what this
/// server itself writes (RocksDatabase::AsServer), since nobody who cannot log in can delete
/// anything. That is small. Below a quarter of it the ballast, a file that is there for this
/// moment, is removed; if that does not help, nothing is accepted. Marks alone are not enough, as
/// other programs use the disk meanwhile: marks stop us, the ballast is kept from the others. A
/// mark counts as passed upwards only when it is passed by an eighth, lest writes be accepted and
/// refused in turn. The ballast comes back once there is room for it above the mark. Code that
/// writes as the server has to refuse uploads, edits and the like by itself while there is little
/// room.
///
/// Free space is asked for twice a second by a thread of this class, and by the commit thread after
/// every `kCheckBytes` it wrote, so that a burst cannot outrun the marks. Owned by Core.
/// Thread-safe. Nothing is remembered across a restart but the ballast itself
/// (docs/formats/README.md).
class DiskSpace {
 public:
  struct Config {
    std::string directory;
    uint64_t min_free_bytes = 0;
    uint64_t ballast_bytes = 0;
  };
  /// Free bytes for the user that the process runs as; nothing when the system does not say.
  using FreeBytes = std::function<std::optional<uint64_t>()>;

  static constexpr uint64_t kCheckBytes = uint64_t{1} << 20;

  DiskSpace(Config config, FreeBytes free_bytes);
  ~DiskSpace() { Stop(); }

  /// Starts watching. `on_more_room` is called whenever there is more room than before, by
  /// whichever thread looked.
  void Start(std::function<void()> on_more_room);
  /// Joins the thread. Idempotent.
  void Stop();

  Room room() const { return room_.load(std::memory_order_relaxed); }
  /// As of the last look.
  uint64_t free_bytes() const { return free_.load(std::memory_order_relaxed); }

  /// Looks now, and gives up the ballast if need be. Called once before the storage is opened,
  /// which may have to write out a log.
  Room Check();

  /// For the commit thread, before each group: as room(), but looked at anew when there was little.
  /// That takes a microsecond, where the sync that follows takes hundreds.
  Room RoomForGroup() { return room() == Room::kEnough ? Room::kEnough : Check(); }
  /// For the commit thread, after each group.
  void CountWritten(uint64_t bytes);

 private:
  void Run();
  Room Decide(uint64_t free, Room before) const;
  void DropBallast() REQUIRES_LOCK(mutex_);
  void RestoreBallast();
  int Allocate(int file);
  void Tell(Room before, Room now, uint64_t free) const;
  // At least a byte: a disk without one is full whatever the setting.
  uint64_t NearlyFullMark() const { return std::max<uint64_t>(config_.min_free_bytes, 1); }
  uint64_t FullMark() const { return std::max<uint64_t>(config_.min_free_bytes / 4, 1); }
  std::string BallastPath() const { return config_.directory + "/BALLAST"; }
  std::string UnfinishedBallastPath() const { return BallastPath() + ".new"; }

  const Config config_;
  const FreeBytes free_bytes_;
  std::function<void()> on_more_room_;
  std::atomic<Room> room_ = Room::kEnough;
  std::atomic<uint64_t> free_ = 0;
  uint64_t written_ = 0;  // Since the last look; of the commit thread.

  Mutex mutex_;
  CondVar stop_arrived_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  bool ballast_ GUARDED_BY(mutex_) = false;
  bool ballast_failed_ = false;  // Not tried again before the next start; of the watching thread.
  std::thread thread_;
};

}  // namespace tintype::tables::engine
