#include "access/audit/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "audit_fixture.h"

namespace tintype::product {
namespace {

using access::audit::AuditReader;
using access::audit::Filter;
using access::audit::Link;
using access::audit::Page;
using access::audit::Positions;
using testing::ElementsAre;
using testing::IsEmpty;

class AuditReaderTest : public AuditTest {
 protected:
  void SetUp() override {
    AuditTest::SetUp();
    auto other = access::audit::Audit::Open(Config("other"), database(), clock_);
    ASSERT_TRUE(other.ok());
    other_ = *std::move(other);
    for (int i = 1; i <= 6; ++i) {
      clock_.AdvanceMs(1000);
      ASSERT_TRUE((i % 2 == 0 ? audit() : *other_).Record(SomeEntry(std::to_string(i))).ok());
    }
  }

  /// The subjects of all pages of a list.
  std::vector<std::string> List(const Filter& filter, int64_t limit) {
    AuditReader reader(std::string(access::audit::kAuditTable), database());
    std::vector<std::string> subjects;
    std::string after;
    do {
      const auto page = reader.List(filter, limit, after);
      CHECK(page.ok());
      for (const Link& link : page->links) {
        subjects.push_back(link.entry.subject);
      }
      after = page->next.value_or("");
    } while (!after.empty());
    return subjects;
  }

  std::unique_ptr<access::audit::Audit> other_;
};

// Proves that the entries of all nodes come in one order, whatever the size of a page.
TEST_F(AuditReaderTest, PagesOfAllChains) {
  Filter filter;
  filter.kind = "image";
  for (const int64_t limit : {1, 2, 4, 100}) {
    EXPECT_THAT(List(filter, limit), ElementsAre("6", "5", "4", "3", "2", "1")) << limit;
  }
}

// Proves that entries of one millisecond are neither left out nor there twice.
TEST_F(AuditReaderTest, EntriesOfOneMoment) {
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE((i % 2 == 0 ? audit() : *other_).Record(SomeEntry("moment")).ok());
  }
  Filter filter;
  filter.subject = "moment";
  for (const int64_t limit : {1, 3, 7}) {
    EXPECT_EQ(List(filter, limit).size(), 20U) << limit;
  }
}

// Proves each filter by what it lets through and what not.
TEST_F(AuditReaderTest, Filters) {
  access::audit::Entry entry;
  entry.kind = access::audit::kCreateTable;
  entry.outcome = access::audit::Outcome::kFailed;
  entry.principal = {access::PrincipalKind::kAccessKey, "AKIA1", "", false, {}, "198.51.100.1"};
  entry.request_id = "only";
  entry.subject = "cameras";
  clock_.AdvanceMs(1000);
  ASSERT_TRUE(audit().Record(entry).ok());
  const auto only = [&](auto set) {
    Filter filter;
    set(filter);
    return List(filter, 10);
  };
  EXPECT_THAT(only([](Filter& f) { f.kind = "table.create"; }), ElementsAre("cameras"));
  EXPECT_THAT(only([](Filter& f) { f.kind = "table"; }), ElementsAre("cameras"));
  EXPECT_THAT(only([](Filter& f) { f.kind = "tab"; }), IsEmpty());
  EXPECT_THAT(only([](Filter& f) { f.principal = "AKIA1"; }), ElementsAre("cameras"));
  EXPECT_THAT(only([](Filter& f) { f.principal = "access-key"; }), ElementsAre("cameras"));
  EXPECT_THAT(only([](Filter& f) { f.address = "198.51.100.1"; }), ElementsAre("cameras"));
  EXPECT_THAT(only([](Filter& f) { f.outcome = "failed"; }), ElementsAre("cameras"));
  EXPECT_THAT(only([](Filter& f) { f.subject = "cameras"; }), ElementsAre("cameras"));
  EXPECT_THAT(only([](Filter& f) { f.request_id = "only"; }), ElementsAre("cameras"));
  EXPECT_EQ(only([](Filter& f) { f.account = "account"; }).size(), 6U);
  EXPECT_THAT(only([&](Filter& f) { f.since_ms = clock_.NowMs() - 1000; }),
              ElementsAre("cameras", "6"));
  EXPECT_THAT(only([&](Filter& f) {
                f.since_ms = clock_.NowMs() - 2000;
                f.until_ms = clock_.NowMs();
              }),
              ElementsAre("6", "5"));
}

// Proves that a follower gets each entry once, of chains that begin meanwhile too.
TEST_F(AuditReaderTest, Following) {
  AuditReader reader(std::string(access::audit::kAuditTable), database());
  const auto ends = reader.Ends();
  ASSERT_TRUE(ends.ok());
  const auto parsed = access::audit::ParsePositions(access::audit::PositionsText(*ends));
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(*parsed, *ends);
  EXPECT_FALSE(access::audit::ParsePositions("nonsense").ok());
  ASSERT_TRUE(audit().Record(SomeEntry("new")).ok());
  auto third = access::audit::Audit::Open(Config("third"), database(), clock_);
  ASSERT_TRUE(third.ok());
  ASSERT_TRUE((*third)->Record(SomeEntry("third")).ok());
  Filter filter;
  filter.kind = "image";
  const auto news = reader.ListAfter(filter, *parsed, 100);
  ASSERT_TRUE(news.ok());
  ASSERT_EQ(news->links.size(), 2U);
  EXPECT_EQ(news->links[0].entry.subject, "new");
  EXPECT_EQ(news->links[1].entry.subject, "third");
  const auto later = reader.ListAfter(filter, news->positions, 100);
  ASSERT_TRUE(later.ok());
  EXPECT_TRUE(later->links.empty());
}

// Proves that a place which no page gave out is refused.
TEST_F(AuditReaderTest, WrongPlaces) {
  AuditReader reader(std::string(access::audit::kAuditTable), database());
  for (const char* after : {"x", "#", "##", "2026-01-01T00:00:00.000Z#node", "now#node#1"}) {
    EXPECT_EQ(reader.List({}, 10, after).error().kind(), ErrorKind::kValidation) << after;
  }
}

}  // namespace
}  // namespace tintype::product
