#include <gtest/gtest.h>

#include "tables/language/limits.h"
#include "tables/wire/codec.h"
#include "tables/wire/internal/testing.h"

// Policies of tables and streams, as clients send them.
namespace tintype::tables::wire {
namespace {

using testing::ExpectErrors;

// Proves the constraints of AWS's model.
TEST(ResourcePolicyRequestsTest, ChecksConstraints) {
  const std::string missing =
      "1 validation error detected: Value null at 'resourceArn' failed to satisfy constraint: "
      "Member must not be null";
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"PutResourcePolicy", R"({"Policy":"{}"})", missing},
          {"GetResourcePolicy", "{}", missing},
          {"DeleteResourcePolicy", "{}", missing},
          {"PutResourcePolicy", R"({"ResourceArn":"x"})",
           "1 validation error detected: Value null at 'policy' failed to satisfy constraint: "
           "Member must not be null"},
          {"DeleteResourcePolicy", R"({"ResourceArn":"x","ExpectedRevisionId":""})",
           "1 validation error detected: Value '' at 'expectedRevisionId' failed to satisfy "
           "constraint: Member must have length greater than or equal to 1"},
          {"GetResourcePolicy", R"({"ResourceArn":""})",
           "1 validation error detected: Value '' at 'resourceArn' failed to satisfy constraint: "
           "Member must have length greater than or equal to 1"},
      });
}

// Proves that a document has at most 20 KB, blanks included, also that of a new table.
TEST(ResourcePolicyRequestsTest, LimitsDocuments) {
  const auto put = [](size_t bytes) {
    return DecodePutResourcePolicy(R"({"ResourceArn":"x","Policy":")" + std::string(bytes, ' ') +
                                   "\"}");
  };
  EXPECT_TRUE(put(limits::kResourcePolicyBytes).ok());
  const auto refused = put(limits::kResourcePolicyBytes + 1);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(),
            "One or more parameter values were invalid: Invalid policy document: it has 20481 "
            "bytes, blanks included, and 20480 are the most that a policy can have");
  const auto created = DecodeCreateTable(
      R"({"TableName":"abc","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
      R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST",)"
      R"("ResourcePolicy":")" +
      std::string(limits::kResourcePolicyBytes + 1, ' ') + "\"}");
  ASSERT_FALSE(created.ok());
  EXPECT_EQ(created.error().message(), refused.error().message());
}

}  // namespace
}  // namespace tintype::tables::wire
