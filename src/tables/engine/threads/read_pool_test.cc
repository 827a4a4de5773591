#include "tables/engine/threads/read_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <functional>
#include <future>
#include <optional>
#include <string>
#include <utility>

namespace tintype::tables::engine {
namespace {

using Length = ReadPool::Length;

// A pool of one thread, which is held up until Release.
class ReadPoolTest : public testing::Test {
 protected:
  void Open(size_t waiting_max, size_t waiting_bytes_max = 1000) {
    pool_.emplace(ReadPool::Config{
        .threads = 1, .waiting_max = waiting_max, .waiting_bytes_max = waiting_bytes_max});
    pool_->Start();
    std::promise<void> held;
    ASSERT_TRUE(Submit(Length::kShort, [this, &held] {
      held.set_value();
      released_.get_future().wait();
    }));
    held.get_future().wait();
  }
  void Release() { released_.set_value(); }

  bool Submit(Length length, std::function<void()> read, size_t held_bytes = 1) {
    return pool_->Submit(length, held_bytes, std::move(read));
  }
  bool Note(Length length, char name, size_t held_bytes = 1) {
    return Submit(
        length, [this, name] { order_.push_back(name); }, held_bytes);
  }

  std::optional<ReadPool> pool_;
  std::promise<void> released_;
  std::string order_;
};

// A short read does not wait behind the long ones that came before it, and long ones are not kept
// out by a stream of short ones.
TEST_F(ReadPoolTest, ShortReadsGoFirstAndLongOnesGetTheirTurn) {
  Open(100);
  EXPECT_TRUE(Note(Length::kLong, 'L'));
  EXPECT_TRUE(Note(Length::kLong, 'L'));
  for (int i = 0; i < ReadPool::kShortInARow + 2; ++i) {
    EXPECT_TRUE(Note(Length::kShort, 's'));
  }
  Release();
  pool_->Stop();
  // The read that held the thread up was the first of the row.
  EXPECT_EQ(order_, "sssssssLsssL");
}

// Reads that do not fit are refused at once, and accepted ones are done even if the pool stops.
TEST_F(ReadPoolTest, RefusesWhatDoesNotFitAndEndsWhatItAccepted) {
  Open(2);
  EXPECT_TRUE(Note(Length::kLong, 'a'));
  EXPECT_TRUE(Note(Length::kLong, 'b'));
  EXPECT_FALSE(Note(Length::kLong, 'c'));
  EXPECT_TRUE(Note(Length::kShort, 'd'));
  Release();
  pool_->Stop();
  EXPECT_EQ(order_, "dab");
  EXPECT_FALSE(Note(Length::kShort, 'e'));
}

// However few reads wait, they hold no more memory than they may, in both queues together; what has
// begun no longer counts.
TEST_F(ReadPoolTest, RefusesWhatWouldHoldTooMuch) {
  Open(100, 10);
  EXPECT_TRUE(Note(Length::kLong, 'a', 6));
  EXPECT_FALSE(Note(Length::kLong, 'b', 5));
  EXPECT_FALSE(Note(Length::kShort, 'c', 5));
  EXPECT_TRUE(Note(Length::kShort, 'd', 4));
  EXPECT_FALSE(Note(Length::kShort, 'e', 1));
  std::promise<void> begun;
  EXPECT_TRUE(Submit(
      Length::kLong, [&begun] { begun.set_value(); }, 0));
  Release();
  begun.get_future().wait();
  EXPECT_TRUE(Note(Length::kLong, 'f', 10));
  pool_->Stop();
  EXPECT_EQ(order_, "daf");
}

// Its threads leave the processors to those that answer quickly.
TEST_F(ReadPoolTest, RunsAtALowerPriority) {
  Open(1);
  const int here = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()));
  int there = 0;
  EXPECT_TRUE(Submit(Length::kLong, [&there] {
    there = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()));
  }));
  Release();
  pool_->Stop();
  EXPECT_GT(there, here);
}

}  // namespace
}  // namespace tintype::tables::engine
