#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "blobs/internal/file_system.h"

namespace tintype::blobs {

/// A disk in memory that keeps apart what was written and what was synced: the bytes of each file,
/// and the names of each directory, one by one. Its power can be cut at any call, and any call can
/// fail. It promises less than real file systems do: not even that a rename's two halves survive
/// together. Files and mounts must not outlive it. Thread-safe. For tests.
class LosingDisk {
 public:
  /// What becomes of unsynced bytes and names when the power comes back.
  enum class Unsynced { kLost, kKept, kSomeLost };

  LosingDisk();
  ~LosingDisk();
  LosingDisk(const LosingDisk&) = delete;
  LosingDisk& operator=(const LosingDisk&) = delete;

  /// The file system as one process sees it, until the power is cut.
  std::unique_ptr<FileSystem> Mount();

  /// A file of somebody else's, in the root, whose name is on disk and whose bytes are not.
  void AddOutside(const std::string& name, const std::string& bytes);

  /// From the given call on (the first is 1), every call fails with EIO and does nothing.
  void CutPowerAtCall(uint64_t number);
  /// The given call fails; a write has written half of its bytes by then.
  void FailCall(uint64_t number, SystemError error);
  uint64_t calls() const;
  /// The name of the call that FailCall met; empty when none was.
  std::string failed_call() const;

  /// Power comes back, calls are counted anew, and none is to fail. Anything mounted or open before
  /// is dead. With kSomeLost, `seed` decides for each name and each file.
  void Restart(Unsynced unsynced, uint32_t seed = 0);

  /// The paths of everything there is, directories with a '/' behind.
  std::vector<std::string> Paths() const;

 private:
  struct Node;
  class MountedDisk;
  class DiskFile;
  using Names = std::map<std::string, std::shared_ptr<Node>>;
  struct Place;

  static FileStatus StatusOf(const Node& node);
  /// Counts a call, and says whether it is to fail.
  SystemError BeginCall(const char* name, uint64_t epoch) REQUIRES_LOCK(mutex_);
  std::shared_ptr<Node> NewNode(bool is_directory) REQUIRES_LOCK(mutex_);
  SystemError FindPlace(const std::string& path, Place& place) REQUIRES_LOCK(mutex_);
  SystemError FindNode(const std::string& path, std::shared_ptr<Node>& node) REQUIRES_LOCK(mutex_);
  SystemError Add(const std::string& path, std::shared_ptr<Node> node) REQUIRES_LOCK(mutex_);
  SystemError Remove(const std::string& path, bool is_directory) REQUIRES_LOCK(mutex_);

  mutable Mutex mutex_;
  std::vector<std::shared_ptr<Node>> nodes_ GUARDED_BY(mutex_);  // The first is the root.
  uint64_t epoch_ GUARDED_BY(mutex_) = 0;
  uint64_t calls_ GUARDED_BY(mutex_) = 0;
  uint64_t cut_at_ GUARDED_BY(mutex_) = UINT64_MAX;
  uint64_t fail_at_ GUARDED_BY(mutex_) = UINT64_MAX;
  SystemError fail_with_ GUARDED_BY(mutex_) = 0;
  std::string failed_call_ GUARDED_BY(mutex_);
};

}  // namespace tintype::blobs
