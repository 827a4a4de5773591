#include "access/policy/internal/request_values.h"

#include "base/time_text.h"

namespace tintype::access::internal {
namespace {

using Values = std::span<const std::string_view>;

Values One(const std::string_view& text) { return text.empty() ? Values() : Values(&text, 1); }

Values TrueOrFalse(const std::optional<bool>& value) {
  static constexpr std::string_view kTrue = "true";
  static constexpr std::string_view kFalse = "false";
  return value ? Values(*value ? &kTrue : &kFalse, 1) : Values();
}

/// Rounded down, before 1970 too.
int64_t Seconds(int64_t ms) { return ms / 1000 - (ms % 1000 < 0 ? 1 : 0); }

}  // namespace

std::span<const std::string_view> RequestValues::Texts(ConditionKey key) {
  switch (key) {
    case ConditionKey::kLeadingKeys:
      return context_.leading_keys;
    case ConditionKey::kAttributes:
      return context_.attributes;
    case ConditionKey::kSelect:
      return One(context_.select);
    case ConditionKey::kReturnValues:
      return One(context_.return_values);
    case ConditionKey::kReturnConsumedCapacity:
      return One(context_.return_consumed_capacity);
    case ConditionKey::kEnclosingOperation:
      return One(context_.enclosing_operation);
    case ConditionKey::kFullTableScan:
      return TrueOrFalse(context_.full_table_scan);
    case ConditionKey::kSourceIp:
      return One(context_.source_ip);
    case ConditionKey::kCurrentTime:
      if (context_.now_ms && current_time_.view.empty()) {
        current_time_.text = TimeText(*context_.now_ms);
        current_time_.view = current_time_.text;
      }
      return One(current_time_.view);
    case ConditionKey::kEpochTime:
      if (context_.now_ms && epoch_time_.view.empty()) {
        epoch_time_.text = std::to_string(Seconds(*context_.now_ms));
        epoch_time_.view = epoch_time_.text;
      }
      return One(epoch_time_.view);
    case ConditionKey::kSecureTransport:
      return TrueOrFalse(context_.secure_transport);
    case ConditionKey::kUsername:
      return One(context_.username);
    case ConditionKey::kUserId:
      return One(context_.user_id);
    case ConditionKey::kPrincipalArn:
      return One(context_.principal_arn);
    case ConditionKey::kPrincipalType:
      return One(context_.principal_type);
    case ConditionKey::kPrincipalAccount:
      return One(context_.principal_account);
    case ConditionKey::kUserAgent:
      return One(context_.user_agent);
    case ConditionKey::kRequestedRegion:
      return One(context_.requested_region);
    case ConditionKey::kUnknown:
      break;
  }
  return {};
}

std::optional<std::string_view> RequestValues::Variable(ConditionKey key) {
  if (key == ConditionKey::kLeadingKeys || key == ConditionKey::kAttributes) {
    return std::nullopt;
  }
  const auto texts = Texts(key);
  return texts.empty() ? std::nullopt : std::optional(texts.front());
}

std::optional<int64_t> RequestValues::Time(ConditionKey key) const {
  if (!IsTime(key) || !context_.now_ms) {
    return std::nullopt;
  }
  return key == ConditionKey::kCurrentTime ? *context_.now_ms : Seconds(*context_.now_ms) * 1000;
}

const std::optional<Address>& RequestValues::SourceIp() {
  if (!source_ip_known_) {
    source_ip_ = ParseAddress(context_.source_ip);
    source_ip_known_ = true;
  }
  return source_ip_;
}

}  // namespace tintype::access::internal
