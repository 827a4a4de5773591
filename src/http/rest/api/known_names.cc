#include "http/rest/api/known_names.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "base/strings.h"
#include "http/rest/protocol/reasons.h"

namespace tintype::http::rest {
namespace {

using contract::Fields;

/// No name of the contract is that long. Longer names are near none, and shown in part.
constexpr size_t kNameBytesMax = 64;

/// How many letters have to be added, removed, replaced or swapped with their neighbour to make one
/// name of the other.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> steps(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        steps[i][j] = i + j;
        continue;
      }
      const bool same = ToLower(a[i - 1]) == ToLower(b[j - 1]);
      steps[i][j] = std::min(
          {steps[i - 1][j] + 1, steps[i][j - 1] + 1, steps[i - 1][j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        steps[i][j] = std::min(steps[i][j], steps[i - 2][j - 2] + 1);
      }
    }
  }
  return steps[a.size()][b.size()];
}

/// The known name that was probably meant.
template <typename Names, typename NameOf>
std::optional<std::string_view> Nearest(std::string_view name, const Names& known, NameOf name_of) {
  std::optional<std::string_view> nearest;
  // A third of the letters may be wrong, two at most: other short words are other words.
  size_t distance_max = std::min<size_t>(name.size() / 3, 2);
  if (name.size() > kNameBytesMax) {
    return nearest;
  }
  for (const auto& each : known) {
    const size_t distance = Distance(name, name_of(each));
    if (distance <= distance_max && (!nearest || distance < distance_max)) {
      nearest = name_of(each);
      distance_max = distance;
    }
  }
  return nearest;
}

std::string Shown(std::string_view name) {
  return name.size() <= kNameBytesMax ? std::string(name)
                                      : ValidUtf8(name.substr(0, kNameBytesMax)).append("...");
}

Error Unknown(const Reason& reason, std::string_view what, const std::string& place,
              std::string_view name, std::optional<std::string_view> nearest) {
  std::string text = StrCat("Unknown ", what, " '", place, Shown(name), "'.");
  if (nearest) {
    StrAppend(text, " Did you mean '", *nearest, "'?");
  }
  return Error(reason, std::move(text));
}

Error UnknownField(const Fields& fields, const std::string& place, std::string_view name) {
  return Unknown(reasons::kUnknownField, "field", place, name,
                 Nearest(name, fields.members, [](const auto& member) { return member.name; }));
}

Status CheckValue(const Fields* fields, const json::Value& value, const std::string& place);

Status CheckObject(const Fields& fields, const json::Value::Object& object,
                   const std::string& place) {
  const std::string prefix = place.empty() ? "" : StrCat(place, ".");
  for (const auto& [name, value] : object) {
    const auto known = std::ranges::find(fields.members, name, &Fields::Member::name);
    if (known == fields.members.end()) {
      return UnknownField(fields, prefix, name);
    }
    const auto is_it = [&name = name](const auto& member) { return member.first == name; };
    if (std::ranges::count_if(object, is_it) > 1) {
      return Error(reasons::kRepeatedField,
                   StrCat("The field '", prefix, name, "' is given more than once."));
    }
    RETURN_IF_ERROR(CheckValue(known->fields, value, StrCat(prefix, name)));
  }
  return OkStatus();
}

Status CheckList(const Fields& fields, const json::Value::Array& list, const std::string& place) {
  for (size_t i = 0; i < list.size(); ++i) {
    RETURN_IF_ERROR(CheckValue(fields.members[0].fields, list[i], StrCat(place, "[", i, "]")));
  }
  return OkStatus();
}

Status CheckVariant(const Fields& fields, const json::Value& value, const std::string& place) {
  const json::Value* kind = value.Find(fields.discriminator);
  const std::string* name = kind == nullptr ? nullptr : kind->text();
  const auto known = name == nullptr
                         ? fields.members.end()
                         : std::ranges::find(fields.members, *name, &Fields::Member::name);
  return known == fields.members.end() ? OkStatus() : CheckValue(known->fields, value, place);
}

Status CheckValue(const Fields* fields, const json::Value& value, const std::string& place) {
  if (fields == nullptr) {
    return OkStatus();
  }
  switch (fields->kind) {
    case Fields::Kind::kObject:
      return value.is_object() ? CheckObject(*fields, *value.object(), place) : OkStatus();
    case Fields::Kind::kList:
      return value.array() != nullptr ? CheckList(*fields, *value.array(), place) : OkStatus();
    case Fields::Kind::kVariants:
      return CheckVariant(*fields, value, place);
  }
  return OkStatus();
}

}  // namespace

Status CheckParameters(const contract::Operation& operation, const Target& target) {
  for (const auto& [name, value] : target.query) {
    if (std::ranges::find(operation.query, name) == operation.query.end()) {
      return Unknown(reasons::kUnknownParameter, "parameter", "", name,
                     Nearest(name, operation.query, [](std::string_view known) { return known; }));
    }
  }
  if (target.repeated) {
    return Error(reasons::kRepeatedParameter,
                 StrCat("The parameter '", *target.repeated, "' is given more than once."));
  }
  return OkStatus();
}

Status CheckFields(const contract::Fields* fields, const json::Value& body) {
  return CheckValue(fields, body, "");
}

Status CheckPart(const contract::Fields& form, std::string_view name) {
  const bool known =
      std::ranges::find(form.members, name, &Fields::Member::name) != form.members.end();
  return known ? OkStatus() : Status(UnknownField(form, "", name));
}

}  // namespace tintype::http::rest
