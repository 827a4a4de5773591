#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "access/policy/context.h"
#include "access/policy/internal/address_range.h"

namespace tintype::access::internal {

/// A request's context as conditions and variables read it: any key by any type. Made for one
/// evaluation. Values that have to be spelled out or taken apart are, when first asked for.
class RequestValues {
 public:
  /// `context` has to outlive this.
  explicit RequestValues(const PolicyContext& context) : context_(context) {}

  bool Has(ConditionKey key) {
    return IsTime(key) ? context_.now_ms.has_value() : !Texts(key).empty();
  }

  /// The key's values; none when it is absent.
  std::span<const std::string_view> Texts(ConditionKey key);

  /// What a policy variable stands for. Nothing when the key is absent, or has several values by
  /// its nature: AWS has no value for such a variable either.
  std::optional<std::string_view> Variable(ConditionKey key);

  /// Of keys that are times: milliseconds since the Unix epoch.
  std::optional<int64_t> Time(ConditionKey key) const;

  /// Of `aws:SourceIp`; nothing when it is absent or no address.
  const std::optional<Address>& SourceIp();

 private:
  static bool IsTime(ConditionKey key) {
    return key == ConditionKey::kCurrentTime || key == ConditionKey::kEpochTime;
  }

  struct Spelled {
    std::string text;
    std::string_view view;
  };

  const PolicyContext& context_;
  // One for each, since a condition may compare one with the other.
  Spelled current_time_;
  Spelled epoch_time_;
  std::optional<Address> source_ip_;
  bool source_ip_known_ = false;
};

}  // namespace tintype::access::internal
