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

void Resizer::Get(Source source, const Resizing& resizing, darkroom::OutputFormat format, Done done,
                  IsGone is_gone) {
  auto flight = std::make_unique<Flight>();
  flight->request.width = resizing.width;
  flight->request.height = resizing.height;
  flight->request.fit = resizing.fit;
  flight->request.format = format;
  flight->request.quality = resizing.quality > 0 ? resizing.quality : config_.quality;
  flight->request.effort = config_.effort;
  flight->name = NameOf(source, flight->request);
  flight->key = StrCat(flight->name.owner, "\n", flight->name.text);
  flight->source = std::move(source);
  if (auto found = cache_.Find(flight->name)) {
    {
      const MutexLock lock(mutex_);
      ++stats_.found;
    }
    done(*std::move(found));
    return;
  }
  Caller caller{std::move(done), std::move(is_gone)};
  Flights deserted;
  const std::optional<Error> refused = Board(std::move(flight), caller, deserted);
  for (const auto& left : deserted) {
    Answer(*left, Deserted());
  }
  if (refused) {
    caller.done(*refused);
  }
}

std::optional<Error> Resizer::Board(std::unique_ptr<Flight> flight, Caller& caller,
                                    Flights& deserted) {
  const MutexLock lock(mutex_);
  if (stopping_) {
    return Stopping();
  }
  if (!HasRoomFor(*flight)) {
    for (const Flight* left : waiting_.TakeIf(IsDeserted)) {
      deserted.push_back(TakeOut(*left));
    }
  }
  if (!HasRoomFor(*flight)) {
    ++stats_.refused;
    return Error(ErrorKind::kOverloaded, "Too many pictures are being resized. Try again.");
  }
  ++callers_;
  const auto [boarded, is_new] = flights_.try_emplace(flight->key, std::move(flight));
  boarded->second->callers.push_back(std::move(caller));
  if (is_new) {
    waiting_.Push(boarded->second->source.account_id, boarded->second.get());
    changed_.SignalOne();
  }
  return std::nullopt;
}

bool Resizer::HasRoomFor(const Flight& flight) const {
  if (callers_ >= config_.callers_max) {
    return false;
  }
  return flights_.contains(flight.key) ||
         (waiting_.size() < config_.waiting_max &&
          waiting_.SizeOf(flight.source.account_id) < config_.waiting_per_account_max);
}

std::unique_ptr<Resizer::Flight> Resizer::TakeOut(const Flight& flight) {
  const auto found = flights_.find(flight.key);
  std::unique_ptr<Flight> taken = std::move(found->second);
  flights_.erase(found);
  callers_ -= taken->callers.size();
  return taken;
}

bool Resizer::IsDeserted(const Flight* flight) {
  return std::ranges::all_of(flight->callers,
                             [](const Caller& caller) { return caller.is_gone(); });
}

void Resizer::Answer(Flight& flight, const Result<Picture>& result) {
  for (Caller& caller : flight.callers) {
    caller.done(result);
  }
}

void Resizer::Run() {
  while (true) {
    Flight* flight = nullptr;
    std::unique_ptr<Flight> deserted;
    {
      const MutexLock lock(mutex_);
      if (waiting_.empty() && !stopping_) {
        changed_.WaitFor(mutex_, kIdle);
      }
      if (stopping_) {
        return;
      }
      if (!waiting_.empty()) {
        flight = waiting_.Pop();
        deserted = IsDeserted(flight) ? TakeOut(*flight) : nullptr;
      }
    }
    if (deserted != nullptr) {
      Answer(*deserted, Deserted());
    } else if (flight != nullptr) {
      // The flight stays in flights_ until it lands, and only this thread lands it.
      Land(*flight, Make(*flight));
    } else {
      // Uploads may need the disk while nobody looks at anything.
      cache_.MakeRoom();
    }
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
  ASSIGN_OR_RETURN(Picture picture, cache_.Add(flight.name, std::move(draft)));
  bool forgotten = false;
  {
    const MutexLock lock(mutex_);
    forgotten = flight.forgotten;
  }
  if (forgotten) {
    // Forget may have looked into the cache before the picture was there.
    cache_.Forget(flight.name.owner);
    return Error::NotFound("The image has been deleted.");
  }
  return picture;
}

void Resizer::Land(const Flight& flight, const Result<Picture>& result) {
  std::unique_ptr<Flight> landed;
  {
    const MutexLock lock(mutex_);
    landed = TakeOut(flight);
  }
  Answer(*landed, result);
}

void Resizer::Forget(std::string_view image_id) {
  {
    const MutexLock lock(mutex_);
    for (const auto& [key, flight] : flights_) {
      flight->forgotten = flight->forgotten || flight->source.image_id == image_id;
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
  std::vector<Flight*> grounded;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    grounded = waiting_.TakeIf([](const Flight*) { return true; });
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
