#include "contexts/identity/credentials/key_ring.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "base/strings.h"
#include "base/testing/in_threads.h"
#include "contexts/common/item.h"
#include "contexts/identity/credentials/tokens.h"
#include "product_fixture.h"

// The keys that all nodes sign with, and how they are replaced.

namespace tintype::product {
namespace {

using contexts::RingKeys;
using contexts::SigningPlace;
using contexts::identity::kAccessTokenKeys;
using contexts::identity::KeyRing;
using contexts::identity::kLinkKeys;
using contexts::identity::Tokens;

constexpr int64_t kMinuteMs = 60'000;

class KeyRingTest : public ProductTest {
 protected:
  /// As another node has it.
  KeyRing Ring(const std::string& secret = "secret") {
    return {kLinkKeys, contexts::DeriveKey(secret, "sealing"), *database_, clock_};
  }
  RingKeys ReadAll() {
    auto keys = Ring().Read();
    EXPECT_TRUE(keys.ok()) << keys.error().message();
    return keys.ok() ? *std::move(keys) : RingKeys();
  }
  tables::Item Stored() {
    return Get("tintype", {{"PK", "KEY#links"}, {"SK", "KEY"}}).value_or(tables::Item());
  }
  void Store(const tables::Item& item) {
    ASSERT_TRUE(tables::BlockingDatabase(*database_).PutItem({"tintype", item, {}}).ok());
  }
};

// Proves that there is one first key, whoever makes it, which signs at once and for good.
TEST_F(KeyRingTest, MakesTheFirstKeyOnce) {
  EXPECT_EQ(KindOf(Ring().Read()), ErrorKind::kNotFound);
  const auto made = Ring().ReadOrMake([] { return std::string("first"); });
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(*made, (RingKeys{{"first", 0, 0}}));
  const auto again = Ring().ReadOrMake([] { return std::string("another"); });
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*again, *made);
  EXPECT_EQ(KindOf(Ring("other").Read()), ErrorKind::kCorruption);
  EXPECT_EQ(Stored().payload().find("first"), std::string_view::npos);
}

// Proves that a new key signs only once every node has read it, and that what the one before signed
// until then is honoured for as long as it may last.
TEST_F(KeyRingTest, ReplacesKeysInTime) {
  ASSERT_TRUE(Ring().ReadOrMake([] { return std::string("first"); }).ok());
  const int64_t begin_ms = clock_.NowMs();
  const int64_t used_ms = begin_ms + KeyRing::kSettleMs;
  const auto rotated = Ring().Rotate({"second", 10 * kMinuteMs, false});
  ASSERT_TRUE(rotated.ok()) << rotated.error().message();
  EXPECT_EQ(ReadAll(), *rotated);
  EXPECT_EQ(*rotated, (RingKeys{{"second", used_ms, 0}, {"first", 0, used_ms + 10 * kMinuteMs}}));
  EXPECT_EQ(SigningPlace(*rotated, used_ms - 1), 1U);
  EXPECT_EQ(SigningPlace(*rotated, used_ms), 0U);
  EXPECT_TRUE(IsHonoured((*rotated)[1], used_ms + 10 * kMinuteMs - 1));
  EXPECT_FALSE(IsHonoured((*rotated)[1], used_ms + 10 * kMinuteMs));
  // Once more, before the second was ever used: the first goes on until the third is.
  const auto third = Ring().Rotate({"third", kMinuteMs, false});
  ASSERT_TRUE(third.ok());
  ASSERT_EQ(third->size(), 3U);
  EXPECT_EQ((*third)[1].honoured_until_ms, used_ms + kMinuteMs);
  EXPECT_EQ((*third)[2], (*rotated)[1]);
  EXPECT_EQ(SigningPlace(*third, begin_ms), 2U);
  // Keys whose time is over are not kept.
  clock_.AdvanceMs(11 * kMinuteMs);
  const auto fourth = Ring().Rotate({"fourth", kMinuteMs, false});
  ASSERT_TRUE(fourth.ok());
  EXPECT_EQ(fourth->size(), 2U);
  EXPECT_EQ(ReadAll(), *fourth);
}

// Proves that a key which somebody else has is good for nothing from that moment on.
TEST_F(KeyRingTest, ReplacesKeysAtOnce) {
  ASSERT_TRUE(Ring().ReadOrMake([] { return std::string("first"); }).ok());
  ASSERT_TRUE(Ring().Rotate({"second", kMinuteMs, false}).ok());
  ASSERT_TRUE(Ring().Rotate({"third", kMinuteMs, true}).ok());
  EXPECT_EQ(ReadAll(), (RingKeys{{"third", clock_.NowMs(), 0}}));
}

// Proves that of those who rotate at the same moment nobody loses a key that another made.
TEST_F(KeyRingTest, RotatesOneAfterTheOther) {
  ASSERT_TRUE(Ring().ReadOrMake([] { return std::string("first"); }).ok());
  std::atomic<int> rotated = 0;
  InThreads(8, [&](int i) {
    const auto keys = Ring().Rotate({StrCat("key ", i), kMinuteMs, false});
    if (keys.ok()) {
      ++rotated;
    } else {
      EXPECT_TRUE(keys.error().Is(contexts::identity::kRotatedMeanwhile));
    }
  });
  EXPECT_GE(rotated, 1);
  EXPECT_EQ(ReadAll().size(), static_cast<size_t>(rotated) + 1);
}

// Proves that an item does not grow without bound.
TEST_F(KeyRingTest, KeepsSoManyKeys) {
  ASSERT_TRUE(Ring().ReadOrMake([] { return std::string("first"); }).ok());
  for (size_t i = 1; i < KeyRing::kKeysMax; ++i) {
    ASSERT_TRUE(Ring().Rotate({StrCat("key ", i), kMinuteMs, false}).ok()) << i;
  }
  EXPECT_EQ(KindOf(Ring().Rotate({"one more", kMinuteMs, false})), ErrorKind::kLimitExceeded);
  EXPECT_EQ(ReadAll().size(), KeyRing::kKeysMax);
  EXPECT_TRUE(Ring().Rotate({"one more", kMinuteMs, true}).ok());
}

// Proves that damage is an error, and no key that is good for ever.
TEST_F(KeyRingTest, RefusesDamage) {
  ASSERT_TRUE(Ring().ReadOrMake([] { return std::string("first"); }).ok());
  ASSERT_TRUE(Ring().Rotate({"second", kMinuteMs, false}).ok());
  const tables::Item good = Stored();
  const auto with = [&](std::string_view name, tables::Value value) {
    contexts::ItemBuilder changed;
    for (const auto& [entry_name, entry] : good.view()) {
      if (entry_name != name) {
        changed.Value(entry_name, tables::Value::Copy(entry));
      }
    }
    return changed.Value(name, std::move(value)).Build();
  };
  Store(with("sealed", tables::Value::String("AAAA")));
  EXPECT_EQ(KindOf(Ring().Read()), ErrorKind::kCorruption);
  Store(with("older", tables::Value::List({tables::Value::String("AAAA")})));
  EXPECT_EQ(KindOf(Ring().Read()), ErrorKind::kCorruption);
  // A sealed key without its time.
  const std::string sealed = contexts::ItemReader(good).Text("sealed");
  Store(with("older", tables::Value::List({tables::Value::Map(
                          contexts::ItemBuilder().Text("sealed", sealed).Build())})));
  const RingKeys keys = ReadAll();
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_FALSE(IsHonoured(keys[1], clock_.NowMs()));
}

// Proves that tokens live on over a rotation, on nodes that have read of it and on those that have
// not, and that they end when their key is taken away.
TEST_F(KeyRingTest, TokensLiveOn) {
  const flows::Account account = SignUp("ada");
  const auto ring = [&] {
    return KeyRing(kAccessTokenKeys, contexts::DeriveKey("secret", "sealing"), *database_, clock_);
  };
  KeyRing first_ring = ring();
  KeyRing second_ring = ring();
  const auto first = Tokens::Open({}, first_ring, clock_);
  const auto second = Tokens::Open({}, second_ring, clock_);
  ASSERT_TRUE(first.ok() && second.ok());
  const int64_t longest_ms = Tokens::LongestOf({}).count() * 1000;
  const std::string before = (*first)->Issue(account, "session");
  const auto rotated = ring().Rotate({Tokens::MakeSecret(), longest_ms, false});
  ASSERT_TRUE(rotated.ok());
  ASSERT_TRUE((*first)->Take(*rotated).ok());
  // One has read of it, the other not yet: each takes what the other issues.
  EXPECT_TRUE((*second)->Verify((*first)->Issue(account, "session")).ok());
  EXPECT_TRUE((*first)->Verify((*second)->Issue(account, "session")).ok());
  EXPECT_NE((*first)->Jwks(), (*second)->Jwks());
  ASSERT_TRUE((*second)->Take(*rotated).ok());
  EXPECT_EQ((*first)->Jwks(), (*second)->Jwks());
  clock_.AdvanceMs(KeyRing::kSettleMs);
  const std::string after = (*first)->Issue(account, "session");
  EXPECT_NE(after.substr(0, after.find('.')), before.substr(0, before.find('.')));
  EXPECT_TRUE((*second)->Verify(after).ok());
  EXPECT_TRUE((*second)->Verify(before).ok());
  const auto at_once = ring().Rotate({Tokens::MakeSecret(), longest_ms, true});
  ASSERT_TRUE(at_once.ok());
  ASSERT_TRUE((*second)->Take(*at_once).ok());
  // Also a token that was found good before.
  EXPECT_FALSE((*second)->Verify(after).ok());
  EXPECT_FALSE((*second)->Verify(before).ok());
  EXPECT_TRUE((*second)->Verify((*second)->Issue(account, "session")).ok());
}

}  // namespace
}  // namespace tintype::product
