#include "tables/wire/internal/json_writer.h"

#include <array>
#include <charconv>
#include <cstring>

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

/// True if one of the eight bytes of a word needs an escape. Each term has the high bit set in
/// bytes that are below a bound, or equal to a character; bytes from 0x80 on never are.
bool AnyNeedsEscape(uint64_t word) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHighBits = 0x8080808080808080;
  const uint64_t quote = word ^ (kOnes * '"');
  const uint64_t backslash = word ^ (kOnes * '\\');
  const uint64_t found = (((word - kOnes * 0x20) & ~word) | ((quote - kOnes) & ~quote) |
                          ((backslash - kOnes) & ~backslash));
  return (found & kHighBits) != 0;
}

/// The position of the first character from `from` on that needs an escape, or the end.
size_t FindEscape(std::string_view text, size_t from) {
  while (from + sizeof(uint64_t) <= text.size()) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + from, sizeof word);
    if (AnyNeedsEscape(word)) {
      break;
    }
    from += sizeof word;
  }
  while (from < text.size() && !NeedsEscape(text[from])) {
    ++from;
  }
  return from;
}

/// Most text has nothing to escape, so runs without are appended whole.
void AppendEscaped(std::string& out, std::string_view text) {
  size_t run = 0;
  while (true) {
    const size_t stop = FindEscape(text, run);
    out.append(text.data() + run, stop - run);
    if (stop == text.size()) {
      return;
    }
    AppendEscape(out, text[stop]);
    run = stop + 1;
  }
}

void AppendQuoted(std::string& out, std::string_view text) {
  out.push_back('"');
  AppendEscaped(out, text);
  out.push_back('"');
}

void AppendNumber(std::string& out, std::string_view stored) {
  char text[Number::kTextBytes];
  out.append(text, Number::FormatStored(stored, text));
}

/// Writes text to a place that is known to have room for it.
char* Copy(std::string_view text, char* out) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

/// Strings and numbers up to this size, names included, are written in one piece.
constexpr size_t kPieceBytes = 1024;

/// The member `"name":{"S":"value"}` or its like for a number, if it is short and needs no escapes:
/// most of what is ever written. Else returns 0.
size_t WritePiece(const MapView::Entry& entry, char* piece) {
  const Type type = entry.value.type();
  const std::string_view payload = entry.value.payload();
  if ((type != Type::kString && type != Type::kNumber) ||
      entry.name.size() + payload.size() > kPieceBytes ||
      FindEscape(entry.name, 0) != entry.name.size()) {
    return 0;
  }
  char* out = piece;
  *out++ = '"';
  out = Copy(entry.name, out);
  if (type == Type::kNumber) {
    out = Copy("\":{\"N\":\"", out);
    out += Number::FormatStored(payload, out);
  } else if (FindEscape(payload, 0) == payload.size()) {
    out = Copy("\":{\"S\":\"", out);
    out = Copy(payload, out);
  } else {
    return 0;
  }
  return static_cast<size_t>(Copy("\"}", out) - piece);
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
  out_.append(needs_comma_ ? ",\"" : "\"");
  AppendEscaped(out_, name);
  out_.append("\":");
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
      AppendNumber(out_, value.payload());
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
          AppendNumber(out_, member);
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
  char piece[kPieceBytes + Number::kTextBytes + 32];
  piece[0] = ',';
  for (const MapView::Entry entry : attributes) {
    if (const size_t length = WritePiece(entry, piece + 1); length > 0) {
      const bool first = !needs_comma_;
      out_.append(piece + (first ? 1 : 0), length + (first ? 0 : 1));
      needs_comma_ = true;
      continue;
    }
    Name(entry.name);
    AttributeValue(entry.value);
  }
  CloseObject();
}

}  // namespace tintype::tables::wire
