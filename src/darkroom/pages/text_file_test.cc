#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "darkroom/pages/testing/pages_test.h"
#include "darkroom/pages/text_lines.h"

// Plain text and Markdown: what they become in characters and rows, and by the real helper.

namespace tintype::darkroom::pages {
namespace {

using namespace std::literals;

class TextFileTest : public PagesTest {};

/// The rows of a text: page and row, then the text, and a mark where it goes on.
std::vector<std::string> RowsOf(std::string_view bytes) {
  const std::u32string text = DecodeText(bytes);
  std::vector<std::string> rows;
  TextRows reader(text);
  while (const auto row = reader.Next()) {
    std::string line;
    for (const char32_t character : row->text) {
      line.push_back(character < 0x80 ? static_cast<char>(character) : '?');
    }
    rows.push_back(StrCat(row->page, ".", row->row, " ", line, row->wrapped ? ">" : ""));
  }
  return rows;
}

// Proves in which encodings text is understood, and what becomes of ends of lines and control
// characters.
TEST(DecodeTextTest, KnowsEncodings) {
  const struct {
    std::string_view bytes;
    std::u32string_view expected;
  } cases[] = {
      {"plain\ttext\n", U"plain\ttext\n"},
      {"caf\xC3\xA9 \xE6\x97\xA5 \xF0\x9F\x98\x80", U"café 日 😀"},
      {"\xEF\xBB\xBFmarked", U"marked"},
      {"\xFF\xFEh\0i\0\xE5\x65"sv, U"hi日"},
      {"\xFE\xFF\0h\0i\x65\xE5\xD8\x3D\xDE\0"sv, U"hi日😀"},
      {"\xFE\xFF\xD8\x3D\0a"sv, U"\uFFFDa"},
      {"caf\xE9 \x80 \x93quoted\x94", U"café € “quoted”"},
      {"one\r\ntwo\rthree\n\r\n", U"one\ntwo\nthree\n\n"},
      {"a\x1B[31mb\x07\fc\x7F", U"a [31mb \fc "},
      {"cut at the end \xE6\x97", U"cut at the end "},
      {"overlong \xC0\xAF", U"overlong À¯"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(DecodeText(test.bytes), test.expected) << test.bytes;
  }
}

// Proves where rows and pages end.
TEST(TextRowsTest, CutsRowsAndPages) {
  using Rows = std::vector<std::string>;
  EXPECT_EQ(RowsOf(""), Rows());
  EXPECT_EQ(RowsOf("a\n\nb"), (Rows{"0.0 a", "0.1 ", "0.2 b"}));
  EXPECT_EQ(RowsOf("a\n"), (Rows{"0.0 a"}));
  EXPECT_EQ(RowsOf("a\fb\n\f\fc\f"), (Rows{"0.0 a", "1.0 b", "3.0 c"}));
  const std::string word(40, 'w');
  EXPECT_EQ(RowsOf(StrCat(word, " ", word, " ", word)),
            (Rows{StrCat("0.0 ", word, " ", word, " >"), StrCat("0.1 ", word)}));
  const std::string long_word(100, 'x');
  EXPECT_EQ(RowsOf(long_word), (Rows{StrCat("0.0 ", std::string(90, 'x'), ">"), "0.1 xxxxxxxxxx"}));
  // Twice as wide, so half as many.
  std::string wide;
  for (int i = 0; i < 50; ++i) {
    wide += "\xE6\x97\xA5";
  }
  EXPECT_EQ(RowsOf(wide), (Rows{StrCat("0.0 ", std::string(45, '?'), ">"), "0.1 ?????"}));
  // Marks take no room.
  std::string marked;
  for (int i = 0; i < 90; ++i) {
    marked += "e\xCC\x81";
  }
  EXPECT_EQ(RowsOf(marked).size(), 1U);
  EXPECT_EQ(RowsOf(std::string(60, '\n')).back(), "0.59 ");
  EXPECT_EQ(RowsOf(std::string(61, '\n')).back(), "1.0 ");
  EXPECT_EQ(RowsOf(std::string(60, '\n') + "\fx").back(), "1.0 x");
}

// Proves that no text takes long to be cut: one line, one word, and marks alone, of the greatest
// length that is read.
TEST(TextRowsTest, TakesTimeForEachCharacterAlone) {
  for (const char32_t character : {U'x', U' ', U'\t', U'\u0301', U'日', U'\f'}) {
    const std::u32string text(4'000'000, character);
    TextRows rows(text);
    size_t length = 0;
    while (const auto row = rows.Next()) {
      length += row->text.size();
    }
    EXPECT_EQ(length, character == U'\f' ? 0 : text.size());
  }
}

// Proves what is told of a text file.
TEST_F(TextFileTest, TellsWhatAFileIs) {
  std::string lines;
  for (int i = 0; i < 125; ++i) {
    lines += "line\n";
  }
  const auto plain = Probe(darkroom_, lines, kPlain);
  ASSERT_TRUE(plain.ok()) << plain.error().message();
  EXPECT_EQ(plain->pages, 3);
  EXPECT_EQ(plain->title, "");
  EXPECT_NEAR(plain->height_points, 841.89, 0.01);
  const struct {
    std::string_view text;
    std::string_view title;
  } cases[] = {
      {"# Title\ntext", "Title"},
      {"text\n\n  ## *A* second ## \n", "*A* second"},
      {"#no heading\n    # code", ""},
      {"####### seven", ""},
      {"#", ""},
      {"# Gr\xFC\xDF"
       "e",
       "Grüße"},
      {"\n", ""},
  };
  for (const auto& test : cases) {
    const auto markdown = Probe(darkroom_, test.text, kMarkdown);
    ASSERT_TRUE(markdown.ok()) << test.text;
    EXPECT_EQ(markdown->title, test.title);
    EXPECT_EQ(markdown->pages, 1);
  }
}

// Proves that the text of a file is given page by page, whatever its encoding, and as it is in the
// file where it is too wide for a page.
TEST_F(TextFileTest, ReadsTheText) {
  std::string lines;
  std::string expected;
  for (int i = 0; i < 61; ++i) {
    lines += StrCat("caf\xE9 ", i, "\r\n");
    expected += StrCat(i == 60 ? "\f" : "", "café ", i, "\n");
  }
  const auto text = Text(darkroom_, lines, 10, kPlain);
  ASSERT_TRUE(text.ok()) << text.error().message();
  EXPECT_EQ(text->text, expected);
  EXPECT_EQ(text->pages, 2);
  EXPECT_TRUE(text->complete);
  const auto first = Text(darkroom_, lines, 1, kPlain);
  ASSERT_TRUE(first.ok()) << first.error().message();
  EXPECT_EQ(first->text, expected.substr(0, expected.find('\f')));
  EXPECT_FALSE(first->complete);
  const std::string wide(1'000, 'x');
  const auto whole = Text(darkroom_, wide, 10, kMarkdown);
  ASSERT_TRUE(whole.ok()) << whole.error().message();
  EXPECT_EQ(whole->text, wide + "\n");
}

// Proves that more text than may be kept is cut at the end of a row.
TEST_F(TextFileTest, CutsLongText) {
  const std::string line = std::string(79, 'x') + "\n";
  std::string lines;
  while (lines.size() < 5'000'000) {
    lines += line;
  }
  const auto text = Text(darkroom_, lines, kDocumentPagesMax, kPlain);
  ASSERT_TRUE(text.ok()) << text.error().message();
  EXPECT_FALSE(text->complete);
  EXPECT_LE(text->text.size(), kDocumentTextBytesMax);
  EXPECT_GT(text->text.size(), kDocumentTextBytesMax - 200);
  EXPECT_TRUE(text->text.ends_with('\n'));
}

// Proves that text is drawn in its rows and columns, that of other scripts too, as letters.
TEST_F(TextFileTest, DrawsPages) {
  const auto page = Draw(darkroom_, "Hello\n\n\tfar\n", 0, 1000, kPlain);
  ASSERT_TRUE(page.ok()) << page.error().message();
  EXPECT_EQ(page->height, 1000);
  EXPECT_EQ(page->width, 707);
  EXPECT_TRUE(page->grey);
  // The margin is 67 thousandths of the width and 47 of the height, a column 9.6, a row 15.
  const int64_t hello = page->DarkIn(67, 47, 116, 63);
  const int64_t far = page->DarkIn(143, 77, 174, 94);
  EXPECT_GT(hello, 50);
  EXPECT_GT(far, 30);
  EXPECT_EQ(hello + far, page->Dark());
  for (const char* word : {"Grüße", "Привет", "日本語", "한국어", "∑∞"}) {
    const auto other = Draw(darkroom_, word, 0, 1000, kPlain);
    ASSERT_TRUE(other.ok()) << word;
    EXPECT_GT(other->Dark(), 15) << word;
  }
  const auto second = Draw(darkroom_, std::string(60, '\n') + "x", 1, 500, kMarkdown);
  ASSERT_TRUE(second.ok()) << second.error().message();
  EXPECT_GT(second->Dark(), 0);
  const auto none = Draw(darkroom_, "x", 1, 500, kPlain);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().message(), "The document ends with page 1");
}

// Proves that no file is refused because of what is in it.
TEST_F(TextFileTest, DrawsAnyBytes) {
  std::string bytes;
  for (int i = 0; i < 256 * 40; ++i) {
    bytes.push_back(static_cast<char>(i * 7 + i / 256));
  }
  std::string marks = "e";
  for (int i = 0; i < 2'000'000; ++i) {
    marks += "\xCC\x81";
  }
  for (const std::string& file : {bytes, marks, std::string(9, '\0'), "\xFF\xFE"s, "\f"s}) {
    EXPECT_TRUE(Probe(darkroom_, file, kPlain).ok());
    EXPECT_TRUE(Draw(darkroom_, file, 0, 300, kPlain).ok());
    EXPECT_TRUE(Text(darkroom_, file, 9, kPlain).ok());
  }
  EXPECT_EQ(darkroom_.stats().started, 1U);
}

}  // namespace
}  // namespace tintype::darkroom::pages
