#include "access/audit/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "audit_fixture.h"
#include "base/retry.h"
#include "base/testing/eventually.h"
#include "base/testing/in_threads.h"
#include "database_wrapper.h"
#include "unreliable_database.h"

namespace tintype::product {
namespace {

using access::audit::Entry;
using access::audit::kAuditBegin;
using access::audit::kAuditTrim;
using access::audit::kAuditUnavailable;
using access::audit::Link;
using access::audit::Outcome;
using testing::ElementsAre;

/// Tables that are away until they are told otherwise.
class AwayDatabase : public DatabaseWrapper<AwayDatabase> {
 public:
  explicit AwayDatabase(tables::Database& database) : database_(database) {}

  template <typename Request, typename Response>
  void Pass(void (tables::Database::*operation)(Request, Done<Response>), Request request,
            Done<Response> done) {
    if (away) {
      std::move(done)(Error(ErrorKind::kUnavailable, "away"));
      return;
    }
    if constexpr (std::is_same_v<Request, tables::TransactWriteItemsRequest>) {
      ++commits;
    }
    (database_.*operation)(std::move(request), std::move(done));
  }

  std::atomic<bool> away = false;
  std::atomic<int> commits = 0;

 private:
  tables::Database& database_;
};

Entry Denial(const std::string& address) {
  Entry entry;
  entry.kind = access::audit::kLogIn;
  entry.outcome = Outcome::kDenied;
  entry.principal.address = address;
  return entry;
}

// Proves that an entry which was recorded is there with all that was said of it, at its time.
TEST_F(AuditTest, AnEntryIsThereWhenRecordReturns) {
  ASSERT_TRUE(audit().Record(SomeEntry("first")).ok());
  const std::vector<Link> links = Links();
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0].entry.kind, kAuditBegin);
  const Link& link = links[1];
  EXPECT_EQ(link.time_ms, clock_.NowMs());
  EXPECT_EQ(link.entry.kind, "image.share");
  EXPECT_EQ(link.entry.outcome, "done");
  EXPECT_EQ(link.entry.principal_kind, "session");
  EXPECT_EQ(link.entry.principal_id, "session");
  EXPECT_EQ(link.entry.account_id, "account");
  EXPECT_EQ(link.entry.address, "192.0.2.7");
  EXPECT_EQ(link.entry.request_id, "request-first");
  EXPECT_EQ(link.entry.subject, "first");
  EXPECT_EQ(link.previous, links[0].hash);
  EXPECT_EQ(Verify().fault, std::nullopt);
  EXPECT_EQ(Verify().head, link.hash);
}

// Proves that a chain goes on after a restart.
TEST_F(AuditTest, ARestartGoesOn) {
  RecordMany(3);
  OpenAudit();
  RecordMany(3);
  EXPECT_EQ(Verify().fault, std::nullopt);
  EXPECT_EQ(Verify().entries, 7);
  EXPECT_EQ(audit().stats().damage, 0U);
}

// Proves that many callers at once share commits, and that each finds its entry when it returns.
TEST_F(AuditTest, ManyCallersShareCommits) {
  AwayDatabase counted(database());
  OpenAudit(&counted);
  constexpr int kThreads = 16;
  constexpr int kEach = 20;
  InThreads(kThreads, [&](int thread) {
    for (int i = 0; i < kEach; ++i) {
      ASSERT_TRUE(audit().Record(SomeEntry(StrCat(thread, "-", i))).ok());
    }
  });
  EXPECT_EQ(Verify().fault, std::nullopt);
  EXPECT_EQ(Verify().entries, 1 + kThreads * kEach);
  EXPECT_LT(counted.commits, kThreads * kEach);
  EXPECT_EQ(audit().stats().queued, 0U);
}

class ImpatientAuditTest : public AuditTest {
 protected:
  access::audit::AuditConfig Config(const std::string& node) const override {
    auto config = AuditTest::Config(node);
    config.patience = std::chrono::milliseconds(200);
    config.queued_max = 20;
    return config;
  }
};

// Proves that while the tables are away acts are refused within the bound, those that have to go on
// go on, nothing waits for a denial, and all of it is written afterwards.
TEST_F(ImpatientAuditTest, TablesThatAreAway) {
  AwayDatabase away(database());
  OpenAudit(&away);
  away.away = true;
  EXPECT_TRUE(audit().Record(SomeEntry("late")).error().Is(kAuditUnavailable));
  EXPECT_TRUE(audit().CheckReady().error().Is(kAuditUnavailable));
  audit().RecordOrQueue(SomeEntry("queued"));
  audit().Note(Denial("192.0.2.1"));
  away.away = false;
  ASSERT_TRUE(Eventually([&] { return audit().CheckReady().ok(); }));
  ASSERT_TRUE(Eventually([&] { return audit().Settle().ok(); }));
  EXPECT_EQ(Verify().fault, std::nullopt);
  const std::vector<Link> links = Links();
  ASSERT_EQ(links.size(), 4U);
  EXPECT_EQ(links[1].entry.subject, "late");
  EXPECT_EQ(links[2].entry.subject, "queued");
  EXPECT_EQ(links[3].entry.outcome, "denied");
  EXPECT_EQ(audit().stats().late, 1U);
  EXPECT_GT(audit().stats().failed_commits, 0U);
}

// Proves that the queue has a bound: acts are refused at once, denials are counted, and an entry
// tells how many.
TEST_F(ImpatientAuditTest, AFullQueue) {
  AwayDatabase away(database());
  OpenAudit(&away);
  away.away = true;
  EXPECT_FALSE(audit().Record(SomeEntry("first")).ok());
  for (int i = 0; i < 30; ++i) {
    audit().Note(Denial(StrCat("192.0.2.", i)));
  }
  EXPECT_GE(audit().stats().lost, 10U);
  bool refused = false;
  audit().RecordThen(SomeEntry(), [&refused](const Status& status) { refused = !status.ok(); });
  EXPECT_TRUE(refused);
  const uint64_t lost = audit().stats().lost;
  away.away = false;
  ASSERT_TRUE(Eventually([&] { return audit().Settle().ok(); }));
  EXPECT_EQ(Links().back().entry.kind, access::audit::kAuditLost);
  EXPECT_EQ(Links().back().entry.count, static_cast<int64_t>(lost));
}

// Proves that nothing is lost or there twice on tables that refuse, conflict and lose answers.
TEST_F(AuditTest, UnreliableTables) {
  for (const uint64_t seed : {1U, 2U, 3U}) {
    UnreliableDatabase unreliable(database(), seed,
                                  {.refused = 10, .conflict = 10, .lost_answer = 20, .stale = 0});
    audit_.reset();
    auto opened =
        WithRetries({}, [&] { return access::audit::Audit::Open(Config(), unreliable, clock_); });
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    audit_ = *std::move(opened);
    InThreads(4, [&](int thread) {
      for (int i = 0; i < 10; ++i) {
        ASSERT_TRUE(audit().Record(SomeEntry(StrCat(seed, "-", thread, "-", i))).ok());
      }
    });
    audit().Stop();
    unreliable.BecomeReliable();
    EXPECT_EQ(audit().stats().damage, 0U) << seed;
  }
  OpenAudit();
  EXPECT_EQ(Verify().fault, std::nullopt);
  std::multiset<std::string> subjects;
  for (const Link& link : Links()) {
    subjects.insert(link.entry.subject);
  }
  EXPECT_EQ(subjects.size(), 1U + 3 * 40);
  EXPECT_EQ(std::set<std::string>(subjects.begin(), subjects.end()).size(), subjects.size());
}

// Proves that a flood of denials becomes a few entries, and a summary when its minute is over.
TEST_F(AuditTest, AFloodIsSummarised) {
  for (int i = 0; i < 5000; ++i) {
    audit().Note(Denial("192.0.2.66"));
  }
  ASSERT_TRUE(audit().Settle().ok());
  EXPECT_EQ(Links().size(), 1U + 5);
  clock_.AdvanceMs(60'000);
  ASSERT_TRUE(audit().Settle().ok());
  ASSERT_EQ(Links().size(), 1U + 6);
  const Link summary = Links().back();
  EXPECT_EQ(summary.entry.count, 4995);
  EXPECT_EQ(summary.entry.address, "192.0.2.66");
  EXPECT_EQ(summary.entry.details.at("summary"), "true");
  EXPECT_EQ(audit().stats().summarised.at("session.login"), 4995U);
  EXPECT_EQ(Verify().fault, std::nullopt);
}

// Proves that stopping writes what was counted.
TEST_F(AuditTest, StoppingWritesSummaries) {
  for (int i = 0; i < 50; ++i) {
    audit().Note(Denial("192.0.2.66"));
  }
  audit().Stop();
  EXPECT_EQ(Links().back().entry.count, 45);
  EXPECT_FALSE(audit().Record(SomeEntry()).ok());
}

// Proves that old entries go, that what is left verifies, and that an entry tells of it.
TEST_F(AuditTest, OldEntriesAreTrimmed) {
  RecordMany(200);
  clock_.AdvanceMs(399 * kDayMs);
  RecordMany(10);
  ASSERT_TRUE(audit().Settle().ok());
  EXPECT_EQ(audit().stats().trimmed, 0U);
  clock_.AdvanceMs(2 * kDayMs);
  ASSERT_TRUE(audit().Settle().ok());
  EXPECT_EQ(audit().stats().trimmed, 201U);
  const std::vector<Link> links = Links();
  ASSERT_EQ(links.size(), 11U);
  EXPECT_EQ(links.front().sequence, 202);
  EXPECT_EQ(links.back().entry.kind, kAuditTrim);
  EXPECT_EQ(links.back().entry.details.at("removed"), "201");
  EXPECT_EQ(Verify().fault, std::nullopt);
  EXPECT_EQ(Verify().first, 202);
  EXPECT_EQ(Verify().entries, 11);
  // More than what was trimmed is missing: that is no trim.
  DeleteItem(access::audit::SequenceText(202));
  EXPECT_EQ(Verify().fault_sequence, 202);
}

// Proves that the last entry stays, however old, so that the chain always goes on.
TEST_F(AuditTest, TheLastEntryStays) {
  RecordMany(5);
  clock_.AdvanceMs(1000 * kDayMs);
  ASSERT_TRUE(audit().Settle().ok());
  clock_.AdvanceMs(1000 * kDayMs);
  ASSERT_TRUE(audit().Settle().ok());
  OpenAudit();
  RecordMany(2);
  EXPECT_EQ(Verify().fault, std::nullopt);
}

// Proves that damage does not vanish with the entries that were damaged.
TEST_F(AuditTest, TrimmingTellsOfDamage) {
  RecordMany(5);
  DeleteItem(access::audit::SequenceText(3));
  clock_.AdvanceMs(1000 * kDayMs);
  RecordMany(1);
  ASSERT_TRUE(audit().Settle().ok());
  std::set<std::string> kinds;
  for (const Link& link : Links()) {
    kinds.insert(link.entry.kind);
  }
  EXPECT_THAT(kinds, ElementsAre("audit.damage", "audit.trim", "image.share"));
  EXPECT_EQ(audit().stats().damage, 1U);
}

// Proves that two nodes have chains of their own, that each trims what the other left, and that
// both verify.
TEST_F(AuditTest, TwoNodes) {
  RecordMany(3);
  {
    auto other = access::audit::Audit::Open(Config("other"), database(), clock_);
    ASSERT_TRUE(other.ok());
    ASSERT_TRUE((*other)->Record(SomeEntry("theirs")).ok());
    ASSERT_TRUE((*other)->Record(SomeEntry("theirs too")).ok());
  }
  EXPECT_EQ(Verify("node").entries, 4);
  EXPECT_EQ(Verify("other").entries, 3);
  clock_.AdvanceMs(1000 * kDayMs);
  ASSERT_TRUE(audit().Settle().ok());
  EXPECT_EQ(Verify("other").fault, std::nullopt);
  EXPECT_EQ(Verify("other").first, 3);
}

}  // namespace
}  // namespace tintype::product
