#include "contexts/identity/throttling/hashing_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "base/strings.h"
#include "base/testing/eventually.h"

namespace tintype::contexts::identity {
namespace {

constexpr std::chrono::milliseconds kForever{3'600'000};
const HashingTurn kStranger{HashingLane::kStranger};

HashingTurn MemberOf(const std::string& account_id) { return {HashingLane::kMember, account_id}; }

ErrorKind KindOf(const Result<HashingQueue::Place>& place) {
  return place.ok() ? ErrorKind::kInternal : place.error().kind();
}

// Proves that places are taken one after another in the order of arrival, and that no more wait
// than may.
TEST(HashingQueueTest, ServesInTheOrderOfArrival) {
  HashingQueue queue({.strangers = {.places = 1, .waiting_max = 3, .patience = kForever}});
  std::optional<Result<HashingQueue::Place>> first(queue.Enter(kStranger));
  ASSERT_TRUE(first->ok());
  Mutex mutex;
  std::vector<unsigned> order;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      const auto place = queue.Enter(kStranger);
      EXPECT_TRUE(place.ok());
      const MutexLock lock(mutex);
      order.push_back(i);
    });
    ASSERT_TRUE(Eventually([&] { return queue.waiting(HashingLane::kStranger) == i + 1; }));
  }
  EXPECT_EQ(KindOf(queue.Enter(kStranger)), ErrorKind::kOverloaded);
  first.reset();
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(order, (std::vector<unsigned>{0, 1, 2}));
  EXPECT_TRUE(queue.Enter(kStranger).ok());
}

// Proves that strangers who hold all of their places and wait in all of their queue take nothing
// from members, who are served at once.
TEST(HashingQueueTest, KeepsPlacesForMembers) {
  HashingQueue queue({.strangers = {.places = 1, .waiting_max = 1, .patience = kForever}});
  std::optional<Result<HashingQueue::Place>> stranger(queue.Enter(kStranger));
  std::thread waiting([&] { EXPECT_TRUE(queue.Enter(kStranger).ok()); });
  ASSERT_TRUE(Eventually([&] { return queue.waiting(HashingLane::kStranger) == 1; }));
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(queue.Enter(MemberOf("ada")).ok());
  }
  EXPECT_EQ(queue.waiting(HashingLane::kMember), 0U);
  stranger.reset();
  waiting.join();
}

// Proves that nobody waits for longer than the time limit, and that one who gave up is not in the
// way of others.
TEST(HashingQueueTest, WaitsForALimitedTime) {
  HashingQueue queue(
      {.strangers = {.places = 1, .waiting_max = 4, .patience = std::chrono::milliseconds(1)}});
  {
    const auto held = queue.Enter(kStranger);
    ASSERT_TRUE(held.ok());
    EXPECT_EQ(KindOf(queue.Enter(kStranger)), ErrorKind::kOverloaded);
    EXPECT_EQ(queue.waiting(HashingLane::kStranger), 0U);
  }
  EXPECT_TRUE(queue.Enter(kStranger).ok());
}

// Proves that one account cannot take all that members have.
TEST(HashingQueueTest, LimitsEachAccount) {
  HashingQueue queue({.members = {.places = 3, .waiting_max = 4, .patience = kForever}});
  {
    const auto first = queue.Enter(MemberOf("eve"));
    const auto second = queue.Enter(MemberOf("eve"));
    ASSERT_TRUE(first.ok() && second.ok());
    EXPECT_EQ(KindOf(queue.Enter(MemberOf("eve"))), ErrorKind::kLimitExceeded);
    EXPECT_TRUE(queue.Enter(MemberOf("ada")).ok());
    EXPECT_TRUE(queue.Enter({}).ok());
  }
  EXPECT_TRUE(queue.Enter(MemberOf("eve")).ok());
}

// Proves that never more are at work than there are places, and that all who may wait are served,
// however they arrive.
TEST(HashingQueueTest, NeverHasMoreAtWorkThanPlaces) {
  HashingQueue queue({.strangers = {.places = 2, .waiting_max = 16, .patience = kForever}});
  std::atomic<int> working = 0;
  std::atomic<int> served = 0;
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 200; ++turn) {
        const auto place = queue.Enter(kStranger);
        ASSERT_TRUE(place.ok());
        EXPECT_LE(++working, 2);
        ++served;
        --working;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(served, 1600);
}

}  // namespace
}  // namespace tintype::contexts::identity
