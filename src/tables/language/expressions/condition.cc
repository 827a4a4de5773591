#include "tables/language/expressions/condition.h"

#include <string.h>  // memmem, an extension

#include <algorithm>

#include "tables/language/internal/size_function.h"

namespace tintype::tables {

namespace internal {

std::optional<int64_t> SizeOf(ValueView value) {
  switch (value.type()) {
    case Type::kString: {
      int64_t units = 0;
      for (const char c : value.AsString()) {
        const auto byte = static_cast<uint8_t>(c);
        // Every byte but a continuation starts a character; one of four bytes is a surrogate pair.
        units += (byte & 0xC0) != 0x80 ? 1 : 0;
        units += byte >= 0xF0 ? 1 : 0;
      }
      return units;
    }
    case Type::kBinary:
      return static_cast<int64_t>(value.payload().size());
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      return static_cast<int64_t>(value.AsSet().size());
    case Type::kList:
      return static_cast<int64_t>(value.AsList().size());
    case Type::kMap:
      return static_cast<int64_t>(value.AsMap().size());
    default:
      return std::nullopt;
  }
}

}  // namespace internal

namespace {

using MaybeValue = std::optional<ValueView>;

// An operand's value for one item, or nothing when its path leads nowhere. A size is encoded into
// `scratch`, which must outlive the result; all else is viewed where it is.
MaybeValue Resolve(const Operand& operand, MapView item, std::string& scratch) {
  if (operand.kind == Operand::Kind::kValue) {
    return operand.value->view();
  }
  const MaybeValue found = operand.path.Find(item);
  if (operand.kind == Operand::Kind::kPath || !found) {
    return found;
  }
  const std::optional<int64_t> size = internal::SizeOf(*found);
  if (!size) {
    return std::nullopt;
  }
  scratch.clear();
  ValueWriter(scratch).OfNumber(Number(*size));
  return ValueView(scratch);
}

// How two values are ordered, if they are: DynamoDB orders strings, numbers and binaries, each
// among themselves. The stored form of a number sorts as the number does.
std::optional<int> Order(const MaybeValue& a, const MaybeValue& b) {
  if (!a || !b || a->type() != b->type() || a->type() > Type::kBinary) {
    return std::nullopt;
  }
  return a->payload().compare(b->payload());
}

bool Compare(Comparator comparator, const MaybeValue& a, const MaybeValue& b) {
  const bool equal = a && b && *a == *b;
  if (comparator == Comparator::kEqual) {
    return equal;
  }
  // True also when an attribute is missing or the types differ.
  if (comparator == Comparator::kNotEqual) {
    return !equal;
  }
  const std::optional<int> order = Order(a, b);
  if (!order) {
    return false;
  }
  switch (comparator) {
    case Comparator::kLess:
      return *order < 0;
    case Comparator::kLessOrEqual:
      return *order <= 0;
    case Comparator::kGreater:
      return *order > 0;
    default:
      return *order >= 0;
  }
}

bool BeginsWith(const MaybeValue& value, const MaybeValue& prefix) {
  return value && prefix && value->type() == prefix->type() &&
         (value->type() == Type::kString || value->type() == Type::kBinary) &&
         value->payload().starts_with(prefix->payload());
}

// std::string_view::find takes time in the product of the lengths; clients choose both.
bool HasPart(std::string_view whole, std::string_view part) {
  return part.empty() || memmem(whole.data(), whole.size(), part.data(), part.size()) != nullptr;
}

bool Contains(const MaybeValue& container, const MaybeValue& member) {
  if (!container || !member) {
    return false;
  }
  switch (container->type()) {
    case Type::kString:
    case Type::kBinary:
      return member->type() == container->type() &&
             HasPart(container->payload(), member->payload());
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      return member->type() == SetMemberType(container->type()) &&
             container->AsSet().Contains(member->payload());
    case Type::kList:
      for (const ValueView candidate : container->AsList()) {
        if (candidate == *member) {
          return true;
        }
      }
      return false;
    default:
      return false;
  }
}

bool IsIn(const std::vector<Operand>& operands, MapView item) {
  std::string first_scratch;
  std::string scratch;
  const MaybeValue value = Resolve(operands.front(), item, first_scratch);
  return std::any_of(operands.begin() + 1, operands.end(), [&](const Operand& candidate) {
    return Compare(Comparator::kEqual, value, Resolve(candidate, item, scratch));
  });
}

bool IsBetween(const std::vector<Operand>& operands, MapView item) {
  std::string value_scratch;
  std::string bound_scratch;
  const MaybeValue value = Resolve(operands[0], item, value_scratch);
  return Compare(Comparator::kGreaterOrEqual, value, Resolve(operands[1], item, bound_scratch)) &&
         Compare(Comparator::kLessOrEqual, value, Resolve(operands[2], item, bound_scratch));
}

}  // namespace

bool Condition::Holds(MapView item) const {
  std::string scratch[2];
  const auto operand = [&](size_t i) { return Resolve(operands[i], item, scratch[i]); };
  switch (kind) {
    case Kind::kAnd:
      return std::all_of(children.begin(), children.end(),
                         [&](const Condition& child) { return child.Holds(item); });
    case Kind::kOr:
      return std::any_of(children.begin(), children.end(),
                         [&](const Condition& child) { return child.Holds(item); });
    case Kind::kNot:
      return !children.front().Holds(item);
    case Kind::kCompare:
      return Compare(comparator, operand(0), operand(1));
    case Kind::kBetween:
      return IsBetween(operands, item);
    case Kind::kIn:
      return IsIn(operands, item);
    case Kind::kAttributeExists:
      return operand(0).has_value();
    case Kind::kAttributeNotExists:
      return !operand(0).has_value();
    case Kind::kAttributeType: {
      const MaybeValue value = operand(0);
      return value && TypeName(value->type()) == operands[1].value->view().AsString();
    }
    case Kind::kBeginsWith:
      return BeginsWith(operand(0), operand(1));
    case Kind::kContains:
      return Contains(operand(0), operand(1));
  }
  return false;
}

}  // namespace tintype::tables
