#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <tuple>

#include "http/rest/api/api.h"
#include "http/rest/contract/contract.h"
#include "json/value.h"

namespace tintype::http::rest {
namespace {

using Row = std::tuple<std::string_view, std::string_view, std::string_view, bool>;

// The route table and the contract have the same operations, for the same callers: what one has
// more is what differs here.
TEST(RoutesTest, AreTheOperationsOfTheContract) {
  std::set<Row> routes;
  for (const Route& route : Routes()) {
    const bool needs_account = route.access == Access::kAccount;
    EXPECT_TRUE(routes.emplace(route.operation_id, route.method, route.path, needs_account).second);
  }
  std::set<Row> operations;
  for (const Operation& each : Operations()) {
    EXPECT_TRUE(operations.emplace(each.id, each.method, each.path, each.needs_account).second);
  }
  EXPECT_EQ(routes, operations);
}

// A route that takes its body as it arrives has one in the contract, and any other one that takes a
// body takes JSON.
TEST(RoutesTest, TakeTheBodiesOfTheContract) {
  for (const Route& route : Routes()) {
    const Operation& operation = OperationOf(route.operation_id);
    EXPECT_EQ(operation.takes_body, route.take_body != nullptr || operation.json != nullptr)
        << route.operation_id;
  }
}

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
}  // namespace tintype::http::rest
