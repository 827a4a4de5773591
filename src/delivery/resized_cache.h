#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/descriptor.h"
#include "base/mutex.h"
#include "base/result.h"
#include "blobs/sealed/sealing_keys.h"

namespace tintype::delivery {

/// A file that can be sent. Read it by position: the descriptor is shared.
struct Picture {
  std::shared_ptr<const Descriptor> file;  // Shared by all who send it.
  uint64_t bytes = 0;
  int64_t modified_ms = 0;
  bool in_memory = false;  // The file has no name.
};

/// Which picture it is: of whom, and a text that is another for every other picture of theirs.
struct PictureName {
  std::string owner;
  std::string text;
};

/// Pictures that were made once, as files in a folder, up to a number of bytes: those that were not
/// asked for longest make room for new ones, and for whatever else the disk is needed for. Owned by
/// the program's wiring. Thread-safe; calls block. It is a cache: nothing is synced, and what a
/// crash leaves is whole pictures, which the next one finds, and unfinished ones, which it removes.
///
/// A file is `{o}/{owner}-{text}`, both as hashes, where `o` is the first two digits of the
/// owner's.
class ResizedCache {
 public:
  struct Config {
    std::string folder;      ///< Made if it is not there.
    uint64_t bytes_max = 0;  ///< 0: nothing is kept.
    /// What is to be left free on the disk: while there is less, old pictures go and no new ones
    /// are kept. Default 0.
    uint64_t free_bytes_min = 0;
    /// Free bytes on the disk, for tests; default: what the system says of the folder.
    std::function<std::optional<uint64_t>()> free_bytes = {};
    /// What the files are sealed with; null: they are plain. Shared with the originals' store.
    std::shared_ptr<const blobs::SealingKeys> keys = nullptr;
  };

  /// Errors: kIo, which names the path.
  static Result<std::unique_ptr<ResizedCache>> Open(const Config& config);

  std::optional<Picture> Find(const PictureName& name);

  /// A picture that is being made, in memory if it is to be sealed. Destroyed without Add it leaves
  /// nothing behind.
  class Draft {
   public:
    Draft(std::string path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}
    ~Draft();
    Draft(Draft&&) = default;
    Draft& operator=(Draft&&) = delete;
    /// Open for reading and writing, empty.
    int descriptor() const { return file_.number(); }

   private:
    friend class ResizedCache;
    std::string path_;  // Empty when it has another name or none.
    Descriptor file_;
  };
  Result<Draft> Create();
  /// Keeps it in place of what had the name. It can be sent even if there was no room to keep it.
  Result<Picture> Add(const PictureName& name, Draft draft);

  /// Removes old pictures while too little of the disk is free, which others may have filled.
  void MakeRoom();

  /// Removes everything of an owner.
  void Forget(std::string_view owner);

  /// What the files take of the disk, at least.
  uint64_t bytes() const;
  uint64_t count() const;

 private:
  struct Entry {
    std::string file;  // Its path below the folder.
    uint64_t bytes = 0;
  };
  using Entries = std::list<Entry>;

  explicit ResizedCache(const Config& config) : config_(config) {}
  Status ReadFolder();
  std::string PathOf(std::string_view file) const;
  /// A picture by its open file. Errors: kIo; kCorruption for a sealed one that is not what was
  /// written.
  Result<Picture> Read(Descriptor file, const std::string& path) const;
  /// Writes the file of a picture that is in memory.
  Status WriteSealed(const Picture& picture, const std::string& path) const;
  void Insert(std::string file, uint64_t bytes) REQUIRES_LOCK(mutex_);
  void Remove(Entries::iterator entry) REQUIRES_LOCK(mutex_);
  void Evict() REQUIRES_LOCK(mutex_);
  /// How many bytes of the disk are missing to what is to be left free.
  uint64_t Shortage() const;

  const Config config_;
  mutable Mutex mutex_;
  Entries entries_ GUARDED_BY(mutex_);  // The one that was asked for last is in front.
  std::unordered_map<std::string, Entries::iterator> by_file_ GUARDED_BY(mutex_);
  uint64_t bytes_ GUARDED_BY(mutex_) = 0;
  uint64_t next_draft_ GUARDED_BY(mutex_) = 0;
};

}  // namespace tintype::delivery
