#include "cli/admin/message.h"

#include <simdjson.h>

#include <utility>

#include "base/json_text.h"
#include "base/strings.h"

namespace tintype::cli {
namespace {

struct AppendValue {
  std::string& out;
  void operator()(const std::string& text) const { AppendJsonText(out, text); }
  void operator()(int64_t number) const { StrAppend(out, number); }
  void operator()(bool value) const { out.append(value ? "true" : "false"); }
  void operator()(AdminFields::Null /*null*/) const { out.append("null"); }
  void operator()(const AdminFields::Texts& texts) const {
    out.push_back('[');
    for (size_t i = 0; i < texts.size(); ++i) {
      out.append(i == 0 ? "" : ", ");
      AppendJsonText(out, texts[i]);
    }
    out.push_back(']');
  }
};

Error Malformed(std::string_view what) {
  return Error::Validation(StrCat(
      "A line must be a JSON object such as {\"backup\": {\"to\": \"/mnt/backup\"}}: ", what));
}

Result<AdminFields::Value> ToValue(simdjson::dom::element element, std::string_view name) {
  if (element.is_string()) {
    return AdminFields::Value(std::string(element.get_string().value_unsafe()));
  }
  if (element.is_bool()) {
    return AdminFields::Value(element.get_bool().value_unsafe());
  }
  if (element.is_int64()) {
    return AdminFields::Value(element.get_int64().value_unsafe());
  }
  if (element.is_null()) {
    return AdminFields::Value(AdminFields::Null());
  }
  if (element.is_array()) {
    const simdjson::dom::array array = element.get_array().value_unsafe();
    AdminFields::Texts texts;
    for (const simdjson::dom::element each : array) {
      if (!each.is_string()) {
        return Malformed(StrCat("'", name, "' is a list of something else than texts"));
      }
      texts.emplace_back(each.get_string().value_unsafe());
    }
    return AdminFields::Value(std::move(texts));
  }
  return Malformed(
      StrCat("'", name, "' is neither text, whole number, boolean, null nor a list of texts"));
}

}  // namespace

template <typename T>
Result<T> AdminFields::Get(std::string_view name, std::string_view type) const {
  const auto it = values_.find(name);
  const T* value = it == values_.end() ? nullptr : std::get_if<T>(&it->second);
  if (value == nullptr) {
    return Error::Validation(StrCat("'", name, "' is missing, or not ", type));
  }
  return *value;
}
template Result<std::string> AdminFields::Get(std::string_view, std::string_view) const;
template Result<int64_t> AdminFields::Get(std::string_view, std::string_view) const;
template Result<bool> AdminFields::Get(std::string_view, std::string_view) const;
template Result<AdminFields::Texts> AdminFields::Get(std::string_view, std::string_view) const;

std::string FormatMessage(const AdminMessage& message) {
  std::string out = "{";
  AppendJsonText(out, message.name);
  out.append(": {");
  bool first = true;
  for (const auto& [name, value] : message.fields.values()) {
    out.append(std::exchange(first, false) ? "" : ", ");
    AppendJsonText(out, name);
    out.append(": ");
    std::visit(AppendValue{out}, value);
  }
  out.append("}}");
  return out;
}

Result<AdminMessage> ParseMessage(std::string_view line) {
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(line);
  simdjson::dom::object outer;
  if (const auto error = parser.parse(padded).get(outer); error != simdjson::SUCCESS) {
    return Malformed(simdjson::error_message(error));
  }
  if (outer.size() != 1) {
    return Malformed("it has not exactly one member");
  }
  const simdjson::dom::key_value_pair member = *outer.begin();
  AdminMessage message;
  message.name = member.key;
  simdjson::dom::object inner;
  if (member.value.get(inner) != simdjson::SUCCESS) {
    return Malformed(StrCat("the value of '", message.name, "' is not an object"));
  }
  for (const simdjson::dom::key_value_pair field : inner) {
    ASSIGN_OR_RETURN(AdminFields::Value value, ToValue(field.value, field.key));
    message.fields.Set(std::string(field.key), std::move(value));
  }
  return message;
}

AdminMessage ProgressMessage(const ProgressStep& step) {
  AdminFields fields = {{"stage", step.stage},
                        {"done", static_cast<int64_t>(step.done)},
                        {"total", static_cast<int64_t>(step.total)}};
  if (!step.unit.empty()) {
    fields.Set("unit", step.unit);
  }
  if (!step.detail.empty()) {
    fields.Set("detail", step.detail);
  }
  if (!step.note.empty()) {
    fields.Set("note", step.note);
  }
  return {"progress", std::move(fields)};
}

AdminMessage ErrorMessage(const Error& error) { return {"error", {{"message", error.message()}}}; }

}  // namespace tintype::cli
