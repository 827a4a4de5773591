#pragma once

#include <iostream>
#include <string>
#include <string_view>
#include <utility>

#include "access/policy/policy.h"
#include "base/check.h"
#include "base/strings.h"

/// What the tests of policies share.
namespace tintype::access::internal {

inline constexpr std::string_view kTestTable =
    "arn:aws:dynamodb:us-east-1:000000000000:table/GameScores";
inline constexpr std::string_view kTestIndex =
    "arn:aws:dynamodb:us-east-1:000000000000:table/GameScores/index/TopScoreDateTimeIndex";

inline Policy TestPolicy(std::string_view document) {
  Result<Policy> policy = Policy::Parse(document);
  if (!policy.ok()) {
    std::cerr << policy.error().message() << "\n" << document << "\n";
  }
  CHECK(policy.ok());
  return *std::move(policy);
}

inline Verdict Decide(const Policy& policy, std::string_view action, std::string_view resource,
                      const PolicyContext& context = {}) {
  return policy.Evaluate({action, resource, context}).verdict;
}

/// A policy of one statement, on every action and resource, under a condition.
inline Policy TestConditionPolicy(std::string_view effect, std::string_view condition) {
  return TestPolicy(StrCat(R"({"Version":"2012-10-17","Statement":{"Effect":")", effect,
                           R"(","Action":"*","Resource":"*","Condition":)", condition, "}}"));
}

/// Whether a condition lets an Allow apply.
inline bool Allows(std::string_view condition, const PolicyContext& context) {
  return Decide(TestConditionPolicy("Allow", condition), "dynamodb:GetItem", kTestTable, context) ==
         Verdict::kAllowed;
}

/// Whether a condition lets a Deny apply.
inline bool Denies(std::string_view condition, const PolicyContext& context) {
  return Decide(TestConditionPolicy("Deny", condition), "dynamodb:GetItem", kTestTable, context) ==
         Verdict::kDeniedExplicitly;
}

}  // namespace tintype::access::internal
