#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "contexts/identity/credentials/key_ring.h"

namespace tintype::cli {

/// Reads the keys that all nodes sign with again and again, and hands them to whoever signs. Owned
/// by the gallery. Thread-safe.
class KeyWatch {
 public:
  struct Watched {
    std::unique_ptr<contexts::identity::KeyRing> ring;
    std::function<Status(const contexts::RingKeys&)> take;
  };

  /// Begins to read. Everything that `take` needs outlives it.
  explicit KeyWatch(std::vector<Watched> watched);
  /// Joins the thread.
  ~KeyWatch();
  KeyWatch(const KeyWatch&) = delete;
  KeyWatch& operator=(const KeyWatch&) = delete;

 private:
  void Run();

  const std::vector<Watched> watched_;
  Mutex mutex_;
  CondVar changed_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace tintype::cli
