#include "contexts/common/item.h"

#include <charconv>
#include <cmath>
#include <cstdio>

#include "base/numbers.h"

namespace tintype::contexts {

using tables::Number;
using tables::Type;
using tables::ValueView;

ItemBuilder& ItemBuilder::Text(std::string_view name, std::string_view text) {
  return Value(name, tables::Value::String(text));
}

ItemBuilder& ItemBuilder::MaybeText(std::string_view name, const std::optional<std::string>& text) {
  return text ? Text(name, *text) : *this;
}

ItemBuilder& ItemBuilder::Integer(std::string_view name, int64_t number) {
  return Value(name, tables::Value::Integer(number));
}

ItemBuilder& ItemBuilder::MaybeInteger(std::string_view name,
                                       const std::optional<int64_t>& number) {
  return number ? Integer(name, *number) : *this;
}

ItemBuilder& ItemBuilder::Decimal(std::string_view name, double number) {
  return Value(name, DecimalValue(number));
}

ItemBuilder& ItemBuilder::Bool(std::string_view name, bool value) {
  return Value(name, tables::Value::Bool(value));
}

ItemBuilder& ItemBuilder::TextList(std::string_view name, const std::vector<std::string>& texts) {
  return Value(name, TextListValue(texts));
}

ItemBuilder& ItemBuilder::Map(std::string_view name, const tables::Item& map) {
  return Value(name, tables::Value::Map(map));
}

ItemBuilder& ItemBuilder::Value(std::string_view name, tables::Value value) {
  entries_.emplace_back(name, std::move(value));
  return *this;
}

tables::Value DecimalValue(double number) {
  // Anything larger is no ratio, confidence or duration.
  constexpr double kMagnitudeMax = 1e15;
  if (!std::isfinite(number) || std::abs(number) > kMagnitudeMax) {
    number = 0;
  }
  char text[64];
  const int length = std::snprintf(text, sizeof text, "%.6f", number);
  const Result<Number> parsed = Number::Parse({text, static_cast<size_t>(length)});
  CHECK(parsed.ok());
  return tables::Value::OfNumber(*parsed);
}

tables::Value TextListValue(const std::vector<std::string>& texts) {
  std::vector<tables::Value> members;
  members.reserve(texts.size());
  for (const std::string& text : texts) {
    members.push_back(tables::Value::String(text));
  }
  return tables::Value::List(members);
}

std::optional<ValueView> ItemReader::Find(std::string_view name) const {
  const bool comes_later = name > passed_;
  const tables::MapView from = comes_later ? tables::MapView(rest_) : map_;
  for (const auto& [entry_name, value] : from) {
    if (const int order = entry_name.compare(name); order >= 0) {
      return order == 0 ? std::optional(value) : std::nullopt;
    }
    const std::string_view encoded = value.encoded();
    const std::string_view all = map_.payload();
    passed_ = entry_name;
    rest_ = all.substr(static_cast<size_t>(encoded.data() + encoded.size() - all.data()));
  }
  return std::nullopt;
}

std::optional<std::string> ItemReader::OptionalText(std::string_view name) const {
  const std::optional<ValueView> value = Find(name);
  if (!value || value->type() != Type::kString) {
    return std::nullopt;
  }
  return std::string(value->AsString());
}

std::optional<int64_t> ItemReader::OptionalInteger(std::string_view name) const {
  const std::optional<ValueView> value = Find(name);
  if (!value || value->type() != Type::kNumber) {
    return std::nullopt;
  }
  char text[Number::kTextBytes];
  return ParseInteger<int64_t>({text, Number::FormatStored(value->payload(), text)});
}

double ItemReader::Decimal(std::string_view name, double otherwise) const {
  const std::optional<ValueView> value = Find(name);
  if (!value || value->type() != Type::kNumber) {
    return otherwise;
  }
  const std::string text = value->AsNumber().ToString();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? number : otherwise;
}

bool ItemReader::Bool(std::string_view name, bool otherwise) const {
  const std::optional<ValueView> value = Find(name);
  return value && value->type() == Type::kBool ? value->AsBool() : otherwise;
}

std::vector<std::string> ItemReader::TextList(std::string_view name) const {
  std::vector<std::string> texts;
  const std::optional<ValueView> value = Find(name);
  if (value && value->type() == Type::kList) {
    for (const ValueView member : value->AsList()) {
      if (member.type() == Type::kString) {
        texts.emplace_back(member.AsString());
      }
    }
  } else if (value && value->type() == Type::kStringSet) {
    for (const std::string_view member : value->AsSet()) {
      texts.emplace_back(member);
    }
  }
  return texts;
}

ItemReader ItemReader::Map(std::string_view name) const {
  const std::optional<ValueView> value = Find(name);
  return ItemReader(value && value->type() == Type::kMap ? value->AsMap() : tables::MapView());
}

}  // namespace tintype::contexts
