#include "tables/wire/internal/json_writer.h"

#include <array>
#include <charconv>
#include <cstring>

#include "base/base64.h"
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

/// Not zero if one of the eight bytes of a word needs an escape. Each term has the high bit set in
/// bytes that are below a bound, or equal to a character; bytes from 0x80 on never are.
inline uint64_t EscapeBits(uint64_t word) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHighBits = 0x8080808080808080;
  const uint64_t quote = word ^ (kOnes * '"');
  const uint64_t backslash = word ^ (kOnes * '\\');
  const uint64_t found = (((word - kOnes * 0x20) & ~word) | ((quote - kOnes) & ~quote) |
                          ((backslash - kOnes) & ~backslash));
  return found & kHighBits;
}

/// The position of the first character from `from` on that needs an escape, or the end.
size_t FindEscape(std::string_view text, size_t from) {
  while (from + sizeof(uint64_t) <= text.size()) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + from, sizeof word);
    if (EscapeBits(word) != 0) {
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

template <typename Word>
Word Load(const char* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// Copies words of one size: all whole ones, and one more over the last bytes, overlapping. Returns
/// what `find` found in any of them. REQUIRES: size >= sizeof(Word).
template <typename Word, typename Find>
Word CopyWords(const char* text, size_t size, char* out, Find find) {
  Word found{};
  const auto copy_one = [&](size_t at) {
    const auto word = Load<Word>(text + at);
    found |= find(word);
    std::memcpy(out + at, &word, sizeof word);
  };
  for (size_t at = 0; at + sizeof(Word) < size; at += sizeof(Word)) {
    copy_one(at);
  }
  copy_one(size - sizeof(Word));
  return found;
}

/// Copies text to a place that is known to have room for it, and tells on the way whether it can
/// stand in JSON as it is. Most of an answer is text that can: looking at it and copying it are one
/// pass here, and take no calls.
inline bool CopyClean(std::string_view text, char* out) {
  using Bytes16 = uint8_t __attribute__((vector_size(16)));
  using Halves = uint64_t __attribute__((vector_size(16)));
  if (text.size() >= sizeof(Bytes16)) {
    const auto find = [](Bytes16 bytes) -> Bytes16 {
      return (bytes < 0x20) | (bytes == '"') | (bytes == '\\');
    };
    const auto halves =
        reinterpret_cast<Halves>(CopyWords<Bytes16>(text.data(), text.size(), out, find));
    return (halves[0] | halves[1]) == 0;
  }
  if (text.size() >= sizeof(uint64_t)) {
    return CopyWords<uint64_t>(text.data(), text.size(), out, EscapeBits) == 0;
  }
  if (text.size() >= sizeof(uint32_t)) {
    // Blanks fill the word up; they need no escape.
    const auto find = [](uint32_t word) {
      return EscapeBits(word | 0x20202020'00000000U) == 0 ? 0U : 1U;
    };
    return CopyWords<uint32_t>(text.data(), text.size(), out, find) == 0;
  }
  bool clean = true;
  for (size_t i = 0; i < text.size(); ++i) {
    out[i] = text[i];
    clean = clean && !NeedsEscape(text[i]);
  }
  return clean;
}

}  // namespace

void JsonWriter::Flush() {
  out_.append(gathered_.data(), used_);
  used_ = 0;
}

inline char* JsonWriter::Room(size_t bytes) {
  if (gathered_.size() - used_ < bytes) {
    Flush();
  }
  return gathered_.data() + used_;
}

inline void JsonWriter::Text(std::string_view text) {
  char* const out = Room(text.size());
  std::memcpy(out, text.data(), text.size());
  Advance(out + text.size());
}

inline void JsonWriter::Quoted(std::string_view text) {
  if (text.size() + 2 <= gathered_.size()) {
    char* const out = Room(text.size() + 2);
    out[0] = '"';
    if (CopyClean(text, out + 1)) {
      out[text.size() + 1] = '"';
      Advance(out + text.size() + 2);
      return;
    }
  }
  Text("\"");
  Flush();
  AppendEscaped(out_, text);
  Text("\"");
}

inline void JsonWriter::QuotedNumber(std::string_view stored) {
  char* const out = Room(Number::kTextBytes + 2);
  out[0] = '"';
  const size_t size = Number::FormatStored(stored, out + 1);
  out[size + 1] = '"';
  Advance(out + size + 2);
}

void JsonWriter::QuotedBase64(std::string_view bytes) {
  Text("\"");
  Flush();
  AppendBase64(out_, bytes);
  Text("\"");
}

inline void JsonWriter::Separate() {
  if (needs_comma_) {
    Text(",");
  }
  needs_comma_ = true;
}

void JsonWriter::Open(char bracket) {
  Separate();
  Text({&bracket, 1});
  needs_comma_ = false;
  ++depth_;
}

void JsonWriter::Close(char bracket) {
  Text({&bracket, 1});
  needs_comma_ = true;
  if (--depth_ == 0) {
    Flush();
  }
}

void JsonWriter::Name(std::string_view name) {
  Separate();
  Quoted(name);
  Text(":");
  needs_comma_ = false;
}

void JsonWriter::String(std::string_view text) {
  Separate();
  Quoted(text);
}

void JsonWriter::Integer(int64_t number) {
  Separate();
  Text(std::to_string(number));
}

void JsonWriter::Double(double number) {
  Separate();
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  const std::string_view text(buffer.data(), static_cast<size_t>(end - buffer.data()));
  Text(text);
  // DynamoDB writes 1 as 1.0, and some clients take the two for different types.
  if (text.find_first_of(".e") == std::string_view::npos) {
    Text(".0");
  }
}

void JsonWriter::Bool(bool value) {
  Separate();
  Text(value ? "true" : "false");
}

void JsonWriter::Time(int64_t ms) {
  Separate();
  const std::string fraction = std::to_string(1000 + ms % 1000);
  Text(std::to_string(ms / 1000));
  Text(".");
  Text(std::string_view(fraction).substr(1));
}

void JsonWriter::SetMember(Type set_type, std::string_view member) {
  Separate();
  if (set_type == Type::kStringSet) {
    Quoted(member);
  } else if (set_type == Type::kNumberSet) {
    QuotedNumber(member);
  } else {
    QuotedBase64(member);
  }
}

void JsonWriter::AttributeValue(ValueView value) {
  Separate();
  switch (value.type()) {
    case Type::kString:
      Text(R"({"S":)");
      Quoted(value.AsString());
      break;
    case Type::kNumber:
      Text(R"({"N":)");
      QuotedNumber(value.payload());
      break;
    case Type::kBinary:
      Text(R"({"B":)");
      QuotedBase64(value.AsString());
      break;
    case Type::kBool:
      Text(value.AsBool() ? R"({"BOOL":true)" : R"({"BOOL":false)");
      break;
    case Type::kNull:
      Text(R"({"NULL":true)");
      break;
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      Text(R"({")");
      Text(TypeName(value.type()));
      Text(R"(":)");
      needs_comma_ = false;
      OpenArray();
      for (const std::string_view member : value.AsSet()) {
        SetMember(value.type(), member);
      }
      CloseArray();
      break;
    case Type::kList:
      Text(R"({"L":)");
      needs_comma_ = false;
      OpenArray();
      for (const ValueView member : value.AsList()) {
        AttributeValue(member);
      }
      CloseArray();
      break;
    case Type::kMap:
      Text(R"({"M":)");
      needs_comma_ = false;
      Attributes(value.AsMap());
      break;
  }
  Text("}");
  needs_comma_ = true;
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
