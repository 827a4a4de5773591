#include "case_file.h"

#include <stdexcept>

namespace tintype::conformance {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

std::optional<element> Member(const object& from, std::string_view name) {
  element value;
  if (from[name].get(value) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  return value;
}

void WriteText(std::string& out, std::string_view text) {
  out.push_back('"');
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
      out.append(escaped);
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

// The text that a string, {"$repeat": [text, times]} or {"$concat": [texts]} stands for.
std::string ExpandText(element value) {
  if (value.is_string()) {
    return std::string(value.get_string().value());
  }
  const object members = value.get_object().value();
  std::string whole;
  if (const auto repeat = Member(members, "$repeat")) {
    const array parts = repeat->get_array().value();
    const std::string_view text = parts.at(0).get_string().value();
    for (uint64_t i = 0; i < parts.at(1).get_uint64().value(); ++i) {
      whole.append(text);
    }
    return whole;
  }
  const array parts = members["$concat"].get_array().value();
  for (const element part : parts) {
    whole.append(ExpandText(part));
  }
  return whole;
}

// Writes a request, with `$repeat` and `$concat` replaced by the text they stand for.
void WriteRequest(std::string& out, element value) {
  if (value.is_object()) {
    const object members = value.get_object().value();
    if (Member(members, "$repeat") || Member(members, "$concat")) {
      WriteText(out, ExpandText(value));
      return;
    }
    out.push_back('{');
    bool first = true;
    for (const auto [name, member] : members) {
      if (!first) {
        out.push_back(',');
      }
      first = false;
      WriteText(out, name);
      out.push_back(':');
      WriteRequest(out, member);
    }
    out.push_back('}');
  } else if (value.is_array()) {
    out.push_back('[');
    bool first = true;
    const array members = value.get_array().value();
    for (const element member : members) {
      if (!first) {
        out.push_back(',');
      }
      first = false;
      WriteRequest(out, member);
    }
    out.push_back(']');
  } else if (value.is_string()) {
    WriteText(out, value.get_string().value());
  } else {
    out.append(simdjson::minify(value));
  }
}

std::string Text(const object& from, std::string_view name) {
  return std::string(from[name].get_string().value());
}

Step ReadStep(const object& from) {
  Step step;
  step.operation = Text(from, "op");
  WriteRequest(step.request, from["request"].value());
  step.response = Member(from, "response");
  step.until = Member(from, "until");
  step.collect = Member(from, "collect");
  if (Member(from, "error")) {
    step.error = Text(from, "error");
  }
  step.message = Member(from, "message");
  step.detail = Member(from, "detail");
  if (const auto keep = Member(from, "keep")) {
    const object parts = keep->get_object().value();
    for (const auto [name, pointer] : parts) {
      step.keep.emplace_back(name, pointer.get_string().value());
    }
  }
  if (const auto segments = Member(from, "segments")) {
    step.segments = static_cast<int>(segments->get_int64().value());
  }
  if (const auto repeat = Member(from, "repeat")) {
    step.repeat = static_cast<int>(repeat->get_int64().value());
  }
  // A step that expects nothing proves nothing.
  if (!step.response && !step.until && !step.collect && !step.error) {
    throw std::runtime_error("a step needs response, until, collect or error");
  }
  return step;
}

}  // namespace

CaseFile CaseFile::Load(const std::string& path) {
  CaseFile file;
  file.path = path;
  file.parser = std::make_unique<simdjson::dom::parser>();
  try {
    const object root = file.parser->load(path).get_object().value();
    if (const auto tables = Member(root, "tables")) {
      const array requests = tables->get_array().value();
      for (const element table : requests) {
        WriteRequest(file.tables.emplace_back(), table);
        file.table_names.push_back(Text(table.get_object().value(), "TableName"));
      }
    }
    const array cases = root["cases"].get_array().value();
    for (const element each : cases) {
      const object from = each.get_object().value();
      Case& one = file.cases.emplace_back();
      one.name = Text(from, "name");
      const array steps = from["steps"].get_array().value();
      for (const element step : steps) {
        one.steps.push_back(ReadStep(step.get_object().value()));
      }
    }
  } catch (const std::exception& failure) {
    throw std::runtime_error(path + ": " + failure.what());
  }
  return file;
}

}  // namespace tintype::conformance
