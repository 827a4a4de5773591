#include "tables/engine/storage/disk_space.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "base/logging.h"

namespace tintype::tables::engine {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(500);

// A mark that was fallen below is passed again only with some distance.
uint64_t WithDistance(uint64_t mark) { return mark + mark / 8; }

}  // namespace

DiskSpace::DiskSpace(Config config, FreeBytes free_bytes)
    : config_(std::move(config)), free_bytes_(std::move(free_bytes)) {
  ::unlink(UnfinishedBallastPath().c_str());  // What a crash may have left.
  struct stat found {};
  if (::stat(BallastPath().c_str(), &found) != 0) {
    return;
  }
  // One of another size is made anew when there is room.
  const MutexLock lock(mutex_);
  ballast_ = true;
  if (static_cast<uint64_t>(found.st_size) != config_.ballast_bytes) {
    DropBallast();
  }
}

void DiskSpace::Start(std::function<void()> on_more_room) {
  on_more_room_ = std::move(on_more_room);
  thread_ = std::thread([this] { Run(); });
}

void DiskSpace::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    stop_arrived_.SignalAll();
  }
  if (thread_.joinable()) {
    thread_.join();
  }
}

void DiskSpace::Run() {
  while (true) {
    if (Check() == Room::kEnough) {
      RestoreBallast();
    }
    const MutexLock lock(mutex_);
    if (!stopping_) {
      stop_arrived_.WaitFor(mutex_, kInterval);
    }
    if (stopping_) {
      return;
    }
  }
}

void DiskSpace::CountWritten(uint64_t bytes) {
  written_ += bytes;
  if (written_ >= kCheckBytes) {
    written_ = 0;
    Check();
  }
}

Room DiskSpace::Check() {
  const MutexLock lock(mutex_);
  std::optional<uint64_t> free = free_bytes_();
  if (!free) {
    return room();
  }
  if (ballast_ && *free < FullMark()) {
    DropBallast();
    LogWarning("the disk is nearly full: the ballast was given up",
               {{"file", BallastPath()}, {"free_bytes", *free}});
    free = free_bytes_().value_or(*free);
  }
  const Room before = room();
  const Room now = Decide(*free, before);
  room_.store(now, std::memory_order_relaxed);
  free_.store(*free, std::memory_order_relaxed);
  if (now != before) {
    Tell(before, now, *free);
  }
  if (now < before && on_more_room_) {
    on_more_room_();
  }
  return now;
}

Room DiskSpace::Decide(uint64_t free, Room before) const {
  const auto passed = [&](uint64_t mark, Room below) {
    return free >= (before >= below ? WithDistance(mark) : mark);
  };
  if (!passed(FullMark(), Room::kNone)) {
    return Room::kNone;
  }
  return passed(NearlyFullMark(), Room::kReserve) ? Room::kEnough : Room::kReserve;
}

void DiskSpace::Tell(Room before, Room now, uint64_t free) const {
  if (now == Room::kEnough) {
    LogInfo("the disk has room again: writes are accepted", {{"free_bytes", free}});
  } else if (now == Room::kNone) {
    LogError("the disk is full: every write is refused, reads go on",
             {{"directory", config_.directory},
              {"free_bytes", free},
              {"needed_bytes", WithDistance(FullMark())}});
  } else if (before == Room::kEnough) {
    LogError(
        "the disk is nearly full: only deletions and this server's own writes are accepted, such "
        "as "
        "logins; reads go on",
        {{"directory", config_.directory},
         {"free_bytes", free},
         {"needed_bytes", WithDistance(NearlyFullMark())}});
  } else {
    LogWarning("the disk has room for deletions and this server's own writes again",
               {{"free_bytes", free}});
  }
}

void DiskSpace::DropBallast() {
  if (::unlink(BallastPath().c_str()) != 0 && errno != ENOENT) {
    LogError("the ballast cannot be removed",
             {{"file", BallastPath()}, {"reason", std::strerror(errno)}});
  }
  ballast_ = false;
}

// In pieces, between which a stop is noticed: file systems without fallocate have it written. The
// error, or 0; ECANCELED when stopped.
int DiskSpace::Allocate(int file) {
  constexpr uint64_t kPieceBytes = uint64_t{4} << 20;
  for (uint64_t done = 0; done < config_.ballast_bytes; done += kPieceBytes) {
    {
      const MutexLock lock(mutex_);
      if (stopping_) {
        return ECANCELED;
      }
    }
    const uint64_t piece = std::min(kPieceBytes, config_.ballast_bytes - done);
    const int failed = ::posix_fallocate(file, static_cast<off_t>(done), static_cast<off_t>(piece));
    if (failed != 0) {
      return failed;
    }
  }
  return 0;
}

// On the watching thread alone: setting space aside can take a while, and the commit thread must
// not wait for it.
void DiskSpace::RestoreBallast() {
  {
    const MutexLock lock(mutex_);
    const uint64_t needed = WithDistance(NearlyFullMark()) + config_.ballast_bytes;
    if (ballast_ || ballast_failed_ || config_.ballast_bytes == 0 || free_bytes() < needed) {
      return;
    }
  }
  // Under another name until it is whole, so that what is called the ballast can be given up.
  const std::string unfinished = UnfinishedBallastPath();
  const int file = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  int failed = file < 0 ? errno : Allocate(file);
  if (file >= 0) {
    ::close(file);
  }
  const MutexLock lock(mutex_);
  if (failed == 0 && ::rename(unfinished.c_str(), BallastPath().c_str()) != 0) {
    failed = errno;
  }
  ballast_ = failed == 0;
  ballast_failed_ = failed != 0;
  if (failed == 0) {
    return;
  }
  ::unlink(unfinished.c_str());
  if (failed != ECANCELED) {
    LogWarning("the ballast could not be made",
               {{"file", BallastPath()}, {"reason", std::strerror(failed)}});
  }
}

}  // namespace tintype::tables::engine
