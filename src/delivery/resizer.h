#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/callback.h"
#include "base/mutex.h"
#include "base/result.h"
#include "blobs/blob_store.h"
#include "blobs/derived_files.h"
#include "darkroom/requests.h"
#include "delivery/fair_queue.h"
#include "delivery/resized_cache.h"
#include "delivery/resizing.h"

namespace tintype::delivery {

struct ResizerConfig {
  /// Pictures that are made at once. Default 0: one for each core.
  size_t threads = 0;
  /// Pictures that wait to be made; further ones are refused. Default 64: a few seconds' work.
  size_t waiting_max = 64;
  /// The same of one account's images. Default 16.
  size_t waiting_per_account_max = 16;
  /// Callers that wait for pictures; further ones are refused. Default 1024.
  size_t callers_max = 1024;
  /// Of pictures whose link names none, 1 to 100.
  int32_t quality = 85;
  /// How hard encoders try, 0 to 6. Default 2: somebody waits, and it takes half the time of 4 for
  /// 8 % more bytes.
  int32_t effort = 2;
};

/// What a picture is made of: the original of one revision of an image, which is there.
struct Source {
  std::string image_id;
  // Whose image it is: accounts take turns, and helpers see files of one alone.
  std::string account_id;
  int64_t revision = 0;
  blobs::BlobKey key;
  blobs::BlobInfo info;
};

struct ResizerStats {
  uint64_t made = 0;    // Since the start.
  uint64_t failed = 0;  // The same.
  uint64_t found = 0;   // Those that had been made before.
  uint64_t refused = 0;
  uint64_t waiting = 0;  // Now.
};

/// Makes pictures in the size that is asked for, or finds them in the cache. However many ask for
/// one at the same time, it is made once. Accounts take turns, so that none keeps the viewers of
/// others waiting for long. Failures are not remembered. Owned by the program's wiring.
/// Thread-safe. Nothing but the cache survives it.
class Resizer : public blobs::DerivedFiles {
 public:
  /// Has the darkroom do it for the account whose image it is; blocks.
  using Resize =
      std::function<Status(std::string_view account_id, const darkroom::ResizeRequest& request)>;

  /// The cache and the blobs outlive it.
  Resizer(const ResizerConfig& config, ResizedCache& cache, blobs::BlobStore& blobs, Resize resize);
  /// Stops, if Stop was not called.
  ~Resizer() override;
  Resizer(const Resizer&) = delete;
  Resizer& operator=(const Resizer&) = delete;

  /// `done` is called once, before this returns or later on another thread. Blocks for the cache,
  /// not for the darkroom. Errors: what `resize` or the blob store says; kOverloaded when too many
  /// wait already; kUnavailable when it stops; kIo.
  using Done = OnceCallback<Result<Picture>>;
  /// Whether a caller needs the picture no more; called on any thread, must not block. A picture
  /// that waits, and that all callers have left, is not made: they are told kUnavailable.
  using IsGone = std::function<bool()>;
  void Get(Source source, const ResizeParameters& resizing, darkroom::OutputFormat format,
           Done done, IsGone is_gone);

  void Forget(std::string_view image_id) override;

  ResizerStats stats() const;

  /// Finishes the pictures in progress, fails those that wait, and joins the threads.
  void Stop();

 private:
  struct Caller {
    Done done;
    IsGone is_gone;
  };
  /// One picture that is being made or waits to be, and who wants it.
  struct PendingPicture {
    PictureName name;
    std::string key;  // The name as one text.
    Source source;
    darkroom::ResizeRequest request;
    std::vector<Caller> callers;  // With mutex_, as long as it is in pending_.
    bool forgotten = false;       // The same.
  };
  using PendingPictures = std::vector<std::unique_ptr<PendingPicture>>;

  void Run();
  /// Adds the caller to the picture, which is queued if it is new. Returns why it was refused, if
  /// it was. `deserted` gets the pictures that were dropped to make room.
  std::optional<Error> Join(std::unique_ptr<PendingPicture> pending, Caller& caller,
                            PendingPictures& deserted);
  bool HasRoomFor(const PendingPicture& pending) const REQUIRES_LOCK(mutex_);
  std::unique_ptr<PendingPicture> TakeOut(const PendingPicture& pending) REQUIRES_LOCK(mutex_);
  static bool IsDeserted(const PendingPicture* pending);
  static void Answer(PendingPicture& pending, const Result<Picture>& result);
  Result<Picture> Make(const PendingPicture& pending);
  void Finish(const PendingPicture& pending, const Result<Picture>& result);

  const ResizerConfig config_;
  ResizedCache& cache_;
  blobs::BlobStore& blobs_;
  const Resize resize_;
  mutable Mutex mutex_;
  CondVar changed_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::unordered_map<std::string, std::unique_ptr<PendingPicture>> pending_ GUARDED_BY(mutex_);
  FairQueue<PendingPicture*> waiting_ GUARDED_BY(mutex_);  // Of pending_, those nobody works on.
  size_t callers_ GUARDED_BY(mutex_) = 0;
  ResizerStats stats_ GUARDED_BY(mutex_);
  std::vector<std::thread> threads_;
};

}  // namespace tintype::delivery
