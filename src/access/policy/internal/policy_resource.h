#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tintype::access::internal {

/// What a policy can be attached to.
enum class ResourceKind : uint8_t { kTable, kStream };

/// What a policy is attached to, taken apart.
struct PolicyResource {
  ResourceKind kind = ResourceKind::kTable;
  std::string arn;
  std::string account;

  /// Nothing for an ARN of anything else.
  static std::optional<PolicyResource> FromArn(std::string_view arn);

  /// Whether a text of `Resource`, wildcards and variables included, can mean it, or an index of
  /// it.
  bool CanBeMeantBy(std::string_view pattern) const;
};

/// Whether a policy of such a resource can be about an action, which is in lower case. These are
/// the actions that AWS's guide lists for policies of tables with their indexes, and of streams:
/// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/rbac-iam-actions.html
bool IsActionOn(ResourceKind kind, std::string_view action);

/// The same for a text of `Action`, in lower case: whether it means any such action.
bool MeansActionOn(ResourceKind kind, std::string_view pattern);

}  // namespace tintype::access::internal
