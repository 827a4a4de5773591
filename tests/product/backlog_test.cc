#include "contexts/backlog/backlog.h"

#include <gmock/gmock.h>

#include <atomic>
#include <barrier>
#include <thread>

#include "base/strings.h"
#include "product_fixture.h"

// The work queue: who gets work, in which order, and who may still write.

namespace tintype::product {
namespace {

using contexts::Transaction;
using contexts::backlog::Backlog;
using contexts::backlog::Priority;
using contexts::backlog::Work;
using contexts::backlog::WorkStatus;
using testing::ElementsAre;

class BacklogTest : public ProductTest {
 protected:
  Backlog& backlog() { return product().backlog; }

  static Work Of(const std::string& id) {
    Work work;
    work.id = id;
    work.type = "test";
    work.uuid = "asset";
    return work;
  }
  void Enqueue(Work work) { ASSERT_TRUE(Commit(backlog().Enqueue(std::move(work))).ok()); }
  Status Commit(contexts::Piece piece) {
    return Transaction(StrCat("test ", ++transactions_))
        .Add(std::move(piece))
        .Commit(product().database, product().retries);
  }
  std::optional<Work> Lease() {
    auto leased = backlog().Lease();
    CHECK(leased.ok());
    return *std::move(leased);
  }
  Work MustLease() {
    std::optional<Work> leased = Lease();
    CHECK(leased);
    return *std::move(leased);
  }
  WorkStatus Fail(const Work& work, Backlog::Failure failure = Backlog::Failure::kForNow,
                  std::chrono::milliseconds taken = {}) {
    Backlog::GivenBack given_back = backlog().GiveBack(work, "broken", failure, taken);
    CHECK(Commit(std::move(given_back.piece)).ok());
    return given_back.status;
  }

  std::atomic<int> transactions_ = 0;
};

// Proves that of two workers that want the same piece of work one gets it, a thousand times.
TEST_F(BacklogTest, GivesWorkToOneOfTwoWorkers) {
  constexpr int kRounds = 1000;
  std::atomic<int> winners = 0;
  std::barrier both(2);
  const auto work = [&](bool queues) {
    for (int round = 0; round < kRounds; ++round) {
      if (queues) {
        Enqueue(Of(StrCat("work-", round)));
      }
      both.arrive_and_wait();
      const std::optional<Work> leased = Lease();
      winners += leased ? 1 : 0;
      both.arrive_and_wait();
      if (queues) {
        EXPECT_EQ(winners, round + 1);
      }
      if (leased) {
        EXPECT_TRUE(Commit(backlog().Complete(*leased)).ok());
      }
      both.arrive_and_wait();
    }
  };
  std::thread other([&] { work(false); });
  work(true);
  other.join();
  EXPECT_EQ(winners, kRounds);
  EXPECT_FALSE(Lease());
}

// Proves that a start ends the leases of its own node and those of no node, so that their work goes
// on at once, and leaves another node's alone until they end by themselves.
TEST_F(BacklogTest, EndsOnlyTheLeasesOfItsNode) {
  const auto a = WireNode("a", *spool_);
  const auto b = WireNode("b", *spool_);
  Enqueue(Of("work-1"));
  const auto of_a = a->product.backlog.Lease();
  ASSERT_TRUE(of_a.ok() && *of_a);
  EXPECT_EQ((*of_a)->node, "a");
  Enqueue(Of("work-2"));
  ASSERT_TRUE(*b->product.backlog.Lease());
  Enqueue(Of("work-3"));
  EXPECT_EQ(MustLease().node, "");

  ASSERT_TRUE(b->product.backlog.EndLeases().ok());
  EXPECT_EQ(backlog().Find("work-1").value()->status, WorkStatus::kLeased);
  EXPECT_EQ(backlog().Find("work-2").value()->status, WorkStatus::kPending);
  EXPECT_EQ(backlog().Find("work-2").value()->node, "");
  EXPECT_EQ(backlog().Find("work-3").value()->status, WorkStatus::kPending);
  EXPECT_TRUE(Commit(a->product.backlog.Fence(**of_a)).ok());
  EXPECT_TRUE(*b->product.backlog.Lease());
  EXPECT_TRUE(*b->product.backlog.Lease());
  EXPECT_FALSE(*b->product.backlog.Lease());

  clock_.AdvanceMs(60 * kSecondMs);  // Node a is no more.
  std::vector<std::string> taken;
  for (auto work = b->product.backlog.Lease(); *work; work = b->product.backlog.Lease()) {
    EXPECT_EQ((*work)->node, "b");
    taken.push_back((*work)->id);
  }
  EXPECT_THAT(taken, testing::UnorderedElementsAre("work-1", "work-2", "work-3"));
}

// Proves that a worker whose lease ended and was taken over can write nothing any more, and its
// successor can; and that renewing keeps a lease.
TEST_F(BacklogTest, FencesOffWhoLostTheLease) {
  Enqueue(Of("work"));
  Work first = MustLease();
  clock_.AdvanceMs(59 * kSecondMs);
  ASSERT_TRUE(backlog().Renew(first).ok());
  clock_.AdvanceMs(59 * kSecondMs);
  EXPECT_FALSE(Lease());
  EXPECT_TRUE(Commit(backlog().Fence(first)).ok());

  clock_.AdvanceMs(kSecondMs);
  const Work second = MustLease();
  EXPECT_NE(second.token, first.token);
  EXPECT_EQ(KindOf(Commit(backlog().Fence(first))), ErrorKind::kConditionFailed);
  EXPECT_EQ(KindOf(Commit(backlog().Complete(first))), ErrorKind::kConditionFailed);
  EXPECT_EQ(KindOf(backlog().Renew(first)), ErrorKind::kConditionFailed);
  EXPECT_EQ(KindOf(Commit(backlog().GiveBack(first, "late", Backlog::Failure::kForNow, {}).piece)),
            ErrorKind::kConditionFailed);
  EXPECT_TRUE(Commit(backlog().Fence(second)).ok());
  EXPECT_TRUE(Commit(backlog().Complete(second)).ok());
  EXPECT_EQ(KindOf(Commit(backlog().Complete(second))), ErrorKind::kConditionFailed);
}

// Proves that work comes by priority, then by time, whatever state it waits in, and delayed work
// not before its time.
TEST_F(BacklogTest, GivesWorkByPriorityAndTime) {
  Work low = Of("low");
  low.priority = Priority::kLow;
  Work high = Of("high");
  high.priority = Priority::kHigh;
  Work later = Of("later");
  later.due_ms = clock_.NowMs() + 1000;
  Enqueue(low);
  Enqueue(later);
  Enqueue(Of("crashed"));
  EXPECT_EQ(MustLease().id, "crashed");
  clock_.AdvanceMs(999);
  Enqueue(Of("first"));
  EXPECT_EQ(MustLease().id, "first");
  EXPECT_EQ(MustLease().id, "low");
  EXPECT_FALSE(Lease());
  clock_.AdvanceMs(2 * 60 * kSecondMs);
  Enqueue(Of("new"));
  Enqueue(high);
  std::vector<std::string> order;
  while (const std::optional<Work> leased = Lease()) {
    order.push_back(leased->id);
  }
  EXPECT_THAT(order, ElementsAre("high", "later", "crashed", "first", "new", "low"));
}

// Proves that failed work is tried again after waits that double, is dead after its last attempt,
// tells why, and lives again when it is replayed.
TEST_F(BacklogTest, RetriesWithBackOffThenDies) {
  Work tried = Of("work");
  tried.max_retries = 3;
  Enqueue(tried);
  for (const int64_t wait_ms : {1000, 2000, 4000}) {
    EXPECT_EQ(Fail(MustLease()), WorkStatus::kDelayed);
    clock_.AdvanceMs(wait_ms - 1);
    EXPECT_FALSE(Lease());
    clock_.AdvanceMs(1);
  }
  EXPECT_EQ(KindOf(backlog().Replay("work")), ErrorKind::kNotFound);
  EXPECT_EQ(Fail(MustLease()), WorkStatus::kDead);
  clock_.AdvanceMs(kDayMs);
  EXPECT_FALSE(Lease());
  const auto dead = backlog().List({.status = WorkStatus::kDead, .limit = 10, .after = {}});
  ASSERT_EQ(dead->work.size(), 1U);
  EXPECT_EQ(dead->work[0].last_error, "broken");
  EXPECT_EQ(dead->work[0].retry_count, 4);

  ASSERT_TRUE(backlog().Replay("work").ok());
  EXPECT_EQ(KindOf(backlog().Replay("work")), ErrorKind::kNotFound);
  const Work again = MustLease();
  EXPECT_EQ(again.retry_count, 0);
  EXPECT_EQ(Fail(again, Backlog::Failure::kForGood), WorkStatus::kDead);
}

// Proves that work costs what an attempt took, once that is known to be more than was estimated; an
// outage tells nothing of it.
TEST_F(BacklogTest, LearnsWhatWorkCosts) {
  using std::chrono::milliseconds;
  Enqueue(backlog().InTurn(Of("work"), "ada", milliseconds(400)));
  const struct {
    Backlog::Failure failure;
    milliseconds taken;
    int64_t expected_ms;
  } attempts[] = {
      {Backlog::Failure::kForNow, milliseconds(300), 400},
      {Backlog::Failure::kOutage, milliseconds(120'000), 400},
      {Backlog::Failure::kForNow, milliseconds(60'000), 60'000},
      {Backlog::Failure::kForNow, milliseconds(50), 60'000},
      {Backlog::Failure::kForNow, milliseconds(1'000'000'000), kHourMs},
  };
  for (const auto& attempt : attempts) {
    EXPECT_EQ(Fail(MustLease(), attempt.failure, attempt.taken), WorkStatus::kDelayed);
    EXPECT_EQ((*backlog().Find("work"))->cost_ms, attempt.expected_ms);
    clock_.AdvanceMs(kHourMs);
  }
  EXPECT_FALSE(*backlog().Lease(Backlog::Which::kCheap));
  EXPECT_EQ(MustLease().id, "work");
}

// Proves that cheap work is found behind far more expensive work than one looks at at once, in
// whatever state both wait.
TEST_F(BacklogTest, FindsCheapWorkBehindMuchExpensive) {
  constexpr int kExpensiveWork = 150;
  const auto enqueue = [&](const std::string& id, int64_t due_ms, int64_t cost_ms) {
    Work work = Of(id);
    work.due_ms = due_ms;
    work.cost_ms = cost_ms;
    Enqueue(work);
  };
  const int64_t expensive_ms = contexts::backlog::kExpensive.count() + 1;
  const int64_t later_ms = clock_.NowMs() + kSecondMs;
  for (const int64_t due_ms : {int64_t{0}, later_ms}) {
    for (int i = 0; i < kExpensiveWork; ++i) {
      enqueue(StrCat("a-", due_ms, "-", i), due_ms, expensive_ms);
    }
  }
  enqueue("b-delayed", later_ms, 1);
  clock_.AdvanceMs(2 * kSecondMs);
  enqueue("b-pending", 0, 1);
  for (const std::string expected : {"b-delayed", "b-pending"}) {
    const auto leased = backlog().Lease(Backlog::Which::kCheap);
    ASSERT_TRUE(leased.ok() && *leased) << expected;
    EXPECT_EQ((*leased)->id, expected);
  }
  EXPECT_FALSE(*backlog().Lease(Backlog::Which::kCheap));
}

// Proves that work is counted by state, priority and type, no further than one wants to look, that
// a list goes on where it ended, and how long the oldest has waited.
TEST_F(BacklogTest, CountsWithinBounds) {
  EXPECT_EQ(*backlog().OldestDueMs(Priority::kNormal), std::nullopt);
  const int64_t start_ms = clock_.NowMs();
  for (int i = 0; i < 5; ++i) {
    Work work = Of(StrCat("work#", i));  // With a character that places in the index have too.
    work.type = i < 2 ? "develop" : "edit";
    Enqueue(work);
    clock_.AdvanceMs(1000);
  }
  Work low = Of("low");
  low.priority = Priority::kLow;
  Enqueue(low);
  Work later = Of("later");
  later.due_ms = clock_.NowMs() + kHourMs;
  Enqueue(later);

  const auto all = backlog().CountIn(WorkStatus::kPending, 100);
  EXPECT_TRUE(all->complete);
  EXPECT_EQ(all->total(), 6);
  EXPECT_EQ(all->by_type.at("develop"), 2);
  EXPECT_EQ(all->by_type.at("edit"), 3);
  const auto some = backlog().CountIn(WorkStatus::kPending, 3);
  EXPECT_FALSE(some->complete);
  EXPECT_EQ(some->total(), 3);
  EXPECT_EQ(backlog().CountIn(WorkStatus::kPending, Priority::kLow, 100)->total(), 1);
  EXPECT_EQ(backlog().CountIn(WorkStatus::kDelayed, 100)->total(), 1);
  EXPECT_EQ(backlog().CountIn(WorkStatus::kDead, 100)->total(), 0);

  const auto page = backlog().List({.status = WorkStatus::kPending, .limit = 2, .after = {}});
  const auto rest =
      backlog().List({.status = WorkStatus::kPending,
                      .limit = 100,
                      .after = Backlog::PlaceOf(WorkStatus::kPending, page->work.back().order)});
  ASSERT_EQ(rest->work.size(), 4U);
  EXPECT_EQ(rest->work.front().id, "work#2");

  EXPECT_EQ(*backlog().OldestDueMs(Priority::kNormal), start_ms);
  EXPECT_EQ(*backlog().OldestDueMs(Priority::kHigh), std::nullopt);
  EXPECT_EQ(*backlog().OldestDueMs(Priority::kLow), clock_.NowMs());
  while (Lease()) {
  }
  EXPECT_EQ(*backlog().OldestDueMs(Priority::kNormal), std::nullopt) << "what is not due yet waits";
  clock_.AdvanceMs(2 * kHourMs);
  EXPECT_EQ(*backlog().OldestDueMs(Priority::kNormal), later.due_ms);
}

// Proves that the wait between attempts ends growing.
TEST_F(BacklogTest, WaitsTenMinutesAtMost) {
  Work tried = Of("work");
  tried.max_retries = 100;
  Enqueue(tried);
  for (int i = 0; i < 30; ++i) {
    Fail(MustLease());
    clock_.AdvanceMs(10 * 60 * kSecondMs);
  }
  EXPECT_TRUE(Lease());
}

// Proves that an account that queues much waits for it, and others do not: not even when the cost
// was estimated far too low, so that the clock has long passed the places of what waits.
TEST_F(BacklogTest, AccountsTakeTurns) {
  constexpr int kPieces = 50;
  for (const int64_t cost_ms : {int64_t{1}, kHourMs}) {
    for (int i = 0; i < kPieces; ++i) {
      Enqueue(backlog().InTurn(Of(StrCat("many-", cost_ms, "-", 100 + i)), "many",
                               std::chrono::milliseconds(cost_ms)));
    }
    // In its own order, and without waiting for the clock.
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(MustLease().id, StrCat("many-", cost_ms, "-", 100 + i));
    }
    clock_.AdvanceMs(30 * kSecondMs);  // Half of what a lease lasts.
    Enqueue(backlog().InTurn(Of("few-1"), "few", std::chrono::milliseconds(cost_ms)));
    Enqueue(backlog().InTurn(Of("few-2"), "few", std::chrono::milliseconds(cost_ms)));
    std::vector<std::string> next;
    next.reserve(4);
    for (int i = 0; i < 4; ++i) {
      next.push_back(MustLease().id);
    }
    EXPECT_THAT(next,
                testing::UnorderedElementsAre("few-1", "few-2", StrCat("many-", cost_ms, "-110"),
                                              StrCat("many-", cost_ms, "-111")));
    for (int i = 12; i < kPieces; ++i) {
      EXPECT_EQ(MustLease().id, StrCat("many-", cost_ms, "-", 100 + i));
    }
    EXPECT_FALSE(Lease());
    // All of it is leased. Work that nobody completes would come back when the leases end.
    for (const tables::Item& item : Items("so0050-tintype-backlog")) {
      ASSERT_TRUE(Commit(backlog().Withdraw(TextOf(item, "id"))).ok());
    }
  }
}

// Proves that nobody follows to a place that makes no sense, which another program wrote.
TEST_F(BacklogTest, TurnsSurviveForeignPlaces) {
  for (const int64_t place : {int64_t{-5}, int64_t{1} << 62}) {
    tables::Item item =
        contexts::ItemBuilder()
            .Text("id", "foreign")
            .Text("type", "test")
            .Text("status", "PENDING")
            .Text("order", contexts::backlog::OrderOf(Priority::kNormal, 1, "foreign"))
            .Text("accountId", "other")
            .Integer("turnAt", place)
            .Integer("dueAt", place)
            .Build();
    ASSERT_TRUE(tables::BlockingDatabase(product().database)
                    .PutItem({"so0050-tintype-backlog", item, {}})
                    .ok());
    Enqueue(backlog().InTurn(Of("ours"), StrCat("account ", place), std::chrono::milliseconds(1)));
    EXPECT_THAT((std::vector<std::string>{MustLease().id, MustLease().id}),
                testing::UnorderedElementsAre("foreign", "ours"));
    EXPECT_LE(backlog().Find("ours").value()->turn_ms, clock_.NowMs() + 7 * kDayMs);
    ASSERT_TRUE(Commit(backlog().Withdraw("ours")).ok());
    ASSERT_TRUE(Commit(backlog().Withdraw("foreign")).ok());
  }
}

// Proves that work keeps its turn when a start ends its lease, and when it is replayed.
TEST_F(BacklogTest, WorkKeepsItsTurn) {
  constexpr std::chrono::milliseconds kCost(kSecondMs);
  for (int i = 0; i < 3; ++i) {
    Enqueue(backlog().InTurn(Of(StrCat("a-", i)), "a", kCost));
  }
  EXPECT_EQ(MustLease().id, "a-0");
  const Work second = MustLease();
  const std::string place = backlog().Find("a-2").value()->order;
  EXPECT_EQ(MustLease().id, "a-2");
  ASSERT_TRUE(backlog().EndLeases().ok());
  EXPECT_EQ(backlog().Find("a-2").value()->order, place);
  EXPECT_EQ(MustLease().id, "a-0");
  EXPECT_EQ(Fail(MustLease(), Backlog::Failure::kForGood), WorkStatus::kDead);
  ASSERT_TRUE(backlog().Replay(second.id).ok());
  EXPECT_EQ(MustLease().id, second.id);
  EXPECT_EQ(MustLease().id, "a-2");
}

// Proves that work of the same id takes the place of what is queued and frees nobody's hands, and
// what "begun" means to those who ask: the first lease, for good.
TEST_F(BacklogTest, KnowsWhetherWorkWasBegun) {
  Enqueue(Of("work"));
  EXPECT_TRUE(Commit(backlog().EnqueueUnlessBegun(Of("work"))).ok());
  const Work first = MustLease();
  EXPECT_EQ(KindOf(Commit(backlog().EnqueueUnlessBegun(Of("work")))), ErrorKind::kInUse);
  EXPECT_EQ(KindOf(Commit(backlog().WithdrawUnlessBegun("work"))), ErrorKind::kNotFound);
  Fail(first);
  EXPECT_EQ(KindOf(Commit(backlog().EnqueueUnlessBegun(Of("work")))), ErrorKind::kInUse);
  EXPECT_EQ(KindOf(Commit(backlog().WithdrawUnlessBegun("work"))), ErrorKind::kNotFound);

  Enqueue(Of("work"));
  const Work second = MustLease();
  Enqueue(Of("work"));
  EXPECT_EQ(KindOf(Commit(backlog().Complete(second))), ErrorKind::kConditionFailed);
  EXPECT_TRUE(Commit(backlog().WithdrawUnlessBegun("work")).ok());
  EXPECT_TRUE(Commit(backlog().WithdrawUnlessBegun("work")).ok());
  EXPECT_FALSE(Lease());
}

}  // namespace
}  // namespace tintype::product
