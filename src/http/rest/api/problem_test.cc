#include "http/rest/api/problem.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/rate_limited.h"
#include "base/retry.h"
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

// Proves that the contract has every code but those of signed links, of methods that a path does
// not take, and of requests for other servers, which are for no operation.
TEST(ProblemTest, CodesAreInTheContract) {
  const std::set<std::string_view> elsewhere = {"PreconditionFailed", "RangeNotSatisfiable",
                                                "CannotResize",       "MethodNotAllowed",
                                                "UnknownHost",        "ForeignOrigin"};
  for (const ProblemRow& row : ProblemRows()) {
    const bool found =
        contract::ContractText().find(StrCat("\"", row.code, "\"")) != std::string_view::npos;
    EXPECT_TRUE(found || elsewhere.contains(row.code)) << row.code;
  }
}

std::map<std::string, std::string> HeadersOf(const Response& response) {
  std::map<std::string, std::string> headers;
  for (const auto& [name, value] : response.headers) {
    EXPECT_TRUE(headers.emplace(name, value).second) << name << " is there twice";
  }
  return headers;
}

// Proves that whoever is told to come back is told when, once, and by which limit.
TEST(ProblemTest, TellsWhenToComeBack) {
  const Error limited = Error(ErrorKind::kLimitExceeded, "Too many.")
                            .WithDetail(std::make_shared<RateLimited>(7, "uploads", 600, 60));
  auto headers = HeadersOf(ProblemResponse(limited, "id"));
  EXPECT_EQ(headers["Retry-After"], "7");
  EXPECT_EQ(headers["RateLimit-Policy"], R"("uploads";q=600;w=60)");
  EXPECT_EQ(headers["RateLimit"], R"("uploads";r=0;t=7)");

  headers = HeadersOf(ProblemResponse(Error(ErrorKind::kLimitExceeded, "Too many."), "id"));
  EXPECT_EQ(headers["Retry-After"], "10");
  EXPECT_EQ(headers["RateLimit"], R"("requests";r=0;t=10)");

  const Error busy =
      Error(ErrorKind::kOverloaded, "Busy.").WithDetail(std::make_shared<RetryAfter>(3));
  headers = HeadersOf(ProblemResponse(busy, "id"));
  EXPECT_EQ(headers["Retry-After"], "3");
  EXPECT_FALSE(headers.contains("RateLimit"));
  headers = HeadersOf(ProblemResponse(ServerBusy(), "id"));
  EXPECT_EQ(headers["Retry-After"], "1");
  headers = HeadersOf(ProblemResponse(Error::NotFound("Nothing."), "id"));
  EXPECT_FALSE(headers.contains("Retry-After"));
}

}  // namespace
}  // namespace tintype::http::rest
