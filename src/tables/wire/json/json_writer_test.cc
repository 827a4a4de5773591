#include "tables/wire/internal/json_writer.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/strings.h"

namespace tintype::tables::wire {
namespace {

/// What JSON asks for, character by character.
std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out.append({'\\', c});
    } else if (c == '\n') {
      out.append("\\n");
    } else if (c == '\r') {
      out.append("\\r");
    } else if (c == '\t') {
      out.append("\\t");
    } else if (byte < 0x20) {
      std::array<char, 8> hex{};
      std::snprintf(hex.data(), hex.size(), "\\u%04x", byte);
      out.append(hex.data());
    } else {
      out.push_back(c);
    }
  }
  return out;
}

std::string WrittenAttribute(std::string_view name, std::string_view text) {
  std::string out;
  JsonWriter json(out);
  json.Attributes(Item::Of({{std::string(name), Value::String(text)}}).view());
  return out;
}

// Text is looked at by words of several sizes that overlap at its end. Proves that a character that
// needs an escape is found at every place of texts of every size, and that no other one is taken
// for such.
TEST(JsonWriterTest, EscapesAtEveryPlace) {
  const std::array<char, 10> characters = {'"', '\\', '\n', '\x01', '\x1f',
                                           ' ', '!',  '#',  '\x7f', '\xff'};
  for (size_t size = 0; size <= 50; ++size) {
    const std::string plain(size, 'x');
    EXPECT_EQ(WrittenAttribute("a", plain), StrCat(R"({"a":{"S":")", plain, R"("}})"));
    for (size_t place = 0; place < size; ++place) {
      for (const char character : characters) {
        std::string text = plain;
        text[place] = character;
        const std::string escaped = Escaped(text);
        ASSERT_EQ(WrittenAttribute("a", text), StrCat(R"({"a":{"S":")", escaped, R"("}})"))
            << "size " << size << ", place " << place;
        ASSERT_EQ(WrittenAttribute(text, "a"), StrCat(R"({")", escaped, R"(":{"S":"a"}})"))
            << "size " << size << ", place " << place;
      }
    }
  }
}

// Proves that nothing is lost or doubled where what was gathered is handed on: texts around its
// size, after beginnings of every length.
TEST(JsonWriterTest, PassesOnWhatItGathered) {
  for (const size_t size :
       std::initializer_list<size_t>{4000, 4080, 4093, 4094, 4095, 4096, 4097, 8192, 100'000}) {
    for (size_t before = 0; before < 40; ++before) {
      const std::string first(before, 'f');
      const std::string text(size, 't');
      std::string out = "kept";
      JsonWriter json(out);
      json.OpenArray();
      json.String(first);
      json.String(text);
      json.Integer(7);
      json.CloseArray();
      ASSERT_EQ(out, StrCat("kept[\"", first, "\",\"", text, "\",7]")) << size << " " << before;
    }
  }
}

// Proves the form of every type, nested, with commas where they belong.
TEST(JsonWriterTest, WritesEveryType) {
  const Item inner = Item::Of({{"x", Value::Null()}, {"y", Value::Bool(false)}});
  const Item item = Item::Of(
      {{"a", Value::String("text")},
       {"b", Value::Integer(-12)},
       {"c", Value::Binary("\x01\x02\xff")},
       {"d", Value::Set(Type::kStringSet, {"p", "q\""}).value()},
       {"e", Value::List({Value::Integer(1), Value::List({}), Value::String("")})},
       {"f", Value::Map(inner)},
       {"g", Value::Bool(true)},
       {"h", Value::Set(Type::kBinarySet, {"\x01", "\x02"}).value()},
       {"i", Value::Set(Type::kNumberSet, {std::string(Value::Integer(3).view().payload()),
                                           std::string(Value::Integer(100).view().payload())})
                 .value()}});
  std::string out;
  JsonWriter json(out);
  json.Attributes(item.view());
  EXPECT_EQ(out, R"({"a":{"S":"text"},"b":{"N":"-12"},"c":{"B":"AQL/"},"d":{"SS":["p","q\""]},)"
                 R"("e":{"L":[{"N":"1"},{"L":[]},{"S":""}]},"f":{"M":{"x":{"NULL":true},)"
                 R"("y":{"BOOL":false}}},"g":{"BOOL":true},"h":{"BS":["AQ==","Ag=="]},)"
                 R"("i":{"NS":["3","100"]}})");
}

// Numbers take up to 171 characters. Proves that many of them in a row are written whole.
TEST(JsonWriterTest, WritesManyLongNumbers) {
  const Value longest = Value::OfNumber(Number::Parse("-1E-130").value());
  std::string expected = "[";
  std::string out;
  JsonWriter json(out);
  json.OpenArray();
  for (int i = 0; i < 200; ++i) {
    json.AttributeValue(longest.view());
    StrAppend(expected, i == 0 ? "" : ",", R"({"N":"-0.)", std::string(129, '0'), R"(1"})");
  }
  json.CloseArray();
  EXPECT_EQ(out, expected + "]");
}

}  // namespace
}  // namespace tintype::tables::wire
