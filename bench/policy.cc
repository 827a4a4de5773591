// Measures how long the decision of a compiled policy takes, in process and on one thread, and
// prints it as a table. bench/policy calls it.
//
//   bench_policy [REPEATS]
//
// Ends with 1 when a decision is not the expected one, or its median takes longer than the promise.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "access/policy/builtin_policies.h"
#include "access/policy/policy.h"
#include "base/check.h"
#include "base/numbers.h"
#include "base/strings.h"

namespace tintype::bench {
namespace {

using access::Policy;
using access::PolicyContext;
using access::Verdict;

constexpr double kPromiseNs = 800;

constexpr std::string_view kIngest =
    "arn:aws:dynamodb:us-east-1:000000000000:table/so0050-dev-ingest";

/// media2cloud's policy, as its design prints it.
constexpr std::string_view kDocument = R"({
  "Version": "2012-10-17",
  "Statement": [{
    "Effect": "Allow",
    "Action": ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:Query"],
    "Resource": [
      "arn:aws:dynamodb:us-east-1:000000000000:table/so0050-dev-ingest",
      "arn:aws:dynamodb:us-east-1:000000000000:table/so0050-dev-ingest/index/*"
    ],
    "Condition": {
      "ForAllValues:StringEquals": {"dynamodb:Attributes": ["uuid", "timestamp", "type"]}
    }
  }]
})";

/// Ten statements: denials that do not apply come first, then allowances, of which the last does.
std::string TenStatements() {
  std::string document = R"({"Version":"2012-10-17","Statement":[
    {"Effect":"Deny","Action":"*","Resource":"*","Condition":{"Bool":{"aws:SecureTransport":"false"}}},
    {"Effect":"Deny","Action":"*","Resource":"*","Condition":{
      "NotIpAddress":{"aws:SourceIp":["10.0.0.0/8","203.0.113.0/24","2001:db8::/32"]}}},
    {"Effect":"Deny","Action":"dynamodb:Delete*","Resource":"*"},
    {"Effect":"Deny","Action":"dynamodb:*","Resource":"arn:aws:dynamodb:*:*:table/tintype*"})";
  for (const std::string_view table : {"albums", "films", "people", "places", "things"}) {
    StrAppend(
        document,
        R"(,{"Effect":"Allow","Action":["dynamodb:GetItem","dynamodb:Query","dynamodb:PutItem"],
                "Resource":["arn:aws:dynamodb:*:*:table/)",
        table, R"(","arn:aws:dynamodb:*:*:table/)", table, R"(/index/*"]})");
  }
  StrAppend(document, R"(,{"Effect":"Allow","Action":"dynamodb:*Item",
      "Resource":"arn:aws:dynamodb:us-east-1:000000000000:table/so0050-*",
      "Condition":{"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["${aws:username}#*"]},
                   "DateLessThan":{"aws:CurrentTime":"2030-01-01"}}}]})");
  return document;
}

struct Measure {
  std::string_view name;
  Policy policy;
  std::string_view action;
  Verdict expected;
};

/// Nanoseconds for a decision, the median of the repeats.
double MedianNs(const Measure& measure, const PolicyContext& context, int repeats) {
  constexpr int kDecisions = 20'000;
  std::vector<double> each;
  for (int i = 0; i < repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    for (int decision = 0; decision < kDecisions; ++decision) {
      const auto decided = measure.policy.Evaluate({measure.action, kIngest, context});
      CHECK(decided.verdict == measure.expected);
    }
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    each.push_back(took.count() / kDecisions);
  }
  std::ranges::nth_element(each, each.begin() + repeats / 2);
  return each[static_cast<size_t>(repeats / 2)];
}

/// The policy of a table: denials for others come first, then what is looked for.
Policy Attached() {
  std::string document = R"({"Version":"2012-10-17","Statement":[)";
  for (const std::string_view name : {"bob", "carol", "dave", "erin"}) {
    StrAppend(document, R"({"Effect":"Deny","Principal":{"AWS":"arn:aws:iam::000000000000:user/)",
              name, R"("},"Action":"dynamodb:*","Resource":"*"},)");
  }
  StrAppend(document,
            R"({"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::000000000000:user/ada"},)",
            R"("Action":["dynamodb:GetItem","dynamodb:Query"],"Resource":[")", kIngest, R"(",")",
            kIngest, R"(/index/*"],"Condition":{"ForAllValues:StringLike":)",
            R"({"dynamodb:LeadingKeys":["${aws:username}#*"]}}}]})");
  Result<Policy> policy = Policy::ParseForResource(document, kIngest);
  CHECK(policy.ok());
  return *std::move(policy);
}

Policy Parsed(std::string_view document) {
  Result<Policy> policy = Policy::Parse(document);
  CHECK(policy.ok());
  return *std::move(policy);
}

int Main(const std::vector<std::string>& arguments) {
  const int repeats = arguments.empty() ? 11 : ParseDigits<int>(arguments[0]).value_or(0);
  if (repeats < 1) {
    std::fprintf(stderr, "usage: see the top of bench/policy.cc\n");
    return 2;
  }
  const std::vector<std::string> product = {"ImageMetadata", "photos",  "sparks",   "x0050-*",
                                            "photoeditor-*", "tintype", "tintype-*"};
  const Measure measures[] = {
      {"media2cloud, allowed", Parsed(kDocument), "dynamodb:GetItem", Verdict::kAllowed},
      {"media2cloud, denied", Parsed(kDocument), "dynamodb:DeleteItem", Verdict::kDeniedByDefault},
      {"10 statements, allowed", Parsed(TenStatements()), "dynamodb:GetItem", Verdict::kAllowed},
      {"10 statements, denied by default", Parsed(TenStatements()), "dynamodb:Scan",
       Verdict::kDeniedByDefault},
      {"10 statements, denied explicitly", Parsed(TenStatements()), "dynamodb:DeleteItem",
       Verdict::kDeniedExplicitly},
      {"admin", Parsed(access::AdminPolicyDocument()), "dynamodb:GetItem", Verdict::kAllowed},
      {"read-only", Parsed(access::ReadOnlyPolicyDocument()), "dynamodb:GetItem",
       Verdict::kAllowed},
      {"tables", Parsed(access::TablesPolicyDocument(product).value()), "dynamodb:GetItem",
       Verdict::kAllowed},
      {"of a table, allowed", Attached(), "dynamodb:GetItem", Verdict::kAllowed},
  };
  const std::string_view attributes[] = {"uuid", "timestamp", "type"};
  const std::string_view keys[] = {"ada#1"};
  PolicyContext context;
  context.attributes = attributes;
  context.leading_keys = keys;
  context.username = "ada";
  context.source_ip = "203.0.113.7";
  context.secure_transport = true;
  context.now_ms = 1'772'323'200'000;
  bool kept = true;
  std::printf("%-34s %s\n", "policy", "ns a decision");
  for (const Measure& measure : measures) {
    const double ns = MedianNs(measure, context, repeats);
    kept = kept && ns < kPromiseNs;
    std::printf("%-34s %.0f%s\n", std::string(measure.name).c_str(), ns,
                ns < kPromiseNs ? "" : " (more than promised)");
  }
  return kept ? 0 : 1;
}

}  // namespace
}  // namespace tintype::bench

int main(int argc, char** argv) { return tintype::bench::Main({argv + 1, argv + argc}); }
