#include "json/writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/json_text.h"

namespace tintype::json {

void Writer::Separate() {
  if (needs_comma_) {
    out_.push_back(',');
  }
  needs_comma_ = true;
}

void Writer::Open(char bracket) {
  Separate();
  out_.push_back(bracket);
  needs_comma_ = false;
}

void Writer::Close(char bracket) {
  out_.push_back(bracket);
  needs_comma_ = true;
}

Writer& Writer::Name(std::string_view name) {
  Separate();
  AppendJsonText(out_, name);
  out_.push_back(':');
  needs_comma_ = false;
  return *this;
}

void Writer::Text(std::string_view text) {
  Separate();
  AppendJsonText(out_, text);
}

void Writer::Integer(int64_t number) {
  Separate();
  out_.append(std::to_string(number));
}

void Writer::Number(double number) {
  if (!std::isfinite(number)) {
    Null();
    return;
  }
  Separate();
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number);
  out_.append(text.data(), end);
}

void Writer::Bool(bool value) {
  Separate();
  out_.append(value ? "true" : "false");
}

void Writer::Null() {
  Separate();
  out_.append("null");
}

void Writer::Raw(std::string_view json) {
  Separate();
  out_.append(json);
}

void Writer::MaybeText(std::string_view name, const std::optional<std::string>& text) {
  if (text) {
    Text(name, *text);
  }
}

void Writer::TextList(std::string_view name, const std::vector<std::string>& texts) {
  Name(name);
  OpenArray();
  for (const std::string& text : texts) {
    Text(text);
  }
  CloseArray();
}

void Writer::Any(const Value& value) {
  if (const auto* members = value.object()) {
    OpenObject();
    for (const auto& [name, member] : *members) {
      Name(name).Any(member);
    }
    CloseObject();
  } else if (const auto* array = value.array()) {
    OpenArray();
    for (const Value& member : *array) {
      Any(member);
    }
    CloseArray();
  } else if (const std::string* text = value.text()) {
    Text(*text);
  } else if (const auto whole = value.integer()) {
    Integer(*whole);
  } else if (const auto number = value.number()) {
    Number(*number);
  } else if (const auto boolean = value.boolean()) {
    Bool(*boolean);
  } else {
    Null();
  }
}

}  // namespace tintype::json
