#include "http/rest/media/ready_media.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace tintype::http::rest {
namespace {

constexpr std::chrono::seconds kSweepInterval{1};

/// Whether an open file still has a name. Replaced and deleted files have none.
bool IsThere(const Descriptor& file) {
  struct stat status = {};
  return ::fstat(file.number(), &status) == 0 && status.st_nlink > 0;
}

bool IsThere(const ReadyMedium& medium) {
  return std::ranges::all_of(medium.names, [](const auto& file) { return IsThere(*file); });
}

}  // namespace

ReadyMedia::ReadyMedia(size_t count_max, uint64_t memory_max, const Clock& clock)
    : count_max_(count_max), clock_(clock), memory_(memory_max), sweeper_([this] { Run(); }) {}

ReadyMedia::~ReadyMedia() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    changed_.SignalAll();
  }
  sweeper_.join();
}

void ReadyMedia::Run() {
  while (true) {
    Entries stale;
    const MutexLock lock(mutex_);
    if (entries_.empty() && !stopping_) {
      changed_.Wait(mutex_);
    } else if (!stopping_) {
      changed_.WaitFor(mutex_, kSweepInterval);
    }
    if (stopping_) {
      return;
    }
    stale = TakeStale();
  }
}

std::shared_ptr<const ReadyMedium> ReadyMedia::Find(std::string_view link) {
  Entries taken;
  const int64_t now = clock_.NowMs();
  std::shared_ptr<const ReadyMedium> medium;
  {
    const MutexLock lock(mutex_);
    const auto found = by_link_.find(link);
    if (found == by_link_.end()) {
      return nullptr;
    }
    if (!IsCurrent(*found->second, now)) {
      Take(found->second, taken);
      return nullptr;
    }
    medium = found->second->medium;
  }
  if (IsThere(*medium)) {
    return medium;
  }
  const MutexLock lock(mutex_);
  // Somebody may have added another meanwhile.
  if (const auto found = by_link_.find(link);
      found != by_link_.end() && found->second->medium == medium) {
    Take(found->second, taken);
  }
  return nullptr;
}

void ReadyMedia::Add(std::string_view link, std::shared_ptr<const ReadyMedium> medium) {
  if (medium->names.empty() || !IsThere(*medium)) {
    return;  // Nobody could tell whether it is still there.
  }
  Entries taken;
  const int64_t now = clock_.NowMs();
  const MutexLock lock(mutex_);
  if (const auto found = by_link_.find(link); found != by_link_.end()) {
    Take(found->second, taken);
  }
  if (entries_.empty()) {
    changed_.SignalAll();
  }
  entries_.push_front({std::string(link), std::move(medium), now});
  by_link_.emplace(entries_.front().link, entries_.begin());
  while (entries_.size() > count_max_) {
    Take(std::prev(entries_.end()), taken);
  }
}

MediaMemory::Part ReadyMedia::TakeMemory(uint64_t bytes) {
  // One that is much larger than the others would push all of them out.
  constexpr uint64_t kPartsMin = 8;
  if (bytes > memory_.bytes_max() / kPartsMin) {
    return nullptr;
  }
  while (true) {
    if (auto part = memory_.Take(bytes)) {
      return part;
    }
    Entries taken;  // Goes back to the memory before the next try, unless clients still need it.
    const MutexLock lock(mutex_);
    const auto oldest = std::find_if(entries_.rbegin(), entries_.rend(),
                                     [](const Entry& entry) { return entry.medium->in_memory; });
    if (oldest == entries_.rend()) {
      return nullptr;
    }
    Take(std::prev(oldest.base()), taken);
  }
}

bool ReadyMedia::IsCurrent(const Entry& entry, int64_t now_ms) {
  const int64_t age = now_ms - entry.added_ms;
  return age >= 0 && age <= kKeptMs && entry.medium->expires_ms >= now_ms;
}

ReadyMedia::Entries ReadyMedia::TakeStale() {
  Entries stale;
  const int64_t now = clock_.NowMs();
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto next = std::next(entry);
    if (!IsCurrent(*entry, now) || !IsThere(*entry->medium)) {
      Take(entry, stale);
    }
    entry = next;
  }
  return stale;
}

void ReadyMedia::Take(Entries::iterator entry, Entries& taken) {
  by_link_.erase(entry->link);
  taken.splice(taken.end(), entries_, entry);
}

}  // namespace tintype::http::rest
