#include "tables/wire/internal/answer.h"
#include "base/strings.h"
#include "tables/wire/internal/attribute_value.h"
#include "tables/wire/internal/common_shapes.h"

namespace tintype::tables::wire {

namespace {

bool IsText(JsonElement element) { return element.is_string(); }
bool IsNumber(JsonElement element) { return element.is_number(); }
bool IsBool(JsonElement element) { return element.is_bool(); }
bool IsObject(JsonElement element) { return element.is_object(); }
bool IsArray(JsonElement element) { return element.is_array(); }

double ToDouble(JsonElement element) {
  double number = 0;
  // Whole numbers that do not fit a double exactly are rounded.
  if (element.get_double().get(number) != simdjson::SUCCESS) {
    number = static_cast<double>(ToInteger(element));
  }
  return number;
}

}  // namespace

std::optional<JsonElement> AnswerObject::Find(std::string_view name,
                                              bool (*is_right)(JsonElement)) const {
  const auto element = json_.Find(name);
  if (element && !is_right(*element)) {
    Fail(StrCat(name, " has the wrong type"));
    return std::nullopt;
  }
  return element;
}

template <typename Visit>
void AnswerObject::VisitList(std::string_view name, bool (*is_right)(JsonElement),
                             const Visit& visit) const {
  const auto list = Find(name, IsArray);
  if (!list) {
    return;
  }
  for (const JsonElement element : ArrayOf(*list)) {
    if (!is_right(element)) {
      Fail(StrCat("an element of ", name, " has the wrong type"));
      return;
    }
    visit(element);
  }
}

std::optional<std::string> AnswerObject::Text(std::string_view name) const {
  const auto element = Find(name, IsText);
  return element ? std::optional(std::string(TextOf(*element))) : std::nullopt;
}

std::optional<int64_t> AnswerObject::Integer(std::string_view name) const {
  const auto element = Find(name, IsNumber);
  return element ? std::optional(ToInteger(*element)) : std::nullopt;
}

std::optional<double> AnswerObject::Double(std::string_view name) const {
  const auto element = Find(name, IsNumber);
  return element ? std::optional(ToDouble(*element)) : std::nullopt;
}

std::optional<bool> AnswerObject::Bool(std::string_view name) const {
  const auto element = Find(name, IsBool);
  return element ? ToBool(*element) : std::nullopt;
}

std::optional<int64_t> AnswerObject::TimeMs(std::string_view name) const {
  const auto element = Find(name, IsNumber);
  if (!element) {
    return std::nullopt;
  }
  const auto time_ms = ToTimeMs(*element);
  if (!time_ms) {
    Fail(StrCat(name, " is not a time"));
  }
  return time_ms;
}

std::optional<AnswerObject> AnswerObject::Object(std::string_view name) const {
  const auto element = Find(name, IsObject);
  return element ? std::optional(AnswerObject(JsonObject(*element), *fault_)) : std::nullopt;
}

std::optional<Item> AnswerObject::AttributesOf(std::string_view name, JsonElement element) const {
  if (auto types = CheckTypes(element, kAttributeMapShape); !types.ok()) {
    Fail(StrCat(name, " is not made of attribute values"));
    return std::nullopt;
  }
  auto item = DecodeItem(JsonObject(element));
  if (!item.ok()) {
    Fail(StrCat(name, ": ", item.error().message()));
    return std::nullopt;
  }
  return std::move(item).value();
}

std::optional<Item> AnswerObject::Attributes(std::string_view name) const {
  const auto element = Find(name, IsObject);
  return element ? AttributesOf(name, *element) : std::nullopt;
}

std::vector<std::string> AnswerObject::Texts(std::string_view name) const {
  std::vector<std::string> texts;
  VisitList(name, IsText, [&](JsonElement element) { texts.emplace_back(TextOf(element)); });
  return texts;
}

std::vector<double> AnswerObject::Doubles(std::string_view name) const {
  std::vector<double> numbers;
  VisitList(name, IsNumber, [&](JsonElement element) { numbers.push_back(ToDouble(element)); });
  return numbers;
}

std::vector<AnswerObject> AnswerObject::Objects(std::string_view name) const {
  std::vector<AnswerObject> objects;
  VisitList(name, IsObject,
            [&](JsonElement element) { objects.emplace_back(JsonObject(element), *fault_); });
  return objects;
}

std::vector<Item> AnswerObject::Items(std::string_view name) const {
  std::vector<Item> items;
  VisitList(name, IsObject, [&](JsonElement element) {
    if (auto item = AttributesOf(name, element)) {
      items.push_back(*std::move(item));
    }
  });
  return items;
}

std::vector<std::string> AnswerObject::Names() const {
  std::vector<std::string> names;
  for (const auto& [name, member] : json_) {
    names.emplace_back(name);
  }
  return names;
}

void AnswerObject::Fail(std::string_view fault) const {
  if (fault_->empty()) {
    *fault_ = fault;
  }
}

Error UnreadableAnswer(std::string_view fault) {
  return Error(ErrorKind::kUnavailable,
               StrCat("The service's answer cannot be read: ", fault, '.'));
}

}  // namespace tintype::tables::wire
