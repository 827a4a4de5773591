#include "net/http_loop.h"

#include <curl/curl.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "net/internal/exchange.h"

namespace tintype::net {

using std::chrono::milliseconds;

namespace {

/// How often the waiting requests are looked through for those that waited too long.
constexpr milliseconds kExpiryInterval{50};
constexpr milliseconds kPollMax{1000};

HttpOutcome Late() {
  return {.kind = HttpOutcome::Kind::kNotSent, .problem = "no connection was free in time"};
}
HttpOutcome Stopped() {
  return {.kind = HttpOutcome::Kind::kStopped, .problem = "the client is being closed"};
}

}  // namespace

struct HttpLoop::Transfer {
  Transfer(const HttpConfig& config, const HttpRequest& request, milliseconds timeout, Done on_done)
      : exchange(config, request, timeout, internal::NewEasyHandle()), done(std::move(on_done)) {}

  internal::Exchange exchange;
  Done done;
};

void HttpLoop::MultiCleanup::operator()(void* multi) const { curl_multi_cleanup(multi); }

HttpLoop::HttpLoop(HttpConfig config, size_t connections_max)
    : config_(std::move(config)), connections_max_(connections_max) {
  internal::InitializeCurl();
  multi_.reset(curl_multi_init());
  CHECK(multi_ != nullptr);
  curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, static_cast<long>(connections_max));
  thread_ = std::thread([this] { Run(); });
}

HttpLoop::~HttpLoop() { Stop(); }

bool HttpLoop::Post(Task& task) {
  {
    const MutexLock lock(mutex_);
    if (stopping_) {
      return false;
    }
    posted_.push_back(std::move(task));
  }
  curl_multi_wakeup(multi_.get());
  return true;
}

void HttpLoop::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  curl_multi_wakeup(multi_.get());
  if (thread_.joinable()) {
    thread_.join();
  }
}

void HttpLoop::Send(const HttpRequest& request, SteadyClock::time_point deadline, Done done) {
  if (ended_) {
    done(Stopped());
    return;
  }
  waiting_.push_back({&request, deadline, std::move(done)});
}

void HttpLoop::After(milliseconds delay, Task task) {
  if (ended_) {
    task();
    return;
  }
  timers_.emplace(SteadyClock::now() + delay, std::move(task));
}

void HttpLoop::Run() {
  while (RunPosted()) {
    RunTimers();
    ExpireWaiting();
    StartWaiting();
    int running = 0;
    curl_multi_perform(multi_.get(), &running);
    FinishTransfers();
    const bool can_start = !waiting_.empty() && transfers_.size() < connections_max_;
    if (!can_start) {
      curl_multi_poll(multi_.get(), nullptr, 0, PollMs(), nullptr);
    }
  }
  EndAll();
}

bool HttpLoop::RunPosted() {
  std::vector<Task> tasks;
  bool stopping = false;
  {
    const MutexLock lock(mutex_);
    tasks.swap(posted_);
    stopping = stopping_;
  }
  // Nothing can be posted any more once the loop is to stop, so these are the last.
  ended_ = stopping;
  for (Task& task : tasks) {
    task();
  }
  return !stopping;
}

void HttpLoop::RunTimers() {
  const auto now = SteadyClock::now();
  while (!timers_.empty() && timers_.begin()->first <= now) {
    Task task = std::move(timers_.begin()->second);
    timers_.erase(timers_.begin());
    task();
  }
}

void HttpLoop::ExpireWaiting() {
  const auto now = SteadyClock::now();
  if (waiting_.empty() || now < next_expiry_) {
    return;
  }
  next_expiry_ = now + kExpiryInterval;
  std::vector<Done> expired;
  std::erase_if(waiting_, [&](Waiting& waiting) {
    const bool late = waiting.deadline <= now;
    if (late) {
      expired.push_back(std::move(waiting.done));
    }
    return late;
  });
  for (Done& done : expired) {
    done(Late());
  }
}

void HttpLoop::StartWaiting() {
  while (!waiting_.empty() && transfers_.size() < connections_max_) {
    Waiting waiting = std::move(waiting_.front());
    waiting_.pop_front();
    const auto left =
        std::chrono::duration_cast<milliseconds>(waiting.deadline - SteadyClock::now());
    if (left.count() <= 0) {
      waiting.done(Late());
      continue;
    }
    auto transfer = std::make_unique<Transfer>(config_, *waiting.request,
                                               std::min(left, waiting.request->timeout),
                                               std::move(waiting.done));
    CURL* const easy = transfer->exchange.easy();
    CHECK(curl_multi_add_handle(multi_.get(), easy) == CURLM_OK);
    transfers_.emplace(easy, std::move(transfer));
  }
}

void HttpLoop::FinishTransfers() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) {
      continue;
    }
    const CURLcode code = message->data.result;
    auto node = transfers_.extract(message->easy_handle);
    CHECK(!node.empty());
    // The message is gone after this.
    curl_multi_remove_handle(multi_.get(), node.key());
    node.mapped()->done(node.mapped()->exchange.End(code));
  }
}

void HttpLoop::EndAll() {
  while (!timers_.empty()) {
    Task task = std::move(timers_.begin()->second);
    timers_.erase(timers_.begin());
    task();
  }
  while (!waiting_.empty()) {
    Waiting waiting = std::move(waiting_.front());
    waiting_.pop_front();
    waiting.done(Stopped());
  }
  while (!transfers_.empty()) {
    auto node = transfers_.extract(transfers_.begin());
    curl_multi_remove_handle(multi_.get(), node.key());
    node.mapped()->done(Stopped());
  }
}

int HttpLoop::PollMs() const {
  milliseconds wait = kPollMax;
  if (!waiting_.empty()) {
    wait = kExpiryInterval;
  }
  if (!timers_.empty()) {
    // Rounded up, or the loop would spin through the last millisecond.
    wait = std::min(wait,
                    std::chrono::ceil<milliseconds>(timers_.begin()->first - SteadyClock::now()));
  }
  return static_cast<int>(std::max(wait, milliseconds(0)).count());
}

}  // namespace tintype::net
