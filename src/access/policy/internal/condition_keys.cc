#include "access/policy/internal/condition_keys.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"

namespace tintype::access::internal {
namespace {

constexpr std::array<std::pair<std::string_view, ConditionKey>, 18> kConditionKeys{{
    {"dynamodb:LeadingKeys", ConditionKey::kLeadingKeys},
    {"dynamodb:Attributes", ConditionKey::kAttributes},
    {"dynamodb:Select", ConditionKey::kSelect},
    {"dynamodb:ReturnValues", ConditionKey::kReturnValues},
    {"dynamodb:ReturnConsumedCapacity", ConditionKey::kReturnConsumedCapacity},
    {"dynamodb:EnclosingOperation", ConditionKey::kEnclosingOperation},
    {"dynamodb:FullTableScan", ConditionKey::kFullTableScan},
    {"aws:SourceIp", ConditionKey::kSourceIp},
    {"aws:CurrentTime", ConditionKey::kCurrentTime},
    {"aws:EpochTime", ConditionKey::kEpochTime},
    {"aws:SecureTransport", ConditionKey::kSecureTransport},
    {"aws:username", ConditionKey::kUsername},
    {"aws:userid", ConditionKey::kUserId},
    {"aws:PrincipalArn", ConditionKey::kPrincipalArn},
    {"aws:PrincipalType", ConditionKey::kPrincipalType},
    {"aws:PrincipalAccount", ConditionKey::kPrincipalAccount},
    {"aws:UserAgent", ConditionKey::kUserAgent},
    {"aws:RequestedRegion", ConditionKey::kRequestedRegion},
}};
static_assert(kConditionKeys.size() == static_cast<size_t>(ConditionKey::kUnknown));

bool IsLetterOrDigit(char c) {
  const char lower = ToLower(c);
  return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
}

}  // namespace

bool IsConditionKey(std::string_view name) {
  const size_t colon = name.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == name.size()) {
    return false;
  }
  const auto in_service = [](char c) { return IsLetterOrDigit(c) || c == '-' || c == '.'; };
  const auto in_name = [](char c) {
    return IsLetterOrDigit(c) || std::string_view("-._:/=+@").find(c) != std::string_view::npos;
  };
  return std::ranges::all_of(name.substr(0, colon), in_service) &&
         std::ranges::all_of(name.substr(colon + 1), in_name);
}

ConditionKey ConditionKeyOf(std::string_view name) {
  const auto* const found = std::ranges::find_if(
      kConditionKeys, [&](const auto& known) { return EqualsIgnoreCase(known.first, name); });
  return found == kConditionKeys.end() ? ConditionKey::kUnknown : found->second;
}

}  // namespace tintype::access::internal
