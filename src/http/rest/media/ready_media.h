#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/mutex.h"
#include "blobs/blob_store.h"
#include "http/rest/media/link_states.h"
#include "http/rest/media/media_memory.h"
#include "http/rest/protocol/conditions.h"
#include "http/server/message.h"

namespace tintype::http::rest {

/// An open file with all that there is to say about it: requests are answered without a look at
/// tables or folders, as long as it is known that the link is still good.
struct ReadyMedium {
  std::shared_ptr<const Descriptor> file;       // Shared by the answers that send it.
  std::shared_ptr<const blobs::OpenBlob> blob;  // Instead, of what has no file with its bytes.
  /// Files that have a name for as long as the medium is what its link shows: its own, and the
  /// original of a resized picture. Where there is none, nobody can tell.
  std::vector<std::shared_ptr<const Descriptor>> names;
  bool in_memory = false;  // The file is one of MediaMemory.
  uint64_t bytes = 0;
  Validators validators;
  Headers headers;         // Of an answer with all of it.
  int64_t expires_ms = 0;  // The link's, since the Unix epoch.
  /// Shared with other media of the image. Null for what is no image of anybody's.
  std::shared_ptr<LinkState> link_state = nullptr;
};

/// The media that were asked for last, with open files, by link. A link that is in here was found
/// to be signed. A deleted or replaced file is noticed at once, by its having no name any more;
/// should it have got another name instead, then within kKeptMs. Media in memory make room for
/// other such media, the oldest first. A thread of this class closes,
/// about once a second, what is old or gone: the disk has the room of a deleted file only then.
/// Owned by the endpoint. Thread-safe; nothing here blocks for longer than a system call on an open
/// file.
class ReadyMedia {
 public:
  /// `memory_max`: in bytes.
  ReadyMedia(size_t count_max, uint64_t memory_max, const Clock& clock);
  ~ReadyMedia();
  ReadyMedia(const ReadyMedia&) = delete;
  ReadyMedia& operator=(const ReadyMedia&) = delete;

  /// How long a file stays open without being looked up again.
  static constexpr int64_t kKeptMs = 10'000;

  /// Null when it is not there, or not good any more.
  std::shared_ptr<const ReadyMedium> Find(std::string_view link);
  void Add(std::string_view link, std::shared_ptr<const ReadyMedium> medium);

  /// Memory for the bytes of a medium, in place of others that are ready, if need be. Null when it
  /// is too large to be kept, or what clients are being sent leaves no room.
  MediaMemory::Part TakeMemory(uint64_t bytes);

 private:
  struct Entry {
    std::string link;
    std::shared_ptr<const ReadyMedium> medium;
    int64_t added_ms = 0;
  };
  using Entries = std::list<Entry>;

  void Run();
  /// To be destroyed without the lock, as closing the last name of a large file takes a while.
  Entries TakeStale() REQUIRES_LOCK(mutex_);
  void Take(Entries::iterator entry, Entries& taken) REQUIRES_LOCK(mutex_);
  static bool IsCurrent(const Entry& entry, int64_t now_ms);

  const size_t count_max_;
  const Clock& clock_;
  MediaMemory memory_;
  Mutex mutex_;
  CondVar changed_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  Entries entries_ GUARDED_BY(mutex_);  // The newest is in front: old ones go, used or not.
  // The keys are views of entries' links.
  std::unordered_map<std::string_view, Entries::iterator> by_link_ GUARDED_BY(mutex_);
  std::thread sweeper_;
};

}  // namespace tintype::http::rest
