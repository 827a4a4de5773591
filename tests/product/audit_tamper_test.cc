#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "access/audit/chain.h"
#include "access/audit/chain_items.h"
#include "audit_fixture.h"

// What somebody who can write the tables, but neither the data directory nor its secret, cannot do
// unnoticed.

namespace tintype::product {
namespace {

using access::audit::AuditKey;
using access::audit::Head;
using access::audit::HeadItem;
using access::audit::HeadOf;
using access::audit::Link;
using access::audit::LinkItem;
using access::audit::MakeLink;
using access::audit::ReadLink;
using access::audit::Sealer;
using access::audit::SequenceText;
using testing::HasSubstr;
using testing::Optional;

class AuditTamperTest : public AuditTest {
 protected:
  void SetUp() override {
    AuditTest::SetUp();
    RecordMany(9);  // After the entry that says that the chain begins.
    ASSERT_EQ(Verify().fault, std::nullopt);
    ASSERT_EQ(Verify().entries, 10);
  }

  Link LinkAt(int64_t sequence) { return *ReadLink(FindItem(SequenceText(sequence))); }
};

// Proves that a changed field is found, and where.
TEST_F(AuditTamperTest, AChangedEntry) {
  Link link = LinkAt(5);
  link.entry.principal_id = "somebody-else";
  PutItem(LinkItem(link));
  EXPECT_EQ(Verify().fault_sequence, 5);
  EXPECT_THAT(Verify().fault, Optional(HasSubstr("entry 5 was changed")));
  EXPECT_EQ(Verify().entries, 4);
}

// Proves that hashing the entry anew does not help.
TEST_F(AuditTamperTest, AChangedEntryWithItsHash) {
  Link link = LinkAt(5);
  link.entry.principal_id = "somebody-else";
  link.hash = MakeLink("node", {}, 0, {}, Sealer(std::string(32, 'x'))).hash;
  PutItem(LinkItem(link));
  EXPECT_EQ(Verify().fault_sequence, 5);
}

TEST_F(AuditTamperTest, ARemovedEntry) {
  DeleteItem(SequenceText(5));
  EXPECT_EQ(Verify().fault_sequence, 5);
  EXPECT_THAT(Verify().fault, Optional(HasSubstr("entry 5 is missing")));
}

TEST_F(AuditTamperTest, EntriesThatChangedPlaces) {
  Link fifth = LinkAt(5);
  Link sixth = LinkAt(6);
  std::swap(fifth.sequence, sixth.sequence);
  PutItem(LinkItem(fifth));
  PutItem(LinkItem(sixth));
  EXPECT_EQ(Verify().fault_sequence, 5);
}

// Proves that the first entries cannot be passed off as trimmed.
TEST_F(AuditTamperTest, ARemovedStart) {
  DeleteItem(SequenceText(1));
  EXPECT_EQ(Verify().fault_sequence, 1);
  const Sealer other(std::string(32, 'x'));
  PutItem(access::audit::BaseItem("node", {1, LinkAt(2).previous}, other));
  EXPECT_THAT(Verify().fault, Optional(HasSubstr("start of the chain")));
}

// Proves that entries missing at the end are noticed, with the head as it is and with none.
TEST_F(AuditTamperTest, ARemovedEnd) {
  DeleteItem(SequenceText(10));
  EXPECT_THAT(Verify().fault, Optional(HasSubstr("entry 10")));
  DeleteItem("head");
  EXPECT_NE(Verify().fault, std::nullopt);
}

// Proves that an old state of the chain, with the genuine head of that time, is noticed by what the
// node remembers; and that the gap stays when the node goes on.
TEST_F(AuditTamperTest, AnOldStateThatWasPutBack) {
  const tables::Item head = FindItem("head");
  RecordMany(3);
  audit_.reset();
  for (int64_t sequence = 11; sequence <= 13; ++sequence) {
    DeleteItem(SequenceText(sequence));
  }
  PutItem(head);
  EXPECT_THAT(Verify().fault, Optional(HasSubstr("entries 11 to 13 were removed")));
  OpenAudit();
  EXPECT_EQ(audit().stats().damage, 1U);
  ASSERT_TRUE(audit().Record(SomeEntry()).ok());
  EXPECT_THAT(Verify().fault, Optional(HasSubstr("entry 11 is missing")));
  EXPECT_EQ(Links().back().sequence, 15);
  EXPECT_EQ(Links()[10].sequence, 14);
  EXPECT_EQ(Links()[10].entry.kind, access::audit::kAuditDamage);
}

// Proves the same for a node that runs meanwhile.
TEST_F(AuditTamperTest, AnOldStateUnderARunningServer) {
  const tables::Item head = FindItem("head");
  RecordMany(3);
  for (int64_t sequence = 11; sequence <= 13; ++sequence) {
    DeleteItem(SequenceText(sequence));
  }
  PutItem(head);
  ASSERT_TRUE(audit().Record(SomeEntry()).ok());
  EXPECT_EQ(audit().stats().damage, 1U);
  EXPECT_THAT(Verify().fault, Optional(HasSubstr("entry 11 is missing")));
  EXPECT_EQ(Links().back().sequence, 15);
}

// Proves that a whole chain which somebody without the secret made up is noticed.
TEST_F(AuditTamperTest, ARewrittenChain) {
  const Sealer other(std::string(32, 'x'));
  Head at;
  for (const Link& link : Links()) {
    access::audit::Entry entry = SomeEntry("made up");
    Link forged = MakeLink("node", at, link.time_ms, entry, other);
    at = HeadOf(forged);
    forged.key_id = Sealer(AuditKey("secret")).key_id();
    PutItem(LinkItem(forged));
  }
  EXPECT_NE(Verify().fault, std::nullopt);
  PutItem(HeadItem("node", at, other));
  EXPECT_NE(Verify().fault, std::nullopt);
}

// Proves that entries which somebody puts behind the end are replaced by those of the node.
TEST_F(AuditTamperTest, AnEntryBehindTheEnd) {
  const Sealer other(std::string(32, 'x'));
  PutItem(LinkItem(MakeLink("node", HeadOf(Links().back()), 0, SomeEntry("forged"), other)));
  ASSERT_TRUE(audit().Record(SomeEntry("genuine")).ok());
  EXPECT_EQ(Verify().fault, std::nullopt);
  EXPECT_EQ(Links()[10].entry.kind, access::audit::kAuditDamage);
  EXPECT_EQ(Links()[11].entry.subject, "genuine");
}

// Proves that a removed head is told of by the next start, though the chain is whole then.
TEST_F(AuditTamperTest, ARemovedHead) {
  audit_.reset();
  DeleteItem("head");
  OpenAudit();
  EXPECT_EQ(Links().back().entry.kind, access::audit::kAuditDamage);
  EXPECT_EQ(Links().back().sequence, 11);
  EXPECT_EQ(Verify().fault, std::nullopt);
}

// Proves that taking a chain off the list of chains does not hide it from its own node.
TEST_F(AuditTamperTest, AChainThatIsNotListed) {
  DeleteItem("node", "#chains");
  DeleteItem(SequenceText(5));
  EXPECT_EQ(Verify().fault_sequence, 5);
}

// Proves that a server with another secret sees that the entries are not its own.
TEST_F(AuditTamperTest, AnotherSecret) {
  const auto config = Config();
  const auto reports =
      access::audit::VerifyChains({config.table, AuditKey("another"), "node", ""}, database(),
                                  [](const auto&, auto, auto) { return true; });
  ASSERT_TRUE(reports.ok());
  EXPECT_THAT(reports->at(0).fault, Optional(HasSubstr("another secret")));
}

}  // namespace
}  // namespace tintype::product
