#include "http/rest/ready_media.h"

#include <sys/stat.h>

#include <iterator>
#include <utility>

namespace tintype::http::rest {
namespace {

/// Whether an open file still has a name. What is replaced or deleted has none.
bool IsThere(const Descriptor& file) {
  struct stat status = {};
  return ::fstat(file.number(), &status) == 0 && status.st_nlink > 0;
}

bool IsThere(const ReadyMedium& medium) {
  return IsThere(*medium.file) && (medium.source == nullptr || IsThere(*medium.source));
}

}  // namespace

std::shared_ptr<const ReadyMedium> ReadyMedia::Find(std::string_view link) {
  const int64_t now = clock_.NowMs();
  std::shared_ptr<const ReadyMedium> medium;
  {
    const MutexLock lock(mutex_);
    const auto found = by_link_.find(link);
    if (found == by_link_.end()) {
      return nullptr;
    }
    const Entry& entry = *found->second;
    const int64_t age = now - entry.added_ms;
    if (age < 0 || age > kKeptMs || entry.medium->expires_ms < now) {
      Remove(found->second);
      return nullptr;
    }
    medium = entry.medium;
  }
  if (!IsThere(*medium)) {
    return nullptr;
  }
  return medium;
}

void ReadyMedia::Add(std::string_view link, std::shared_ptr<const ReadyMedium> medium) {
  if (medium->file == nullptr || !IsThere(*medium)) {
    return;  // Nobody could tell whether it is still there.
  }
  const int64_t now = clock_.NowMs();
  const MutexLock lock(mutex_);
  if (const auto found = by_link_.find(link); found != by_link_.end()) {
    Remove(found->second);
  }
  entries_.push_front({std::string(link), std::move(medium), now});
  by_link_.emplace(entries_.front().link, entries_.begin());
  // Files that nobody asks for are not kept open: their bytes may be deleted meanwhile.
  while (entries_.size() > count_max_ || now - entries_.back().added_ms > kKeptMs) {
    Remove(std::prev(entries_.end()));
  }
}

void ReadyMedia::Remove(Entries::iterator entry) {
  by_link_.erase(entry->link);
  entries_.erase(entry);
}

}  // namespace tintype::http::rest
