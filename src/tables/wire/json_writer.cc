#include "tables/wire/internal/json_writer.h"

#include <array>
#include <charconv>

#include "tables/wire/internal/base64.h"

namespace tintype::tables::wire {

namespace {

bool NeedsEscape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

void AppendEscape(std::string& out, char c) {
  switch (c) {
    case '"':
      out.append("\\\"");
      return;
    case '\\':
      out.append("\\\\");
      return;
    case '\n':
      out.append("\\n");
      return;
    case '\r':
      out.append("\\r");
      return;
    case '\t':
      out.append("\\t");
      return;
    default: {
      constexpr std::string_view kHex = "0123456789abcdef";
      out.append("\\u00");
      out.push_back(kHex[static_cast<unsigned char>(c) >> 4]);
      out.push_back(kHex[static_cast<unsigned char>(c) & 0xF]);
    }
  }
}

/// Most text has nothing to escape, so runs without are appended whole.
void AppendQuoted(std::string& out, std::string_view text) {
  out.push_back('"');
  size_t run = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (NeedsEscape(text[i])) {
      out.append(text.substr(run, i - run));
      AppendEscape(out, text[i]);
      run = i + 1;
    }
  }
  out.append(text.substr(run));
  out.push_back('"');
}

}  // namespace

void JsonWriter::Separate() {
  if (needs_comma_) {
    out_.push_back(',');
  }
  needs_comma_ = true;
}

void JsonWriter::Open(char bracket) {
  Separate();
  out_.push_back(bracket);
  needs_comma_ = false;
}

void JsonWriter::Close(char bracket) {
  out_.push_back(bracket);
  needs_comma_ = true;
}

void JsonWriter::Name(std::string_view name) {
  Separate();
  AppendQuoted(out_, name);
  out_.push_back(':');
  needs_comma_ = false;
}

void JsonWriter::String(std::string_view text) {
  Separate();
  AppendQuoted(out_, text);
}

void JsonWriter::Integer(int64_t number) {
  Separate();
  out_.append(std::to_string(number));
}

void JsonWriter::Double(double number) {
  Separate();
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  const std::string_view text(buffer.data(), static_cast<size_t>(end - buffer.data()));
  out_.append(text);
  // DynamoDB writes 1 as 1.0, and some clients take the two for different types.
  if (text.find_first_of(".e") == std::string_view::npos) {
    out_.append(".0");
  }
}

void JsonWriter::Bool(bool value) {
  Separate();
  out_.append(value ? "true" : "false");
}

void JsonWriter::Time(int64_t ms) {
  Separate();
  std::string fraction = std::to_string(1000 + ms % 1000);
  out_.append(std::to_string(ms / 1000));
  out_.push_back('.');
  out_.append(fraction, 1);
}

void JsonWriter::AttributeValue(ValueView value) {
  OpenObject();
  Name(TypeName(value.type()));
  switch (value.type()) {
    case Type::kString:
      String(value.AsString());
      break;
    case Type::kNumber:
      out_.push_back('"');
      value.AsNumber().AppendString(out_);
      out_.push_back('"');
      break;
    case Type::kBinary:
      out_.push_back('"');
      AppendBase64(out_, value.AsString());
      out_.push_back('"');
      break;
    case Type::kBool:
      Bool(value.AsBool());
      break;
    case Type::kNull:
      Bool(true);
      break;
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      OpenArray();
      for (const std::string_view member : value.AsSet()) {
        Separate();
        if (value.type() == Type::kStringSet) {
          AppendQuoted(out_, member);
          continue;
        }
        out_.push_back('"');
        if (value.type() == Type::kNumberSet) {
          Number::FromStored(member).AppendString(out_);
        } else {
          AppendBase64(out_, member);
        }
        out_.push_back('"');
      }
      CloseArray();
      break;
    case Type::kList:
      OpenArray();
      for (const ValueView member : value.AsList()) {
        AttributeValue(member);
      }
      CloseArray();
      break;
    case Type::kMap:
      Attributes(value.AsMap());
      break;
  }
  CloseObject();
}

void JsonWriter::Attributes(MapView attributes) {
  OpenObject();
  for (const MapView::Entry entry : attributes) {
    Name(entry.name);
    AttributeValue(entry.value);
  }
  CloseObject();
}

}  // namespace tintype::tables::wire
