#include "tables/transfer/internal/json_object.h"

#include "base/strings.h"

namespace tintype::tables::transfer {

void JsonObjectWriter::Quote(std::string_view text) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  out_.push_back('"');
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      StrAppend(out_, '\\', c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      const auto value = static_cast<unsigned char>(c);
      StrAppend(out_, "\\u00", kDigits[value >> 4], kDigits[value & 15]);
    } else {
      out_.push_back(c);
    }
  }
  out_.push_back('"');
}

JsonObjectWriter& JsonObjectWriter::Json(std::string_view name, std::string_view json) {
  if (out_.size() > 1) {
    out_.push_back(',');
  }
  Quote(name);
  StrAppend(out_, ':', json);
  return *this;
}

JsonObjectWriter& JsonObjectWriter::Text(std::string_view name, std::string_view text) {
  Json(name, "");
  Quote(text);
  return *this;
}

JsonObjectWriter& JsonObjectWriter::OptionalText(std::string_view name,
                                                 const std::optional<std::string>& text) {
  return text ? Text(name, *text) : *this;
}

JsonObjectWriter& JsonObjectWriter::Number(std::string_view name, int64_t number) {
  return Json(name, std::to_string(number));
}

JsonObjectWriter& JsonObjectWriter::OptionalNumber(std::string_view name,
                                                   std::optional<int64_t> number) {
  return number ? Number(name, *number) : *this;
}

JsonObjectWriter& JsonObjectWriter::Bool(std::string_view name, bool value) {
  return Json(name, value ? "true" : "false");
}

JsonObjectWriter& JsonObjectWriter::Null(std::string_view name) { return Json(name, "null"); }

}  // namespace tintype::tables::transfer
