#include "delivery/fair_queue.h"

#include <gtest/gtest.h>

namespace tintype::delivery {
namespace {

std::string PopAll(FairQueue<char>& queue) {
  std::string order;
  while (!queue.empty()) {
    order.push_back(queue.Pop());
  }
  return order;
}

// Proves that owners take turns, each with its own in order, also those who come later.
TEST(FairQueueTest, OwnersTakeTurns) {
  FairQueue<char> queue;
  for (const char item : {'a', 'b', 'c', 'd'}) {
    queue.Push("greedy", item);
  }
  queue.Push("modest", 'x');
  EXPECT_EQ(queue.SizeOf("greedy"), 4U);
  EXPECT_EQ(queue.SizeOf("nobody"), 0U);
  EXPECT_EQ(queue.size(), 5U);
  EXPECT_EQ(queue.Pop(), 'a');
  EXPECT_EQ(queue.Pop(), 'x');
  queue.Push("late", '1');
  queue.Push("late", '2');
  EXPECT_EQ(PopAll(queue), "b1c2d");
}

// Proves that what is taken out leaves the rest as it was.
TEST(FairQueueTest, TakesOutWhatIsWanted) {
  FairQueue<char> queue;
  for (const char item : {'a', 'b', 'c'}) {
    queue.Push("one", item);
  }
  queue.Push("two", 'B');
  const auto taken = queue.TakeIf([](char item) { return item == 'b' || item == 'B'; });
  EXPECT_EQ(std::string(taken.begin(), taken.end()), "bB");
  EXPECT_EQ(queue.size(), 2U);
  EXPECT_EQ(queue.SizeOf("two"), 0U);
  EXPECT_EQ(PopAll(queue), "ac");
}

}  // namespace
}  // namespace tintype::delivery
