#include "base/json_text.h"

#include <gtest/gtest.h>

namespace tintype {
namespace {

std::string Quoted(std::string_view text) {
  std::string out;
  AppendJsonText(out, text);
  return out;
}

// Characters that JSON does not allow in strings are escaped, and the rest stay as they are.
TEST(JsonTextTest, EscapesWhatMustBe) {
  EXPECT_EQ(Quoted(""), "\"\"");
  EXPECT_EQ(Quoted("a\"b\\c/ä\u20ac\U0001F600\x7f"), "\"a\\\"b\\\\c/ä\u20ac\U0001F600\x7f\"");
  EXPECT_EQ(Quoted(std::string_view("\0\n\x1f", 3)), "\"\\u0000\\u000a\\u001f\"");
  EXPECT_EQ(Quoted("\xff\""), "\"\uFFFD\\\"\"");
}

// Every way in which bytes can fail to be UTF-8 is noticed, and nothing valid is changed.
TEST(JsonTextTest, BytesThatAreNoTextAreReplaced) {
  const std::string_view valid[] = {"",
                                    "plain",
                                    "\xC2\x80",
                                    "\xDF\xBF",
                                    "\xE0\xA0\x80",
                                    "\xED\x9F\xBF",
                                    "\xEE\x80\x80",
                                    "\xEF\xBF\xBF",
                                    "\xF0\x90\x80\x80",
                                    "\xF4\x8F\xBF\xBF"};
  for (const std::string_view text : valid) {
    EXPECT_EQ(ValidUtf8(text), text);
  }
  const std::pair<std::string_view, size_t> invalid[] = {
      {"\x80", 1},              // The middle of a character.
      {"\xC2", 1},              // The first half of one.
      {"\xC1\xBF", 2},          // Longer than need be.
      {"\xE0\x9F\xBF", 3},      // The same, in three bytes.
      {"\xF0\x8F\xBF\xBF", 4},  // And in four.
      {"\xED\xA0\x80", 3},      // Half a surrogate pair.
      {"\xF4\x90\x80\x80", 4},  // Beyond the last character.
      {"\xF5\x80\x80\x80", 4},
      {"\xE2\x82", 2},
      {"\xFF", 1},
  };
  for (const auto& [text, bytes] : invalid) {
    std::string replaced;
    for (size_t i = 0; i < bytes; ++i) {
      replaced.append("\uFFFD");
    }
    EXPECT_EQ(ValidUtf8(text), replaced);
    EXPECT_EQ(ValidUtf8(std::string("a").append(text).append("b")), "a" + replaced + "b");
  }
}

TEST(CountCharactersTest, CountsCodePoints) {
  EXPECT_EQ(CountCharacters(""), 0U);
  EXPECT_EQ(CountCharacters("gans"), 4U);
  EXPECT_EQ(CountCharacters("g\u00E4nse"), 5U);
  EXPECT_EQ(CountCharacters("\u5199\u771F"), 2U);
  EXPECT_EQ(CountCharacters("\U0001F4F7"), 1U);
  EXPECT_EQ(CountCharacters("a\xFF\xC2"), 3U);
}

// Proves that plain bytes, which are copied many at once, change nothing for the others: each of
// all bytes at each place of texts of several lengths.
TEST(JsonTextTest, EscapesAtEveryPlace) {
  for (int byte = 0; byte < 0x100; ++byte) {
    std::string alone;
    AppendJsonText(alone, std::string(1, static_cast<char>(byte)));
    const std::string escaped = alone.substr(1, alone.size() - 2);
    for (const size_t length : {1U, 7U, 8U, 9U, 17U}) {
      for (size_t at = 0; at < length; ++at) {
        std::string text(length, 'x');
        text[at] = static_cast<char>(byte);
        std::string written;
        AppendJsonText(written, text);
        EXPECT_EQ(written,
                  "\"" + std::string(at, 'x') + escaped + std::string(length - at - 1, 'x') + "\"");
      }
    }
  }
}

}  // namespace
}  // namespace tintype
