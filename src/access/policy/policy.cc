#include "access/policy/policy.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "access/policy/internal/compiled_policy.h"
#include "access/policy/internal/policy_parser.h"
#include "access/policy/internal/policy_resource.h"
#include "base/check.h"
#include "base/strings.h"

namespace tintype::access {
namespace {

using internal::IsActionOn;
using internal::Statement;

/// An action in lower case. All actions that there are fit without allocating.
class LowerAction {
 public:
  explicit LowerAction(std::string_view action) {
    char* lower = short_.data();
    if (action.size() > short_.size()) {
      long_.resize(action.size());
      lower = long_.data();
    }
    std::ranges::transform(action, lower, ToLower);
    text_ = std::string_view(lower, action.size());
  }
  LowerAction(const LowerAction&) = delete;
  LowerAction& operator=(const LowerAction&) = delete;

  std::string_view text() const { return text_; }

 private:
  std::array<char, 64> short_;
  std::string long_;
  std::string_view text_;
};

}  // namespace

Policy::Policy(std::shared_ptr<const internal::CompiledPolicy> compiled)
    : compiled_(std::move(compiled)) {}

Result<Policy> Policy::Parse(std::string_view document) {
  ASSIGN_OR_RETURN(auto compiled, internal::ParsePolicy(document, std::nullopt));
  return Policy(std::move(compiled));
}

Result<Policy> Policy::ParseForResource(std::string_view document, std::string_view resource_arn) {
  const std::optional<internal::PolicyResource> resource =
      internal::PolicyResource::FromArn(resource_arn);
  CHECK(resource);
  ASSIGN_OR_RETURN(auto compiled, internal::ParsePolicy(document, resource));
  return Policy(std::move(compiled));
}

bool IsPolicyResource(std::string_view arn) {
  return internal::PolicyResource::FromArn(arn).has_value();
}

PolicyDecision Policy::Evaluate(const PolicyRequest& request) const {
  const LowerAction action(request.action);
  if (compiled_->resource_kind && !IsActionOn(*compiled_->resource_kind, action.text())) {
    return {};
  }
  internal::RequestValues values(request.context);
  const auto applies = [&](const Statement& statement) {
    return statement.Applies(action.text(), request.resource, values);
  };
  const auto decide = [&](Verdict verdict, const Statement& statement) {
    return PolicyDecision{verdict, statement.number, statement.sid};
  };
  const auto denial = std::ranges::find_if(compiled_->denials, applies);
  if (denial != compiled_->denials.end()) {
    return decide(Verdict::kDeniedExplicitly, *denial);
  }
  const auto allowance = std::ranges::find_if(compiled_->allowances, applies);
  if (allowance != compiled_->allowances.end()) {
    return decide(Verdict::kAllowed, *allowance);
  }
  return {};
}

std::string_view Policy::document() const { return compiled_->document; }

bool Policy::Uses(ConditionKey key) const {
  return (compiled_->keys >> static_cast<unsigned>(key) & 1) != 0;
}

PolicyDecision Evaluate(std::span<const Policy> policies, const PolicyRequest& request) {
  PolicyDecision decision;
  for (const Policy& policy : policies) {
    const PolicyDecision one = policy.Evaluate(request);
    if (one.verdict == Verdict::kDeniedExplicitly) {
      return one;
    }
    if (!decision.allowed()) {
      decision = one;
    }
  }
  return decision;
}

}  // namespace tintype::access
