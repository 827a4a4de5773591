#include "access/keys/access_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tintype::access {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr int64_t kKeysNow = 1794744000000;
constexpr int64_t kHourMs = 3'600'000;

/// Records in memory. Not thread-safe.
class FakeRecords : public tables::Records {
 public:
  std::map<std::string, std::string> stored;
  std::optional<Error> error;

  Result<std::map<std::string, std::string>> ReadRecords(std::string_view prefix) const override {
    std::map<std::string, std::string> found;
    for (const auto& [name, value] : stored) {
      if (name.starts_with(prefix)) {
        found.emplace(name, value);
      }
    }
    return found;
  }
  void ChangeRecords(tables::ChangeRecordsRequest request,
                     tables::Done<tables::EmptyResponse> done) override {
    if (error) {
      done(*error);
      return;
    }
    for (const std::string& name : request.removals) {
      stored.erase(name);
    }
    for (const auto& [name, value] : request.puts) {
      stored[name] = value;
    }
    done(tables::EmptyResponse{});
  }
};

class AccessKeysTest : public ::testing::Test {
 protected:
  void SetUp() override { Open(); }

  void Open() {
    auto keys = AccessKeys::Open({.product_tables = {"photos"}, .keys_max = 3}, records_, clock_);
    ASSERT_TRUE(keys.ok()) << keys.error().message();
    keys_ = *std::move(keys);
  }
  AccessKey Create(const std::string& name) {
    auto key = keys_->Create({.name = name, .document = {}, .expires_ms = {}});
    EXPECT_TRUE(key.ok()) << key.error().message();
    return key.ok() ? *key : AccessKey{};
  }
  bool Active(const std::string& id) const {
    const auto found = keys_->Find(id);
    return found && found->key.IsActive(clock_.NowMs());
  }

  FakeClock clock_{kKeysNow};
  FakeRecords records_;
  std::unique_ptr<AccessKeys> keys_;
};

// Proves that a key has AWS's form, may do nothing with the product's tables unless told, and is
// there after a restart with all that it has.
TEST_F(AccessKeysTest, KeysAreKept) {
  const AccessKey key = Create("app");
  EXPECT_THAT(key.id, MatchesRegex("AKIA[A-Z2-7]{16}"));
  EXPECT_EQ(key.secret.size(), 40U);
  EXPECT_EQ(key.policy, "tables");
  auto custom = keys_->Create(
      {.name = "custom",
       .policy = "custom",
       .document = R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*",)"
                   R"("Resource":"*"}})",
       .expires_ms = kKeysNow + kHourMs});
  ASSERT_TRUE(custom.ok()) << custom.error().message();
  Open();
  const auto found = keys_->Find(key.id);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->key.secret, key.secret);
  EXPECT_EQ(found->key.created_ms, kKeysNow);
  const PolicyContext context;
  const auto verdict = [&](std::string_view table) {
    const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/" + std::string(table);
    return found->policy.Evaluate({"dynamodb:PutItem", arn, context}).verdict;
  };
  EXPECT_EQ(verdict("cameras"), Verdict::kAllowed);
  EXPECT_EQ(verdict("photos"), Verdict::kDeniedExplicitly);
  EXPECT_EQ(keys_->Find(custom->id)->key.expires_ms, kKeysNow + kHourMs);
  EXPECT_EQ(keys_->Find("AKIANOBODY"), nullptr);
}

// Proves that both keys of a rotation are good for a while, and only the new one afterwards.
TEST_F(AccessKeysTest, RotationOverlaps) {
  const AccessKey old = Create("app");
  const auto next = keys_->Rotate("app", std::chrono::hours(1));
  ASSERT_TRUE(next.ok()) << next.error().message();
  EXPECT_NE(next->id, old.id);
  EXPECT_NE(next->secret, old.secret);
  EXPECT_EQ(next->name, "app");
  EXPECT_TRUE(Active(old.id) && Active(next->id));
  clock_.AdvanceMs(kHourMs);
  EXPECT_FALSE(Active(old.id));
  EXPECT_TRUE(Active(next->id));
  // By the old id too: it has been replaced already.
  EXPECT_EQ(keys_->Rotate(old.id, std::chrono::hours(1)).error().kind(), ErrorKind::kNotFound);
  // Giving the key more time gives none to the one that was replaced.
  ASSERT_TRUE(keys_->Expire("app", clock_.NowMs() + kHourMs).ok());
  EXPECT_FALSE(Active(old.id));
  EXPECT_TRUE(Active(next->id));
}

// Proves that keys can be disabled, enabled, ended and deleted, by name and by id.
TEST_F(AccessKeysTest, StatesChange) {
  const AccessKey key = Create("app");
  ASSERT_TRUE(keys_->SetDisabled("app", true).ok());
  EXPECT_FALSE(Active(key.id));
  ASSERT_TRUE(keys_->SetDisabled(key.id, false).ok());
  EXPECT_TRUE(Active(key.id));
  ASSERT_TRUE(keys_->Expire("app", kKeysNow + 1).ok());
  clock_.AdvanceMs(1);
  EXPECT_FALSE(Active(key.id));
  const auto deleted = keys_->Delete("app");
  ASSERT_TRUE(deleted.ok());
  EXPECT_EQ(*deleted, std::vector<std::string>{key.id});
  EXPECT_EQ(keys_->Find(key.id), nullptr);
  EXPECT_TRUE(records_.stored.empty());
  EXPECT_EQ(keys_->Delete("app").error().kind(), ErrorKind::kNotFound);
}

// Proves the refusals, none of which stores anything.
TEST_F(AccessKeysTest, RefusesWhatCannotBeAKey) {
  const auto kind_of = [&](const AccessKeys::NewKey& described) {
    const auto created = keys_->Create(described);
    return created.ok() ? ErrorKind::kInternal : created.error().kind();
  };
  EXPECT_EQ(kind_of({.name = "", .document = {}, .expires_ms = {}}), ErrorKind::kValidation);
  EXPECT_EQ(kind_of({.name = "a b", .document = {}, .expires_ms = {}}), ErrorKind::kValidation);
  EXPECT_EQ(kind_of({.name = "a", .policy = "god", .document = {}, .expires_ms = {}}),
            ErrorKind::kValidation);
  EXPECT_EQ(kind_of({.name = "a", .policy = "custom", .document = "{", .expires_ms = {}}),
            ErrorKind::kValidation);
  EXPECT_TRUE(records_.stored.empty());
  Create("one");
  EXPECT_EQ(kind_of({.name = "one", .document = {}, .expires_ms = {}}), ErrorKind::kInUse);
  Create("two");
  Create("three");
  EXPECT_EQ(kind_of({.name = "four", .document = {}, .expires_ms = {}}), ErrorKind::kLimitExceeded);
}

// Proves that a key is not used, or given up, unless that is stored.
TEST_F(AccessKeysTest, NothingChangesThatIsNotStored) {
  const AccessKey key = Create("app");
  records_.error = Error(ErrorKind::kUnavailable, "The disk is nearly full.");
  EXPECT_FALSE(keys_->Delete("app").ok());
  EXPECT_FALSE(keys_->SetDisabled("app", true).ok());
  EXPECT_TRUE(Active(key.id));
  EXPECT_FALSE(keys_->Create({.name = "b", .document = {}, .expires_ms = {}}).ok());
  EXPECT_EQ(keys_->List().size(), 1U);
}

// Proves that a damaged record is an error that names the key, not a key that is missing.
TEST_F(AccessKeysTest, ADamagedKeyIsAnError) {
  records_.stored["access-key/AKIAX"] = R"({"name":"app"})";
  const auto opened = AccessKeys::Open({}, records_, clock_);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().kind(), ErrorKind::kCorruption);
  EXPECT_THAT(opened.error().message(), HasSubstr("AKIAX"));
}

}  // namespace
}  // namespace tintype::access
