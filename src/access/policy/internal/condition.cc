#include "access/policy/internal/condition.h"

#include <algorithm>
#include <compare>
#include <optional>
#include <utility>

#include "access/policy/internal/condition_keys.h"
#include "access/policy/internal/date_text.h"
#include "base/base64.h"
#include "base/strings.h"

namespace tintype::access::internal {
namespace {

bool Compares(std::strong_ordering order, Comparison comparison) {
  switch (comparison) {
    case Comparison::kEqual:
      return order == 0;
    case Comparison::kLess:
      return order < 0;
    case Comparison::kLessOrEqual:
      return order <= 0;
    case Comparison::kGreater:
      return order > 0;
    case Comparison::kGreaterOrEqual:
      return order >= 0;
  }
  return false;
}

/// Strings, ARNs, booleans and binary values are all compared as texts.
bool IsTextual(OperatorType type) {
  return type != OperatorType::kNumeric && type != OperatorType::kDate &&
         type != OperatorType::kAddress && type != OperatorType::kNull;
}

PatternOptions OptionsOf(OperatorType type, bool variables) {
  switch (type) {
    case OperatorType::kStringLike:
      return {.form = PatternForm::kWildcards, .variables = variables};
    case OperatorType::kArn:
      return {.form = PatternForm::kArn, .variables = variables};
    case OperatorType::kStringIgnoreCase:
    case OperatorType::kBool:
      return {.variables = variables, .ignore_case = true};
    case OperatorType::kBinary:
      return {};
    default:
      return {.variables = variables};
  }
}

std::optional<bool> ParseBool(std::string_view text) {
  const bool is_true = EqualsIgnoreCase(text, "true");
  return is_true || EqualsIgnoreCase(text, "false") ? std::optional(is_true) : std::nullopt;
}

Error NotA(std::string_view what, std::string_view text) {
  return Error::Validation(StrCat("\"", text, "\" is not ", what));
}

/// The texts that a value of a textual operator is compared with.
Result<Pattern> CompileText(OperatorType type, const std::string& text, bool variables) {
  std::string spelled = text;
  if (type == OperatorType::kBool && !ParseBool(text) &&
      !(variables && text.find("${") != std::string::npos)) {
    return NotA("\"true\" or \"false\"", text);
  }
  if (type == OperatorType::kBinary) {
    // Binary values of requests come in Base64 too, in the one form that each has.
    const std::optional<std::string> bytes = ParseBase64(text, StrayBits::kIgnored);
    if (!bytes) {
      return NotA("Base64", text);
    }
    spelled = Base64(*bytes);
  }
  return Pattern::Parse(spelled, OptionsOf(type, variables));
}

}  // namespace

Result<Condition> Condition::Compile(const Source& source) {
  Condition condition;
  ASSIGN_OR_RETURN(condition.operator_, ParseOperator(source.operator_name));
  condition.key_ = ConditionKeyOf(source.key);
  const OperatorType type = condition.operator_.type;
  // IAM refuses several booleans: one of two is always true.
  if ((type == OperatorType::kBool || type == OperatorType::kNull) && source.values.size() != 1) {
    return Error::Validation("takes one value, \"true\" or \"false\"");
  }
  ASSIGN_OR_RETURN(condition.expected_, CompileValues(type, source));
  return condition;
}

Result<Condition::Expected> Condition::CompileValues(OperatorType type, const Source& source) {
  PatternSet texts;
  Numbers numbers;
  Dates dates;
  Ranges ranges;
  bool null = false;
  for (const std::string& text : source.values) {
    if (IsTextual(type)) {
      ASSIGN_OR_RETURN(Pattern pattern, CompileText(type, text, source.variables));
      texts.Add(std::move(pattern));
    } else if (type == OperatorType::kNumeric) {
      const Result<tables::Number> number = tables::Number::Parse(text);
      if (!number.ok()) {
        return NotA("a number", text);
      }
      numbers.push_back(*number);
    } else if (type == OperatorType::kDate) {
      const std::optional<int64_t> ms = ParseDateText(text);
      if (!ms) {
        return NotA("a date, such as \"2026-02-28T23:59:59Z\" or seconds since 1970", text);
      }
      dates.ms.push_back(*ms);
    } else if (type == OperatorType::kAddress) {
      const std::optional<AddressRange> range = ParseAddressRange(text);
      if (!range) {
        return NotA("an address or range, such as \"203.0.113.0/24\" or \"2001:db8::/32\"", text);
      }
      ranges.push_back(*range);
    } else {
      const std::optional<bool> value = ParseBool(text);
      if (!value) {
        return NotA("\"true\" or \"false\"", text);
      }
      null = *value;
    }
  }
  switch (type) {
    case OperatorType::kNumeric:
      return Expected(std::move(numbers));
    case OperatorType::kDate:
      return Expected(std::move(dates));
    case OperatorType::kAddress:
      return Expected(std::move(ranges));
    case OperatorType::kNull:
      return Expected(null);
    default:
      return Expected(std::move(texts));
  }
}

bool Condition::Holds(RequestValues& values, Effect effect) const {
  const bool absent = !values.Has(key_);
  if (operator_.type == OperatorType::kNull) {
    return absent == *std::get_if<bool>(&expected_);
  }
  if (absent) {
    return HoldsAbsent();
  }
  if (operator_.type == OperatorType::kDate && values.Time(key_)) {
    return HoldsFor({}, values);  // One value, which nobody has to spell out.
  }
  const std::span<const std::string_view> actual = values.Texts(key_);
  const auto holds = [&](std::string_view value) { return HoldsFor(value, values); };
  switch (operator_.quantifier) {
    case Quantifier::kForAllValues:
      return std::ranges::all_of(actual, holds);
    case Quantifier::kForAnyValue:
      return std::ranges::any_of(actual, holds);
    case Quantifier::kPlain:
      break;
  }
  // AWS demands ForAllValues or ForAnyValue for several values and does not say what happens
  // without. Here they count to the safe side: all have to hold to allow, one is enough to deny.
  return effect == Effect::kAllow ? std::ranges::all_of(actual, holds)
                                  : std::ranges::any_of(actual, holds);
}

// AWS: ForAllValues is true for a key without values, and ForAnyValue false. Otherwise a value that
// is not there is equal to nothing, so that operators with Not hold, as does IfExists.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
bool Condition::HoldsAbsent() const {
  if (operator_.if_exists) {
    return true;
  }
  switch (operator_.quantifier) {
    case Quantifier::kForAllValues:
      return true;
    case Quantifier::kForAnyValue:
      return false;
    case Quantifier::kPlain:
      break;
  }
  return operator_.negated;
}

bool Condition::MatchesAny(std::string_view value, RequestValues& values) const {
  if (const auto* texts = std::get_if<PatternSet>(&expected_)) {
    return texts->Matches(value, values);
  }
  if (const auto* numbers = std::get_if<Numbers>(&expected_)) {
    const Result<tables::Number> actual = tables::Number::Parse(value);
    return actual.ok() && std::ranges::any_of(*numbers, [&](const tables::Number& expected) {
             return Compares(*actual <=> expected, operator_.comparison);
           });
  }
  if (const auto* dates = std::get_if<Dates>(&expected_)) {
    const std::optional<int64_t> time = values.Time(key_);
    const std::optional<int64_t> actual = time ? time : ParseDateText(value);
    return actual && std::ranges::any_of(dates->ms, [&](int64_t expected) {
             return Compares(*actual <=> expected, operator_.comparison);
           });
  }
  if (const auto* ranges = std::get_if<Ranges>(&expected_)) {
    const std::optional<Address> actual =
        key_ == ConditionKey::kSourceIp ? values.SourceIp() : ParseAddress(value);
    return actual && std::ranges::any_of(*ranges, [&](const AddressRange& range) {
             return range.Contains(*actual);
           });
  }
  return false;
}

void Condition::AddKeys(uint32_t& keys) const {
  keys |= uint32_t{1} << static_cast<unsigned>(key_);
  if (const auto* texts = std::get_if<PatternSet>(&expected_)) {
    texts->AddKeys(keys);
  }
}

}  // namespace tintype::access::internal
