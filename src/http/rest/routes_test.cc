#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <tuple>

#include "contract/contract.h"
#include "http/rest/api/api.h"
#include "http/rest/protocol/low_disk.h"

namespace tintype::http::rest {
namespace {

using Row = std::tuple<std::string_view, std::string_view, std::string_view>;

// The route table and the contract have the same operations: what one has more is what differs
// here.
TEST(RoutesTest, AreTheOperationsOfTheContract) {
  std::set<Row> routes;
  for (const Route& route : Routes()) {
    EXPECT_TRUE(routes.emplace(route.operation_id, route.method, route.path).second);
  }
  std::set<Row> operations;
  for (const contract::Operation& each : contract::Operations()) {
    EXPECT_TRUE(operations.emplace(each.id, each.method, each.path).second);
  }
  EXPECT_EQ(routes, operations);
}

// A route that takes its body as it arrives has one in the contract, and any other one that takes a
// body takes JSON.
TEST(RoutesTest, TakeTheBodiesOfTheContract) {
  for (const Route& route : Routes()) {
    const contract::Operation& operation = contract::OperationOf(route.operation_id);
    EXPECT_EQ(operation.takes_body, route.take_body != nullptr || operation.json != nullptr)
        << route.operation_id;
  }
}

// On a nearly full disk, what changes something and removes nothing waits, but for what is listed:
// sign-in, what undoes sharing and deleting, and uploads, which look at the disk themselves.
TEST(RoutesTest, FewGoOnLowOnDisk) {
  std::set<std::string_view> go_on;
  for (const Route& route : Routes()) {
    const bool changes = route.method == "POST" || route.method == "PUT" || route.method == "PATCH";
    const bool goes_on = GoesOnLowOnDisk(route.method, route.operation_id);
    EXPECT_TRUE(changes || goes_on) << route.operation_id;
    if (changes && goes_on) {
      go_on.insert(route.operation_id);
    }
  }
  EXPECT_EQ(go_on, (std::set<std::string_view>{"logIn", "beginOutsideSignIn", "finishOutsideSignIn",
                                               "refresh", "logOut", "changePassword", "setPassword",
                                               "deleteMe", "makeLink", "unshareImage",
                                               "restoreImage", "createUpload", "createDirectUpload",
                                               "putUploadContent", "uploadImage", "appendUpload"}));
}

}  // namespace
}  // namespace tintype::http::rest
