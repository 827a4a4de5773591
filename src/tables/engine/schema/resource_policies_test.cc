#include <gmock/gmock.h>

#include "base/strings.h"
#include "tables/engine/testing/engine_test.h"
#include "tables/language/errors.h"

namespace tintype::tables::engine {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kArn = "arn:aws:dynamodb:us-east-1:000000000000:table/";
constexpr char kNotFound[] = "Resource-based policy not found for the provided ResourceArn: ";

class ResourcePoliciesTest : public EngineTest {
 protected:
  Result<ResourcePolicyResponse> PutPolicy(const std::string& arn, const std::string& document,
                                           std::optional<std::string> expected = {}) {
    PutResourcePolicyRequest request;
    request.arn = arn;
    request.document = document;
    request.expected_revision_id = std::move(expected);
    return Call(&Database::PutResourcePolicy, std::move(request));
  }
  Result<ResourcePolicyResponse> DeletePolicy(const std::string& arn,
                                              std::optional<std::string> expected = {}) {
    return Call(&Database::DeleteResourcePolicy,
                DeleteResourcePolicyRequest{arn, std::move(expected)});
  }
  /// The document, or the error's message.
  std::string PolicyOf(const std::string& arn) {
    const auto got = Call(&Database::GetResourcePolicy, GetResourcePolicyRequest{arn});
    return got.ok() ? got->policy.document : got.error().message();
  }
  void SetStream(const std::string& table, std::optional<StreamView> view) {
    UpdateTableRequest update;
    update.table = table;
    update.stream = view;
    ASSERT_TRUE(Call(&Database::UpdateTable, update).ok());
  }
  std::string StreamArnOf(const std::string& table) {
    return Description(table).stream_arn.value_or("");
  }
};

// Proves that a policy is put, replaced and deleted, by its revision when one is expected, and that
// later revisions are greater.
TEST_F(ResourcePoliciesTest, PutsAndDeletesByRevision) {
  Create(Table("t"));
  const std::string arn = StrCat(kArn, "t");
  EXPECT_EQ(PolicyOf(arn), kNotFound + arn);
  EXPECT_EQ(DeletePolicy(arn)->revision_id, std::nullopt);
  EXPECT_EQ(DeletePolicy(arn, "7").error().reason(), reasons::kPolicyNotFound);
  EXPECT_EQ(DeletePolicy(arn, "NO_POLICY").error().message(),
            StrCat(kNotFound,
                   "Requested update for policy with revision id NO_POLICY, but no policy is "
                   "associated to target table t."));
  EXPECT_EQ(PutPolicy(arn, "one", "7").error().message(),
            StrCat(kNotFound,
                   "Requested update for policy with revision id 7, but no policy is "
                   "associated to target table t."));

  const std::string first = *PutPolicy(arn, "one", "NO_POLICY")->revision_id;
  EXPECT_EQ(PolicyOf(arn), "one");
  EXPECT_EQ(PutPolicy(arn, "one")->revision_id, first);
  EXPECT_EQ(PutPolicy(arn, "two", "NO_POLICY").error().message(),
            StrCat(kNotFound,
                   "Requested policy update expecting none to be present for table t, "
                   "but a policy exists with revision id ",
                   first, "."));
  const std::string second = *PutPolicy(arn, "two", first)->revision_id;
  EXPECT_GT(second, first);
  const auto stale = PutPolicy(arn, "three", first);
  EXPECT_EQ(stale.error().reason(), reasons::kPolicyNotFound);
  EXPECT_EQ(stale.error().message(),
            StrCat(kNotFound, "Requested update for policy with revision id ", first,
                   ", but the policy associated to target table t has revision id ", second, "."));
  EXPECT_EQ(DeletePolicy(arn, first).error().reason(), reasons::kPolicyNotFound);
  EXPECT_EQ(DeletePolicy(arn, "NO_POLICY").error().reason(), reasons::kPolicyNotFound);
  EXPECT_EQ(PolicyOf(arn), "two");
  EXPECT_EQ(DeletePolicy(arn, second)->revision_id, second);
  EXPECT_EQ(PolicyOf(arn), kNotFound + arn);
}

// Proves that no two policies have the same revision, so that whoever expects one that is gone does
// not change another: not in one moment, nor when the clock goes back, after a restart or in a
// table that was made anew.
TEST_F(ResourcePoliciesTest, RevisionsAreNeverUsedAgain) {
  Create(Table("t"));
  const std::string arn = StrCat(kArn, "t");
  std::string last;
  const auto expect_later = [&](const std::string& document) {
    const auto put = PutPolicy(arn, document, "NO_POLICY");
    ASSERT_TRUE(put.ok()) << put.error().message();
    EXPECT_GT(*put->revision_id, last);
    last = *put->revision_id;
    EXPECT_TRUE(DeletePolicy(arn, last).ok());
  };
  expect_later("one");
  expect_later("two");
  clock_.AdvanceMs(-kHourMs);
  expect_later("three");
  Open();
  expect_later("four");

  ASSERT_TRUE(Call(&Database::DeleteTable, DeleteTableRequest{"t"}).ok());
  CreateTableRequest request = Table("t");
  request.resource_policy = "five";
  Create(request);
  const auto got = Call(&Database::GetResourcePolicy, GetResourcePolicyRequest{arn});
  ASSERT_TRUE(got.ok()) << got.error().message();
  EXPECT_GT(got->policy.revision_id, last);
  EXPECT_EQ(DeletePolicy(arn, last).error().reason(), reasons::kPolicyNotFound);
}

// Proves that what is neither a table nor a stream of ours has no policy, in AWS's words.
TEST_F(ResourcePoliciesTest, RefusesOtherResources) {
  Create(Table("t"));
  const auto message = [&](std::string_view arn) {
    return PutPolicy(std::string(arn), "one").error().message();
  };
  EXPECT_EQ(message(StrCat(kArn, "none")), "Requested resource not found: Table: none not found");
  EXPECT_EQ(message(StrCat(kArn, "t/stream/x")),
            StrCat("Requested resource not found: Stream: ", kArn, "t/stream/x not found"));
  for (const std::string& arn : {StrCat(kArn, "t/index/i"), StrCat(kArn, "t/backup/1"),
                                 std::string("arn:aws:s3:::t"), std::string("t")}) {
    EXPECT_THAT(message(arn), HasSubstr("Invalid ResourceArn provided as input " + arn));
  }
  const auto foreign = PutPolicy("arn:aws:dynamodb:us-east-1:111111111111:table/t", "one");
  EXPECT_EQ(foreign.error().kind(), ErrorKind::kAccessDenied);
}

// Proves that policies survive a restart, and what decisions ask of them does too; and that a table
// that is deleted takes its policy along.
TEST_F(ResourcePoliciesTest, SurvivesARestartAndGoesWithItsTable) {
  EXPECT_EQ(database_->PolicyOfTable("t"), nullptr);
  CreateTableRequest request = Table("t");
  request.resource_policy = "of the table";
  request.definition.stream = StreamView::kKeysOnly;
  Create(request);
  const std::string arn = StrCat(kArn, "t");
  const std::string stream = StreamArnOf("t");
  ASSERT_TRUE(PutPolicy(stream, "of the stream").ok());
  Open();
  EXPECT_EQ(PolicyOf(arn), "of the table");
  EXPECT_EQ(PolicyOf(stream), "of the stream");
  ASSERT_NE(database_->PolicyOfTable("t"), nullptr);
  EXPECT_EQ(database_->PolicyOfTable("t")->document, "of the table");
  EXPECT_EQ(database_->PolicyOfTable("t"), database_->PolicyOfTable("t"));
  EXPECT_EQ(database_->PolicyOfStream(stream)->document, "of the stream");
  EXPECT_EQ(database_->PolicyOfStream(arn), nullptr);

  ASSERT_TRUE(Call(&Database::DeleteTable, DeleteTableRequest{"t"}).ok());
  EXPECT_EQ(database_->PolicyOfTable("t"), nullptr);
  Create(Table("t"));
  EXPECT_EQ(PolicyOf(arn), kNotFound + arn);
}

// Proves that a stream keeps its policy while it can be read, table or no table, and that the next
// stream of the table has none.
TEST_F(ResourcePoliciesTest, BelongsToOneStream) {
  CreateTableRequest request = Table("t");
  request.definition.stream = StreamView::kKeysOnly;
  Create(request);
  const std::string first = StreamArnOf("t");
  ASSERT_TRUE(PutPolicy(first, "one").ok());
  SetStream("t", std::nullopt);
  EXPECT_EQ(PolicyOf(first), "one");
  clock_.AdvanceMs(kSecondMs);
  SetStream("t", StreamView::kNewImage);
  const std::string second = StreamArnOf("t");
  ASSERT_NE(first, second);
  EXPECT_EQ(PolicyOf(second), kNotFound + second);
  EXPECT_EQ(database_->PolicyOfStream(second), nullptr);
  ASSERT_TRUE(PutPolicy(first, "changed").ok());
  Open();
  EXPECT_EQ(database_->PolicyOfStream(first)->document, "changed");
  ASSERT_TRUE(Call(&Database::DeleteTable, DeleteTableRequest{"t"}).ok());
  EXPECT_EQ(PolicyOf(first), "changed");
  EXPECT_THAT(PutPolicy(first, "x", "NO_POLICY").error().message(),
              HasSubstr("for stream " + first + ", but a policy exists"));
  ASSERT_TRUE(DeletePolicy(first).ok());
  EXPECT_EQ(database_->PolicyOfStream(first), nullptr);
}

// Proves that a restored table has no policy, as in AWS, whoever may read its source.
TEST_F(ResourcePoliciesTest, IsNotRestored) {
  CreateTableRequest request = Table("t");
  request.resource_policy = "one";
  Create(request);
  UpdateContinuousBackupsRequest recovery;
  recovery.table = "t";
  recovery.recovery = true;
  ASSERT_TRUE(Call(&Backups::UpdateContinuousBackups, recovery).ok());
  clock_.AdvanceMs(10 * kSecondMs);
  RestoreTableToPointInTimeRequest restore;
  restore.source_table = "t";
  restore.target_table = "copy";
  ASSERT_TRUE(Call(&Backups::RestoreTableToPointInTime, restore).ok());
  ASSERT_TRUE(BecomesActive("copy"));
  EXPECT_EQ(PolicyOf(StrCat(kArn, "copy")), StrCat(kNotFound, kArn, "copy"));
  EXPECT_EQ(PolicyOf(StrCat(kArn, "t")), "one");
}

}  // namespace
}  // namespace tintype::tables::engine
