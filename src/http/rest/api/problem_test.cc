#include "http/rest/api/problem.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/strings.h"
#include "contract/contract.h"

namespace tintype::http::rest {
namespace {

// Proves that a client is not told to log in, nor whom the server calls, when another service
// refuses the server's own key.
TEST(ProblemTest, RefusalsOfTheServerAreNoClientsBusiness) {
  for (const Reason& reason :
       {Reason(ErrorKind::kUnauthenticated), Reason(ErrorKind::kAccessDenied),
        Reason(ErrorKind::kUnauthenticated, "UnrecognizedClient")}) {
    const Problem problem = ProblemOf(Error(reason, "The user arn:example may not do this."));
    EXPECT_EQ(problem.status, 500) << reason.name;
    EXPECT_EQ(problem.code, "Internal") << reason.name;
    EXPECT_EQ(problem.detail.find("arn:"), std::string::npos) << problem.detail;
  }
}

// Proves that a transaction that lost to others too often is told in the API's words.
TEST(ProblemTest, TransactionsAreNoClientsBusiness) {
  const Problem problem =
      ProblemOf(Error(ErrorKind::kAborted, "Transaction cancelled [None, TransactionConflict]"));
  EXPECT_EQ(problem.status, 503);
  EXPECT_EQ(problem.detail, "Others are changing the same thing. Try again.");
}

// Proves that the contract has every code but those of signed links and of methods that a path does
// not take, which are for no operation.
TEST(ProblemTest, CodesAreInTheContract) {
  const std::set<std::string_view> elsewhere = {"PreconditionFailed", "RangeNotSatisfiable",
                                                "CannotResize", "MethodNotAllowed"};
  for (const ProblemRow& row : ProblemRows()) {
    const bool found =
        contract::ContractText().find(StrCat("\"", row.code, "\"")) != std::string_view::npos;
    EXPECT_TRUE(found || elsewhere.contains(row.code)) << row.code;
  }
}

}  // namespace
}  // namespace tintype::http::rest
