#include <algorithm>
#include <string>
#include <vector>

#include "base/strings.h"
#include "darkroom/pages/testing/pages_test.h"
#include "darkroom/pages/testing/pdf_writer.h"

// What the real helper makes of PDF documents that are well.

namespace tintype::darkroom::pages {
namespace {

using namespace std::literals;

class PdfTest : public PagesTest {};

// Proves what is told of a document: pages, size as it is looked at, title and author in each of
// the encodings that there are.
TEST_F(PdfTest, TellsWhatADocumentIs) {
  const auto plain = Probe(darkroom_, SimplePdf({"", "", ""}, {.width = 595.28,
                                                               .height = 841.89,
                                                               .info = "/Title (Annual report) "
                                                                       "/Author (Ada)"}));
  ASSERT_TRUE(plain.ok()) << plain.error().message();
  EXPECT_EQ(plain->pages, 3);
  EXPECT_EQ(plain->title, "Annual report");
  EXPECT_EQ(plain->author, "Ada");
  EXPECT_NEAR(plain->width_points, 595.28, 0.01);
  EXPECT_NEAR(plain->height_points, 841.89, 0.01);
  EXPECT_FALSE(plain->encrypted);

  const auto turned =
      Probe(darkroom_, SimplePdf({""}, {.page_entries = "/Rotate 90",
                                        .info = "/Title <FEFF65E5672C8A9E0007D83DDE00D83D>"}));
  ASSERT_TRUE(turned.ok()) << turned.error().message();
  EXPECT_NEAR(turned->width_points, 792, 0.01);
  EXPECT_NEAR(turned->height_points, 612, 0.01);
  EXPECT_EQ(turned->title, "日本語 😀\uFFFD");
  EXPECT_EQ(turned->author, "");

  const auto utf8 =
      Probe(darkroom_,
            SimplePdf({""}, {.page_entries = "/CropBox [100 100 300 200]",
                             .info = StrCat("/Title (\xEF\xBB\xBFGr\xC3\xBC\xC3\x9F\x65) /Author (",
                                            std::string(5'000, 'x'), ")")}));
  ASSERT_TRUE(utf8.ok()) << utf8.error().message();
  EXPECT_EQ(utf8->title, "Grüße");
  EXPECT_EQ(utf8->author, std::string(kDocumentNameBytesMax, 'x'));
  EXPECT_NEAR(utf8->width_points, 200, 0.01);
  EXPECT_NEAR(utf8->height_points, 100, 0.01);
}

// Proves that text in a font that the document does not bring along is drawn where it belongs, by
// a helper that is in its sandbox: the font is one that the template has kept.
TEST_F(PdfTest, DrawsTextInFontsThatItHasItself) {
  const std::string file = SimplePdf({DrawText("Hello", 60, 700), DrawText("second", 300, 100)});
  const auto first = Draw(darkroom_, file);
  ASSERT_TRUE(first.ok()) << first.error().message();
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_TRUE(darkroom_.sandboxed());
#endif
  EXPECT_EQ(first->height, 800);
  EXPECT_EQ(first->width, 618);
  EXPECT_TRUE(first->grey);
  EXPECT_GT(first->Dark(), 150);
  // All of it: 60 to 130 points from the left, 70 to 95 from the top.
  EXPECT_EQ(first->DarkIn(90, 80, 215, 130), first->Dark());
  // Letters, not boxes in their stead: there is white between them.
  EXPECT_LT(first->DarkIn(98, 92, 205, 118), 618 * 107 / 1000 * 800 * 26 / 1000 / 2);

  const auto second = Draw(darkroom_, file, 1);
  ASSERT_TRUE(second.ok()) << second.error().message();
  EXPECT_GT(second->Dark(), 150);
  EXPECT_EQ(second->DarkIn(480, 840, 640, 890), second->Dark());
}

// Proves that each of the fonts that readers have to have is drawn, and differently.
TEST_F(PdfTest, KnowsTheFontsThatReadersHave) {
  std::vector<std::string> files;
  for (const char* font : {"Helvetica", "Helvetica-Bold", "Times-Roman", "Times-Italic", "Courier",
                           "Courier-Bold", "Symbol", "ArialMT", "NobodyHasThisOne"}) {
    const auto page = Draw(
        darkroom_,
        SimplePdf({DrawText("Hamburg", 60, 700)},
                  {.font = StrCat("<< /Type /Font /Subtype /TrueType /BaseFont /", font, " >>")}));
    ASSERT_TRUE(page.ok()) << font;
    EXPECT_GT(page->Dark(), 100) << font;
    files.push_back(page->file);
  }
  EXPECT_NE(files[0], files[1]);
  EXPECT_NE(files[0], files[2]);
  EXPECT_NE(files[0], files[4]);
  EXPECT_NE(files[2], files[3]);
}

/// A font for Japanese that the document names only, in an encoding of which poppler has the table.
constexpr char kJapaneseFont[] =
    "<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /UniJIS-UTF16-H "
    "/DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light "
    "/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> "
    "/FontDescriptor << /Type /FontDescriptor /FontName /Ryumin-Light /Flags 4 "
    "/FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /StemV 80 >> >>] >>";

// Proves that Japanese is drawn and read, in a font and by a table that are the helper's own.
TEST_F(PdfTest, ReadsJapanese) {
  const std::string content = "BT /F 24 Tf 60 700 Td <65E5672C8A9E> Tj ET";
  const std::string file = SimplePdf({content}, {.font = kJapaneseFont});
  const auto text = Text(darkroom_, file);
  ASSERT_TRUE(text.ok()) << text.error().message();
  EXPECT_EQ(text->text, "日本語\n");
  const auto page = Draw(darkroom_, file);
  ASSERT_TRUE(page.ok()) << page.error().message();
  EXPECT_GT(page->DarkIn(90, 80, 230, 130), 150);
}

// Proves that the text is what the document says, in its order, with a form feed between pages.
TEST_F(PdfTest, ReadsTheText) {
  const std::string file = SimplePdf(
      {
          DrawText("Second line", 60, 600) + DrawText("First line", 60, 700),
          "",
          DrawText("Caf\351 \\(b\\)", 60, 700),
      },
      {.font =
           "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"});
  const auto text = Text(darkroom_, file);
  ASSERT_TRUE(text.ok()) << text.error().message();
  EXPECT_EQ(text->text, "First line\n\nSecond line\n\f\fCafé (b)\n");
  EXPECT_EQ(text->pages, 3);
  EXPECT_TRUE(text->complete);

  const auto part = Text(darkroom_, file, 2);
  ASSERT_TRUE(part.ok()) << part.error().message();
  EXPECT_EQ(part->text, "First line\n\nSecond line\n\f");
  EXPECT_EQ(part->pages, 2);
  EXPECT_FALSE(part->complete);
}

// Proves that text is read again and again, which depends on a converter of characters that the C
// library would unload and could not load again in the sandbox.
TEST_F(PdfTest, ReadsTheTextAgainAndAgain) {
  for (int i = 0; i < 20; ++i) {
    const auto text = Text(darkroom_, SimplePdf({DrawText(StrCat("Number ", i), 60, 700)}));
    ASSERT_TRUE(text.ok()) << text.error().message();
    EXPECT_EQ(text->text, StrCat("Number ", i, "\n"));
  }
}

// Proves that text which is longer than may be kept is cut at a character, and that this is told.
TEST_F(PdfTest, CutsLongText) {
  std::string content = "BT /F 6 Tf 6 TL 0 780 Td\n";
  for (int row = 0; row < 100; ++row) {
    content += StrCat("(", std::string(100, '\351'), ")'\n");
  }
  const std::vector<std::string> contents(300, content + "ET");
  const auto text =
      Text(darkroom_, SimplePdf(contents, {.font = "<< /Type /Font /Subtype /Type1 /BaseFont "
                                                   "/Helvetica /Encoding /WinAnsiEncoding >>"}));
  ASSERT_TRUE(text.ok()) << text.error().message();
  EXPECT_FALSE(text->complete);
  EXPECT_LE(text->text.size(), kDocumentTextBytesMax);
  EXPECT_GT(text->text.size(), kDocumentTextBytesMax - 4);
  EXPECT_LT(text->pages, 300);
  EXPECT_EQ(std::ranges::count(text->text, '\f') + 1, text->pages);
}

// Proves that a page is drawn as it is looked at: turned, in colour, as far as its edges.
TEST_F(PdfTest, TurnsPages) {
  // Red along the upper edge of the paper, which is the right one of what is looked at.
  const std::string content = "1 0 0 rg 0 692 612 100 re f";
  const auto upright = Draw(darkroom_, SimplePdf({content}));
  ASSERT_TRUE(upright.ok()) << upright.error().message();
  EXPECT_FALSE(upright->grey);
  EXPECT_EQ(upright->At(300, 20)[0], 255);
  EXPECT_EQ(upright->At(300, 20)[1], 0);
  EXPECT_EQ(upright->At(300, 400)[1], 255);
  const auto turned = Draw(darkroom_, SimplePdf({content}, {.page_entries = "/Rotate 90"}));
  ASSERT_TRUE(turned.ok()) << turned.error().message();
  EXPECT_EQ(turned->width, 800);
  EXPECT_EQ(turned->height, 618);
  EXPECT_EQ(turned->At(780, 300)[1], 0);
  EXPECT_EQ(turned->At(20, 300)[1], 255);
  // The crop box is what counts.
  const auto cut =
      Draw(darkroom_, SimplePdf({content}, {.page_entries = "/CropBox [0 692 200 792]"}));
  ASSERT_TRUE(cut.ok()) << cut.error().message();
  EXPECT_EQ(cut->width, 800);
  EXPECT_EQ(cut->height, 400);
  EXPECT_EQ(cut->At(0, 0)[1], 0);
  EXPECT_EQ(cut->At(799, 399)[1], 0);
}

// Proves that pictures in a document are drawn.
TEST_F(PdfTest, DrawsPictures) {
  PdfWriter pdf;
  pdf.Add("<< /Type /Catalog /Pages 2 0 R >>");
  pdf.Add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
  pdf.Add(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R "
      "/Resources << /XObject << /I 5 0 R >> >> >>");
  pdf.AddStream("100 0 0 100 0 0 cm /I Do");
  pdf.AddStream("\xFF\x00\x00\x00\xFF\x00\x00\x00\xFF\xFF\xFF\xFF"s,
                "/Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 "
                "/ColorSpace /DeviceRGB");
  const auto page = Draw(darkroom_, pdf.Take(), 0, 100);
  ASSERT_TRUE(page.ok()) << page.error().message();
  const auto color = [&](int32_t x, int32_t y) {
    const uint8_t* pixel = page->At(x, y);
    return std::vector<int>(pixel, pixel + 3);
  };
  EXPECT_EQ(color(25, 25), (std::vector{255, 0, 0}));
  EXPECT_EQ(color(75, 25), (std::vector{0, 255, 0}));
  EXPECT_EQ(color(25, 75), (std::vector{0, 0, 255}));
  EXPECT_EQ(color(75, 75), (std::vector{255, 255, 255}));
}

// Proves that a page has the longest side that was asked for, however large or flat it is itself.
TEST_F(PdfTest, DrawsPagesOfAnySize) {
  const struct {
    double width;
    double height;
    int32_t longest_side;
    int32_t expected_width;
    int32_t expected_height;
  } cases[] = {
      {14'400, 14'400, 2048, 2048, 2048},
      {1, 1, 2048, 2048, 2048},
      {14'400, 1, 2048, 2048, 1},
      {1, 14'400, 64, 1, 64},
      {612, 792, 1, 1, 1},
      {200'000, 100'000, 300, 300, 150},
      {595.28, 841.89, 4096, 2896, 4096},
  };
  for (const auto& test : cases) {
    const auto page = Draw(darkroom_,
                           SimplePdf({"0 0 1 rg 0 0 200000 200000 re f"},
                                     {.width = test.width, .height = test.height}),
                           0, test.longest_side);
    ASSERT_TRUE(page.ok()) << test.width << " x " << test.height << ": " << page.error().message();
    EXPECT_EQ(page->width, test.expected_width);
    EXPECT_EQ(page->height, test.expected_height);
    EXPECT_EQ(page->At(0, 0)[2], 255);
    EXPECT_EQ(page->At(0, 0)[0], 0);
  }
}

}  // namespace
}  // namespace tintype::darkroom::pages
