#pragma once

#include <condition_variable>
#include <mutex>

// clang's thread-safety analysis does not understand libstdc++'s std::mutex, so it is wrapped here
// and annotated. With other compilers the annotations vanish.
#if defined(__clang__)
#define TINTYPE_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define TINTYPE_THREAD_ANNOTATION(x)
#endif

#define GUARDED_BY(x) TINTYPE_THREAD_ANNOTATION(guarded_by(x))
#define REQUIRES_LOCK(...) TINTYPE_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))

namespace tintype {

class TINTYPE_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() TINTYPE_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }
  void Unlock() TINTYPE_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

class TINTYPE_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) TINTYPE_THREAD_ANNOTATION(acquire_capability(mutex))
      : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() TINTYPE_THREAD_ANNOTATION(release_capability()) { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

/// A condition variable for Mutex. Wait may wake without a signal: callers loop on their condition.
class CondVar {
 public:
  void Wait(Mutex& mutex) REQUIRES_LOCK(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }
  /// Returns false when the time passed without a signal.
  template <typename Duration>
  bool WaitFor(Mutex& mutex, Duration duration) REQUIRES_LOCK(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    const bool signalled = condition_.wait_for(lock, duration) == std::cv_status::no_timeout;
    lock.release();
    return signalled;
  }
  void SignalOne() { condition_.notify_one(); }
  void SignalAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace tintype
