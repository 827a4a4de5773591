#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/strings.h"
#include "http/server/message.h"

namespace tintype::http::testing {

using Next = OnceCallback<std::optional<Response>>;

/// What a piece has at most.
inline constexpr size_t kPieceBytesMax = 256 * 1024;
/// Every byte of a body tells its place, up to this period.
inline constexpr size_t kPeriod = 251;

/// A body of that size.
inline std::string Pattern(size_t bytes) {
  std::string text(bytes, '\0');
  for (size_t i = 0; i < bytes; ++i) {
    text[i] = static_cast<char>(i % kPeriod);
  }
  return text;
}

// Takes bodies in the way that the target says: `/now` asks for the next piece at once, `/later`
// from another thread, `/held` when the test does, `/second` refuses the second piece, `/drop`
// forgets to ask, `/kept` wants parts too, `/refused` refuses the body, `/whole` has it received
// whole. Answers with what was taken.
class StreamingHandler : public Handler {
 public:
  StreamingHandler() : worker_([this] { Work(); }) {}
  ~StreamingHandler() override {
    {
      MutexLock lock(mutex_);
      stopping_ = true;
      changed_.SignalAll();
    }
    worker_.join();
  }

  BodyDecision TakeBody(const Request& head) override {
    ++asked;
    EXPECT_TRUE(head.body.empty());
    EXPECT_FALSE(head.peer.empty());
    if (head.target == "/refused") {
      return {.sink = nullptr, .refusal = Response{.status = 401, .headers = {}, .body = "no"}};
    }
    if (head.target == "/whole") {
      return {};
    }
    return {.sink = std::make_unique<Sink>(*this, head.target), .refusal = std::nullopt};
  }

  void Handle(Request request, Respond respond) override {
    std::string text = StrCat("whole ", request.body.size());
    if (request.sink != nullptr) {
      EXPECT_LT(request.body.capacity(), 64U);
      const auto& sink = dynamic_cast<const Sink&>(*request.sink);
      text = StrCat(sink.intact_ ? "streamed " : "garbled ", sink.bytes_);
    }
    respond({.status = 200, .headers = {}, .body = std::move(text)});
  }

  /// The `next` of a `/held` piece, once there is one.
  Next NextHeld() {
    MutexLock lock(mutex_);
    while (held_.empty()) {
      changed_.Wait(mutex_);
    }
    Next next = std::move(held_.back());
    held_.pop_back();
    return next;
  }

  size_t held() {
    MutexLock lock(mutex_);
    return held_.size();
  }

  std::atomic<int> asked = 0;
  std::atomic<int> sinks = 0;  // That are alive.
  std::atomic<int> pieces = 0;
  std::atomic<size_t> bytes = 0;
  std::atomic<size_t> piece_bytes_max = 0;

 private:
  class Sink : public BodySink {
   public:
    Sink(StreamingHandler& handler, std::string target)
        : handler_(handler), target_(std::move(target)) {
      ++handler_.sinks;
    }
    ~Sink() override {
      EXPECT_FALSE(busy_);
      --handler_.sinks;
    }

    void Write(std::string_view piece, Next next) override {
      EXPECT_FALSE(busy_.exchange(true));
      EXPECT_FALSE(piece.empty());
      // Looked at when it is done with, at the last moment of its validity.
      auto done = [this, piece, then = std::move(next)](std::optional<Response> refusal) mutable {
        Look(piece);
        busy_ = false;
        then(std::move(refusal));
      };
      if (target_ == "/later") {
        handler_.Enqueue(handler_.later_, std::move(done));
      } else if (target_ == "/held") {
        handler_.Enqueue(handler_.held_, std::move(done));
      } else if (target_ == "/drop") {
        busy_ = false;
      } else if (target_ == "/second" && bytes_ > 0) {
        done(Response{.status = 422, .headers = {}, .body = "stop"});
      } else {
        done(std::nullopt);
      }
    }

    bool KeepsPart() const override { return target_ == "/kept"; }

   private:
    friend class StreamingHandler;

    void Look(std::string_view piece) {
      static const std::string pattern = Pattern(kPieceBytesMax + kPeriod);
      intact_ = intact_ && piece.size() <= kPieceBytesMax &&
                std::memcmp(piece.data(), pattern.data() + bytes_ % kPeriod, piece.size()) == 0;
      bytes_ += piece.size();
      ++handler_.pieces;
      handler_.bytes += piece.size();
      handler_.piece_bytes_max = std::max<size_t>(handler_.piece_bytes_max, piece.size());
    }

    StreamingHandler& handler_;
    const std::string target_;
    std::atomic<bool> busy_ = false;
    size_t bytes_ = 0;
    bool intact_ = true;
  };

  void Enqueue(std::vector<Next>& queue, Next next) {
    MutexLock lock(mutex_);
    queue.push_back(std::move(next));
    changed_.SignalAll();
  }

  void Work() {
    for (;;) {
      std::vector<Next> ready;
      {
        MutexLock lock(mutex_);
        while (later_.empty() && !stopping_) {
          changed_.Wait(mutex_);
        }
        if (stopping_) {
          return;
        }
        ready.swap(later_);
      }
      for (Next& next : ready) {
        next(std::nullopt);
      }
    }
  }

  Mutex mutex_;
  CondVar changed_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::vector<Next> later_;  // Under mutex_, as is held_.
  std::vector<Next> held_;
  std::thread worker_;
};

}  // namespace tintype::http::testing
