#include "http/server/internal/answer_budget.h"

#include <boost/asio/post.hpp>

#include "base/logging.h"
#include "http/server/internal/connection.h"

namespace tintype::http::internal {

bool AnswerBudget::HasRoom(size_t bytes) {
  MutexLock lock(mutex_);
  return GiveUpStalled(bytes) || bytes_ == 0;
}

size_t AnswerBudget::bytes() const {
  MutexLock lock(mutex_);
  return bytes_;
}

// Makes room, if it can, by giving up clients that do not read, the longest stalled first. True
// when there is room.
bool AnswerBudget::GiveUpStalled(size_t bytes_wanted) {
  const auto stalled_since = SteadyClock::now() - limits_.patience;
  while (bytes_ + bytes_wanted > limits_.bytes_max) {
    Entry* longest = nullptr;
    for (auto& [connection, entry] : waiting_) {
      if (entry.bytes > 0 && entry.progress <= stalled_since &&
          (longest == nullptr || entry.progress < longest->progress)) {
        longest = &entry;
      }
    }
    if (longest == nullptr) {
      return false;
    }
    LogWarning("client given up: it does not read while memory for answers is short",
               {{"bytes_unread", longest->bytes}});
    bytes_ -= longest->bytes;
    longest->bytes = 0;
    longest->given_up = true;
    // On its own thread, where alone it may be touched or end.
    boost::asio::post(*longest->context, [connection = longest->connection] {
      if (const auto alive = connection.lock()) {
        alive->GiveUpWriting();
      }
    });
  }
  return true;
}

AnswerBudget::Hold::Hold(AnswerBudget& budget, Connection& connection, size_t bytes)
    : budget_(budget), connection_(connection) {
  MutexLock lock(budget_.mutex_);
  budget_.waiting_[&connection] = {.bytes = bytes,
                                   .progress = SteadyClock::now(),
                                   .connection = connection.weak_from_this(),
                                   .context = &connection.context()};
  budget_.bytes_ += bytes;
  budget_.GiveUpStalled(0);
}

AnswerBudget::Hold::~Hold() {
  MutexLock lock(budget_.mutex_);
  const auto found = budget_.waiting_.find(&connection_);
  budget_.bytes_ -= found->second.bytes;
  budget_.waiting_.erase(found);
}

void AnswerBudget::Hold::Left(size_t bytes) {
  MutexLock lock(budget_.mutex_);
  Entry& entry = budget_.waiting_[&connection_];
  if (!entry.given_up) {
    budget_.bytes_ = budget_.bytes_ - entry.bytes + bytes;
    entry.bytes = bytes;
    entry.progress = SteadyClock::now();
  }
}

}  // namespace tintype::http::internal
