#include "contexts/backlog/work.h"

#include <gtest/gtest.h>

#include "contexts/common/item.h"

namespace tintype::contexts::backlog {
namespace {

// Proves that the order sorts as texts do: by priority, then by time, then by id.
TEST(WorkTest, OrdersByPriorityTimeAndId) {
  const std::string sorted[] = {
      OrderOf(Priority::kHigh, 0, ""),
      OrderOf(Priority::kHigh, 1'750'000'000'000, "z"),
      OrderOf(Priority::kNormal, 9, "a"),
      OrderOf(Priority::kNormal, 10, "a"),
      OrderOf(Priority::kNormal, 10, "b"),
      OrderOf(Priority::kNormal, 10, "~"),
      OrderOf(Priority::kNormal, 999'999'999'999'999, "a"),
      OrderOf(Priority::kLow, 0, "a"),
  };
  for (size_t i = 1; i < std::size(sorted); ++i) {
    EXPECT_LT(sorted[i - 1], sorted[i]);
  }
  EXPECT_EQ(OrderOf(Priority::kNormal, 1'750'000'000'000, "id"), "5#001750000000000#id");
}

// Proves that work comes back from its item as it was, and that its time in the index is when it is
// due, or when its lease ends.
TEST(WorkTest, ReadsWhatWasWritten) {
  Work work;
  work.id = "develop-1";
  work.type = "develop";
  work.uuid = "1";
  work.input = {{"a", "x"}, {"b", ""}};
  work.priority = Priority::kLow;
  work.status = WorkStatus::kLeased;
  work.due_ms = 5;
  work.created_ms = 1;
  work.updated_ms = 2;
  work.retry_count = 3;
  work.max_retries = 4;
  work.last_error = "broken";
  work.correlation_id = "request";
  work.token = "token";
  work.lease_until_ms = 60;
  const tables::Item item = ToItem(work);
  EXPECT_EQ(ItemReader(item).Text("order"), OrderOf(Priority::kLow, 60, "develop-1"));
  EXPECT_EQ(ToItem(WorkFromItem(item)), item);
  const Work read = WorkFromItem(item);
  EXPECT_EQ(read.input, work.input);
  EXPECT_EQ(read.token, "token");
  work.status = WorkStatus::kDelayed;
  EXPECT_EQ(ItemReader(ToItem(work)).Text("order"), OrderOf(Priority::kLow, 5, "develop-1"));
  EXPECT_FALSE(ItemReader(ToItem(work)).Has("token"));
}

// Proves that items of others, with whatever they leave out or misspell, read as something.
TEST(WorkTest, ReadsForeignItems) {
  const Work work = WorkFromItem(ItemBuilder()
                                     .Text("id", "backlog-1")
                                     .Text("status", "WAITING")
                                     .Integer("priority", 3)
                                     .Text("retryCount", "many")
                                     .Build());
  EXPECT_EQ(work.status, WorkStatus::kPending);
  EXPECT_EQ(work.priority, Priority::kNormal);
  EXPECT_EQ(work.retry_count, 0);
  EXPECT_EQ(work.max_retries, 5);
}

}  // namespace
}  // namespace tintype::contexts::backlog
