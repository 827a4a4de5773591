#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/policy/internal/condition.h"
#include "access/policy/internal/pattern_set.h"
#include "access/policy/internal/policy_resource.h"

namespace tintype::access::internal {

/// Whom a statement of a resource's policy names.
struct Principals {
  bool everybody = false;          ///< `*`: every access key.
  bool account = false;            ///< By its number, or as `arn:aws:iam::NUMBER:root`.
  std::vector<std::string> users;  ///< The names of access keys, in order.
};

/// One statement, compiled.
struct Statement {
  std::string sid;
  /// Absent in the policy of an access key, which is about that key.
  std::optional<Principals> principals;
  /// In lower case: actions are compared without regard to case.
  PatternSet actions;
  PatternSet resources;
  std::vector<Condition> conditions;
  uint32_t number = 0;  ///< In the document, from 1.
  Effect effect = Effect::kDeny;
  // Whether it is about all but those above; of principals only in a denial.
  bool not_principal = false;
  bool not_action = false;
  bool not_resource = false;

  /// `action` is in lower case.
  bool Applies(std::string_view action, std::string_view resource, RequestValues& values) const;

 private:
  /// Whether it is about the access key of that name. REQUIRES: principals.
  bool IsAbout(std::string_view user) const;
};

struct CompiledPolicy {
  std::string document;
  /// What it is attached to; absent for the policy of an access key.
  std::optional<ResourceKind> resource_kind;
  std::vector<Statement> denials;
  std::vector<Statement> allowances;
  /// The condition keys that any statement reads, as bits.
  uint32_t keys = 0;
};

}  // namespace tintype::access::internal
