#include "tables/transfer/internal/json_object.h"

#include "base/json_text.h"
#include "base/strings.h"

namespace tintype::tables::transfer {

JsonObjectWriter& JsonObjectWriter::Json(std::string_view name, std::string_view json) {
  if (out_.size() > 1) {
    out_.push_back(',');
  }
  AppendJsonText(out_, name);
  StrAppend(out_, ':', json);
  return *this;
}

JsonObjectWriter& JsonObjectWriter::Text(std::string_view name, std::string_view text) {
  Json(name, "");
  AppendJsonText(out_, text);
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
