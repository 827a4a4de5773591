#include "contract/contract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

namespace tintype::contract {
namespace {

TEST(ContractTest, IsServedAsItIsCheckedIn) {
  std::ifstream file(TINTYPE_CONTRACT);
  ASSERT_TRUE(file);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(text, ContractText());
}

TEST(ContractTest, TellsBodiesApart) {
  EXPECT_THAT(OperationOf("listSimilarImages").query,
              ::testing::UnorderedElementsAre("limit", "distance"));
  EXPECT_THAT(OperationOf("getMe").query, ::testing::IsEmpty());
  const Fields* job = OperationOf("createJob").json;
  ASSERT_NE(job, nullptr);
  ASSERT_EQ(job->members.size(), 3U);
  const auto operations = std::ranges::find(job->members, "operations", &Fields::Member::name);
  ASSERT_NE(operations, job->members.end());
  ASSERT_NE(operations->fields, nullptr);
  ASSERT_EQ(operations->fields->kind, Fields::Kind::kList);
  EXPECT_EQ(operations->fields->members[0].fields->discriminator, "op");
  EXPECT_NE(OperationOf("uploadImage").form, nullptr);
  EXPECT_EQ(OperationOf("uploadImage").json, nullptr);
}

}  // namespace
}  // namespace tintype::contract
