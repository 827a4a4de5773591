#include "cli/gallery/key_watch.h"

#include <chrono>
#include <utility>

#include "base/logging.h"

namespace tintype::cli {

using contexts::identity::KeyRing;

KeyWatch::KeyWatch(std::vector<Watched> watched)
    : watched_(std::move(watched)), thread_([this] { Run(); }) {}

KeyWatch::~KeyWatch() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.SignalAll();
  thread_.join();
}

void KeyWatch::Run() {
  using std::chrono::steady_clock;
  bool failing = false;
  while (true) {
    const auto next = steady_clock::now() + std::chrono::milliseconds(KeyRing::kReadMs);
    {
      const MutexLock lock(mutex_);
      while (!stopping_ && steady_clock::now() < next) {
        changed_.WaitFor(mutex_, next - steady_clock::now());
      }
      if (stopping_) {
        return;
      }
    }
    Status all = OkStatus();
    for (const Watched& each : watched_) {
      const auto keys = each.ring->Read();
      if (Status taken = keys.ok() ? each.take(*keys) : Status(keys.error()); !taken.ok()) {
        all = std::move(taken);
      }
    }
    // The keys that are known stay in use. Once is enough to say so: tables that cannot be read
    // have others complain too.
    if (!all.ok() && !failing) {
      LogWarning("the keys that this server signs with could not be read again",
                 {{"error", all.error().message()}});
    }
    failing = !all.ok();
  }
}

}  // namespace tintype::cli
