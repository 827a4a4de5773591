#include "delivery/resizer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/strings.h"

namespace tintype::delivery {
namespace {

constexpr std::chrono::seconds kIdle{1};

Error Stopping() { return {ErrorCode::kUnavailable, "The server is stopping."}; }

/// A file that replaced the original has other bytes or another time, and so other pictures.
PictureName NameOf(const Source& source, const darkroom::ResizeRequest& request) {
  return {source.image_id,
          StrCat(source.revision, "\n", source.info.bytes, "\n", source.info.modified_ms, "\n",
                 request.width, "\n", request.height, "\n", static_cast<int>(request.fit), "\n",
                 delivery::NameOf(request.format), "\n", request.quality, "\n", request.effort)};
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

void Resizer::Get(Source source, const Resizing& resizing, darkroom::OutputFormat format,
                  Done done) {
  auto flight = std::make_unique<Flight>();
  flight->request.width = resizing.width;
  flight->request.height = resizing.height;
  flight->request.fit = resizing.fit;
  flight->request.format = format;
  flight->request.quality = resizing.quality > 0 ? resizing.quality : config_.quality;
  flight->request.effort = config_.effort;
  flight->name = NameOf(source, flight->request);
  flight->source = std::move(source);
  if (auto found = cache_.Find(flight->name)) {
    {
      const MutexLock lock(mutex_);
      ++stats_.found;
    }
    done(*std::move(found));
    return;
  }
  if (auto refused = Board(std::move(flight), done)) {
    done(*std::move(refused));
  }
}

std::optional<Result<Picture>> Resizer::Board(std::unique_ptr<Flight> flight, Done& done) {
  const MutexLock lock(mutex_);
  if (stopping_) {
    return Stopping();
  }
  const std::string key = StrCat(flight->name.owner, "\n", flight->name.text);
  const auto existing = flights_.find(key);
  const bool is_new = existing == flights_.end();
  if (callers_ >= config_.callers_max || (is_new && waiting_.size() >= config_.waiting_max)) {
    ++stats_.refused;
    return Error(ErrorCode::kOverloaded, "Too many pictures are being resized. Try again.");
  }
  ++callers_;
  Flight& boarded =
      is_new ? *flights_.emplace(key, std::move(flight)).first->second : *existing->second;
  boarded.callers.push_back(std::move(done));
  if (is_new) {
    waiting_.push_back(&boarded);
    changed_.SignalOne();
  }
  return std::nullopt;
}

void Resizer::Run() {
  while (true) {
    Flight* flight = nullptr;
    {
      const MutexLock lock(mutex_);
      if (waiting_.empty() && !stopping_) {
        changed_.WaitFor(mutex_, kIdle);
      }
      if (stopping_) {
        return;
      }
      if (!waiting_.empty()) {
        flight = waiting_.front();
        waiting_.pop_front();
      }
    }
    if (flight == nullptr) {
      // Uploads may need the disk while nobody looks at anything.
      cache_.MakeRoom();
      continue;
    }
    // The flight stays in flights_ until it lands, and only this thread lands it.
    Land(*flight, Make(*flight));
  }
}

Result<Picture> Resizer::Make(const Flight& flight) {
  // Another flight may have landed between the caller's look at the cache and this one's start.
  if (auto found = cache_.Find(flight.name)) {
    return *std::move(found);
  }
  darkroom::ResizeRequest request = flight.request;
  ASSIGN_OR_RETURN(const auto original, blobs_.OpenLocal(flight.source.key));
  request.input = original->descriptor();
  ASSIGN_OR_RETURN(ResizedCache::Draft draft, cache_.Create());
  request.output = draft.descriptor();
  const Status resized = resize_(request);
  {
    const MutexLock lock(mutex_);
    ++(resized.ok() ? stats_.made : stats_.failed);
  }
  RETURN_IF_ERROR(resized);
  return cache_.Add(flight.name, std::move(draft));
}

void Resizer::Land(const Flight& flight, const Result<Picture>& result) {
  std::unique_ptr<Flight> landed;
  {
    const MutexLock lock(mutex_);
    const auto found = flights_.find(StrCat(flight.name.owner, "\n", flight.name.text));
    landed = std::move(found->second);
    flights_.erase(found);
    callers_ -= landed->callers.size();
  }
  for (Done& done : landed->callers) {
    done(result);
  }
}

ResizerStats Resizer::stats() const {
  const MutexLock lock(mutex_);
  ResizerStats stats = stats_;
  stats.waiting = waiting_.size();
  return stats;
}

void Resizer::Stop() {
  std::vector<Flight*> grounded;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    grounded.assign(waiting_.begin(), waiting_.end());
    waiting_.clear();
    changed_.SignalAll();
  }
  for (const Flight* flight : grounded) {
    Land(*flight, Stopping());
  }
  for (std::thread& thread : threads_) {
    thread.join();
  }
  threads_.clear();
}

}  // namespace tintype::delivery
