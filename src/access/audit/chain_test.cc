#include "access/audit/chain.h"

#include <gtest/gtest.h>

#include <functional>

#include "access/audit/chain_items.h"
#include "access/audit/witness.h"
#include "base/testing/temporary_directory.h"

namespace tintype::access::audit {
namespace {

Entry SomeEntry() {
  Entry entry;
  entry.kind = "image.share";
  entry.outcome = Outcome::kDone;
  entry.principal = {PrincipalKind::kSession, "session", "account", true, {}, "192.0.2.7"};
  entry.request_id = "request";
  entry.subject = "image";
  entry.details = {{"operation", "shareImage"}, {"reason", "none"}};
  entry.count = 3;
  return entry;
}

const Sealer& OurSealer() {
  static const Sealer sealer(std::string(32, 'k'));
  return sealer;
}

Link SomeLink() {
  return MakeLink("node", {4, std::string(64, 'a')}, 5000, SomeEntry(), OurSealer());
}

// Proves that the bytes which are hashed are those that docs/formats/audit.md prints: a change of
// them would make every chain that exists look damaged.
TEST(ChainTest, HashIsTheDocumentedOne) {
  Link link = MakeLink("n", {}, 0, {}, OurSealer());
  std::string expected = "tintype audit link 1\n";
  const auto add = [&expected](const std::string& text) {
    expected.append(7, '\0').push_back(static_cast<char>(text.size()));
    expected.append(text);
  };
  for (const char* text :
       {"n", "1", "0", "", "done", "anonymous", "", "", "0", "", "", "", "1", "0"}) {
    add(text);
  }
  add(std::string(64, '0'));
  EXPECT_EQ(CanonicalBytes(link), expected);
  EXPECT_EQ(SomeLink().hash, "38699f1e3b4b6b3a39c28667b97ff62bd4453deb6a352ae25b06c259b66f8ffc");
}

// Proves that a link read back from its item is the one that was written.
TEST(ChainTest, LinksSurviveBeingStored) {
  const Link link = SomeLink();
  const auto read = ReadLink(LinkItem(link));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(CanonicalBytes(*read), CanonicalBytes(link));
  EXPECT_EQ(FindFault(*read, {4, std::string(64, 'a')}, OurSealer()), std::nullopt);
}

// Proves that no field can be changed unnoticed, nor moved into its neighbour.
TEST(ChainTest, EveryFieldCounts) {
  const std::vector<std::function<void(Link&)>> changes = {
      [](Link& link) { link.chain = "other"; },
      [](Link& link) { link.time_ms += 1; },
      [](Link& link) { link.entry.kind = "image.unshare"; },
      [](Link& link) { link.entry.outcome = "denied"; },
      [](Link& link) { link.entry.principal_kind = "server"; },
      [](Link& link) {
        link.entry.principal_id = "sessio";
        link.entry.account_id = "naccount";
      },
      [](Link& link) { link.entry.administrator = false; },
      [](Link& link) { link.entry.address = "192.0.2.8"; },
      [](Link& link) { link.entry.request_id = ""; },
      [](Link& link) { link.entry.subject = "imag"; },
      [](Link& link) { link.entry.count = 1; },
      [](Link& link) { link.entry.details.erase("reason"); },
      [](Link& link) { link.entry.details["reason"] = "some"; },
      [](Link& link) { link.seal[0] = link.seal[0] == '0' ? '1' : '0'; },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    Link link = SomeLink();
    changes[i](link);
    EXPECT_NE(FindFault(link, {4, std::string(64, 'a')}, OurSealer()), std::nullopt) << i;
  }
}

// Proves that a link which somebody without the secret made is told apart, though its hash is
// right.
TEST(ChainTest, SealsNeedTheSecret) {
  const Sealer other(std::string(32, 'x'));
  Link link = MakeLink("node", {}, 5000, SomeEntry(), other);
  EXPECT_NE(FindFault(link, {}, OurSealer()), std::nullopt);
  link.key_id = OurSealer().key_id();
  EXPECT_NE(FindFault(link, {}, OurSealer()), std::nullopt);
  EXPECT_NE(OurSealer().OfHead("node", {}), OurSealer().OfBase("node", {}));
  EXPECT_NE(OurSealer().OfHead("node", {}), OurSealer().OfHead("nod", {}));
}

// Proves that what a client sends cannot make an entry large, and that what is cut is valid text.
TEST(EntryTest, TextsAreCut) {
  Entry entry = SomeEntry();
  entry.subject = std::string(kTextBytesMax - 1, 'a') + "\xC3\xA4" + "more";
  entry.request_id = "\xFF";
  for (int i = 0; i < 100; ++i) {
    entry.details.emplace("name" + std::to_string(i), std::string(10'000, 'x'));
  }
  entry = Trimmed(std::move(entry));
  EXPECT_EQ(entry.subject, std::string(kTextBytesMax - 1, 'a'));
  EXPECT_EQ(entry.request_id, "\xEF\xBF\xBD");
  EXPECT_EQ(entry.details.size(), kDetailsMax);
  EXPECT_EQ(entry.details.rbegin()->second.size(), kDetailBytesMax);
}

// Proves that the witness has what was last written to it, and refuses what it did not write.
TEST(WitnessTest, RemembersTheLastHead) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/audit.head";
  {
    auto witness = Witness::Open(path);
    ASSERT_TRUE(witness.ok());
    EXPECT_EQ(witness->found(), std::nullopt);
    ASSERT_TRUE(witness->Write({12, std::string(64, 'b')}).ok());
    ASSERT_TRUE(witness->Write({13, std::string(64, 'c')}).ok());
  }
  const auto witness = Witness::Open(path);
  ASSERT_TRUE(witness.ok());
  EXPECT_EQ(witness->found(), (Head{13, std::string(64, 'c')}));
  std::FILE* file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::fputs("nonsense\n", file);
  std::fclose(file);
  EXPECT_EQ(Witness::Open(path).error().kind(), ErrorKind::kCorruption);
}

}  // namespace
}  // namespace tintype::access::audit
