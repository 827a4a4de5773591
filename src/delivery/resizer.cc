#include "delivery/resizer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/strings.h"

namespace tintype::delivery {
namespace {

constexpr std::chrono::seconds kIdle{1};

Error Stopping() { return {ErrorKind::kUnavailable, "The server is stopping."}; }
Error Deserted() { return {ErrorKind::kUnavailable, "Nobody waited for the picture any more."}; }

/// A file that replaced the original has other bytes, another time or another tag, and so other
/// pictures.
PictureName NameOf(const Source& source, const darkroom::ResizeRequest& request) {
  return {source.image_id,
          StrCat(source.revision, "\n", source.info.bytes, "\n", source.info.modified_ms, "\n",
                 source.info.tag, "\n", request.width, "\n", request.height, "\n",
                 static_cast<int>(request.fit), "\n", delivery::NameOf(request.format), "\n",
                 request.quality, "\n", request.effort)};
}

}  // namespace

Resizer::Resizer(const ResizerConfig& config, ResizedCache& cache, blobs::BlobStore& blobs,
                 Resize resize)
    : config_(config), cache_(cache), blobs_(blobs), resize_(std::move(resize)) {
  const size_t threads = config_.threads > 0
                             ? config_.threads
                             : std::max<size_t>(1, std::thread::hardware_concurrency());
  threads_.reserve(threads);
  for (size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { Run(); });
  }
}

Resizer::~Resizer() { Stop(); }

void Resizer::Get(Source source, const ResizeParameters& resizing, darkroom::OutputFormat format,
                  Done done, IsGone is_gone) {
  auto pending = std::make_unique<PendingPicture>();
  pending->request.width = resizing.width;
  pending->request.height = resizing.height;
  pending->request.fit = resizing.fit;
  pending->request.format = format;
  pending->request.quality = resizing.quality > 0 ? resizing.quality : config_.quality;
  pending->request.effort = config_.effort;
  pending->name = NameOf(source, pending->request);
  pending->key = StrCat(pending->name.owner, "\n", pending->name.text);
  pending->source = std::move(source);
  if (auto found = cache_.Find(pending->name)) {
    {
      const MutexLock lock(mutex_);
      ++stats_.found;
    }
    done(*std::move(found));
    return;
  }
  Caller caller{std::move(done), std::move(is_gone)};
  PendingPictures deserted;
  const std::optional<Error> refused = Join(std::move(pending), caller, deserted);
  for (const auto& left : deserted) {
    Answer(*left, Deserted());
  }
  if (refused) {
    caller.done(*refused);
  }
}

std::optional<Error> Resizer::Join(std::unique_ptr<PendingPicture> pending, Caller& caller,
                                   PendingPictures& deserted) {
  const MutexLock lock(mutex_);
  if (stopping_) {
    return Stopping();
  }
  if (!HasRoomFor(*pending)) {
    for (const PendingPicture* left : waiting_.TakeIf(IsDeserted)) {
      deserted.push_back(TakeOut(*left));
    }
  }
  if (!HasRoomFor(*pending)) {
    ++stats_.refused;
    return Error(ErrorKind::kOverloaded, "Too many pictures are being resized. Try again.");
  }
  ++callers_;
  const auto [joined, is_new] = pending_.try_emplace(pending->key, std::move(pending));
  joined->second->callers.push_back(std::move(caller));
  if (is_new) {
    waiting_.Push(joined->second->source.account_id, joined->second.get());
    changed_.SignalOne();
  }
  return std::nullopt;
}

bool Resizer::HasRoomFor(const PendingPicture& pending) const {
  if (callers_ >= config_.callers_max) {
    return false;
  }
  return pending_.contains(pending.key) ||
         (waiting_.size() < config_.waiting_max &&
          waiting_.SizeOf(pending.source.account_id) < config_.waiting_per_account_max);
}

std::unique_ptr<Resizer::PendingPicture> Resizer::TakeOut(const PendingPicture& pending) {
  const auto found = pending_.find(pending.key);
  std::unique_ptr<PendingPicture> taken = std::move(found->second);
  pending_.erase(found);
  callers_ -= taken->callers.size();
  return taken;
}

bool Resizer::IsDeserted(const PendingPicture* pending) {
  return std::ranges::all_of(pending->callers,
                             [](const Caller& caller) { return caller.is_gone(); });
}

void Resizer::Answer(PendingPicture& pending, const Result<Picture>& result) {
  for (Caller& caller : pending.callers) {
    caller.done(result);
  }
}

void Resizer::Run() {
  while (true) {
    PendingPicture* pending = nullptr;
    std::unique_ptr<PendingPicture> deserted;
    {
      const MutexLock lock(mutex_);
      if (waiting_.empty() && !stopping_) {
        changed_.WaitFor(mutex_, kIdle);
      }
      if (stopping_) {
        return;
      }
      if (!waiting_.empty()) {
        pending = waiting_.Pop();
        deserted = IsDeserted(pending) ? TakeOut(*pending) : nullptr;
      }
    }
    if (deserted != nullptr) {
      Answer(*deserted, Deserted());
    } else if (pending != nullptr) {
      // It stays in pending_ until it is finished, and only this thread finishes it.
      Finish(*pending, Make(*pending));
    } else {
      // Uploads may need the disk while nobody looks at anything.
      cache_.MakeRoom();
    }
  }
}

Result<Picture> Resizer::Make(const PendingPicture& pending) {
  // It may have been made between the caller's look at the cache and now.
  if (auto found = cache_.Find(pending.name)) {
    return *std::move(found);
  }
  darkroom::ResizeRequest request = pending.request;
  ASSIGN_OR_RETURN(const auto original, blobs_.OpenLocal(pending.source.key));
  request.input = original->descriptor();
  ASSIGN_OR_RETURN(ResizedCache::Draft draft, cache_.Create());
  request.output = draft.descriptor();
  const Status resized = resize_(pending.source.account_id, request);
  {
    const MutexLock lock(mutex_);
    ++(resized.ok() ? stats_.made : stats_.failed);
  }
  RETURN_IF_ERROR(resized);
  ASSIGN_OR_RETURN(Picture picture, cache_.Add(pending.name, std::move(draft)));
  bool forgotten = false;
  {
    const MutexLock lock(mutex_);
    forgotten = pending.forgotten;
  }
  if (forgotten) {
    // Forget may have looked into the cache before the picture was there.
    cache_.Forget(pending.name.owner);
    return Error::NotFound("The image has been deleted.");
  }
  return picture;
}

void Resizer::Finish(const PendingPicture& pending, const Result<Picture>& result) {
  std::unique_ptr<PendingPicture> finished;
  {
    const MutexLock lock(mutex_);
    finished = TakeOut(pending);
  }
  Answer(*finished, result);
}

void Resizer::Forget(std::string_view image_id) {
  {
    const MutexLock lock(mutex_);
    for (const auto& [key, pending] : pending_) {
      pending->forgotten = pending->forgotten || pending->source.image_id == image_id;
    }
  }
  cache_.Forget(image_id);
}

ResizerStats Resizer::stats() const {
  const MutexLock lock(mutex_);
  ResizerStats stats = stats_;
  stats.waiting = waiting_.size();
  return stats;
}

void Resizer::Stop() {
  std::vector<PendingPicture*> unfinished;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    unfinished = waiting_.TakeIf([](const PendingPicture*) { return true; });
    changed_.SignalAll();
  }
  for (const PendingPicture* pending : unfinished) {
    Finish(*pending, Stopping());
  }
  for (std::thread& thread : threads_) {
    thread.join();
  }
  threads_.clear();
}

}  // namespace tintype::delivery
