#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "access/policy/internal/address_range.h"
#include "access/policy/internal/operators.h"
#include "access/policy/internal/pattern_set.h"
#include "access/policy/internal/request_values.h"
#include "tables/language/values/number.h"

namespace tintype::access::internal {

/// Which way a statement decides, where AWS leaves open what a condition means.
enum class Effect : uint8_t { kAllow, kDeny };

/// One key of one operator with its values, compiled.
class Condition {
 public:
  struct Source {
    std::string_view operator_name;
    std::string_view key;
    /// One or more, numbers and booleans spelled out.
    std::span<const std::string> values;
    /// Whether the policy's version has variables.
    bool variables = false;
  };
  /// Errors: kValidation, with what is wrong but not where.
  static Result<Condition> Compile(const Source& source);

  bool Holds(RequestValues& values, Effect effect) const;

  /// Adds the keys that it reads to a set of bits.
  void AddKeys(uint32_t& keys) const;

 private:
  using Numbers = std::vector<tables::Number>;
  struct Dates {
    std::vector<int64_t> ms;
  };
  using Ranges = std::vector<AddressRange>;
  /// By the operator's type; the boolean is what Null asks for.
  using Expected = std::variant<PatternSet, Numbers, Dates, Ranges, bool>;

  static Result<Expected> CompileValues(OperatorType type, const Source& source);

  bool HoldsAbsent() const;
  /// Whether the value is what one of the policy's values says, before any negation.
  bool MatchesAny(std::string_view value, RequestValues& values) const;
  bool HoldsFor(std::string_view value, RequestValues& values) const {
    return MatchesAny(value, values) != operator_.negated;
  }

  Operator operator_;
  ConditionKey key_ = ConditionKey::kUnknown;
  Expected expected_;
};

}  // namespace tintype::access::internal
