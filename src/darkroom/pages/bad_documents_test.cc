#include <zlib.h>

#include <random>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/strings.h"
#include "darkroom/pages/testing/pages_test.h"
#include "darkroom/pages/testing/pdf_writer.h"

// What becomes of documents that are not what they should be, and of those that mean harm.

namespace tintype::darkroom::pages {
namespace {

using namespace std::literals;

class BadDocumentsTest : public PagesTest {
 protected:
  static Config QuickConfig() {
    Config config = HelperConfig();
    config.limits.cpu_seconds = 1;
    config.limits.wall_ms = 20'000;
    return config;
  }
};

/// Encrypted by the standard handler, second revision. `user` is what poppler compares with that
/// which the user's password gives, in hexadecimal.
std::string EncryptedPdf(std::string_view user) {
  SimplePdfOptions options;
  options.trailer =
      StrCat("/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <", std::string(64, '5'), "> /U <",
             user, "> >> /ID [<0123456789ABCDEF> <0123456789ABCDEF>]");
  return SimplePdf({""}, options);
}
std::string LockedPdf() { return EncryptedPdf(std::string(64, '7')); }
// As an empty password gives it.
constexpr char kEmptyPassword[] =
    "19D4C9EFBCB486BB7E54BF4A7F95D0140E554AE1A59D4ADFAB1B270737CBD53E";

// Proves that a document whose password is empty is read, and that it is known to be encrypted.
TEST_F(BadDocumentsTest, OpensWhatNeedsNoPassword) {
  const auto open = Probe(darkroom_, EncryptedPdf(kEmptyPassword));
  ASSERT_TRUE(open.ok()) << open.error().message();
  EXPECT_TRUE(open->encrypted);
  EXPECT_EQ(open->pages, 1);
  EXPECT_TRUE(Draw(darkroom_, EncryptedPdf(kEmptyPassword)).ok());
}

// Proves which files are refused for good, and as what; the helper that refused them is well.
TEST_F(BadDocumentsTest, RefusesWhatIsNoDocument) {
  const struct {
    const char* name;
    std::string file;
    FailureKind expected;
  } cases[] = {
      {"empty", "", FailureKind::kNotAnImage},
      {"text", "just some text", FailureKind::kNotAnImage},
      {"the mark too late", std::string(2'000, ' ') + "%PDF-1.4\n", FailureKind::kNotAnImage},
      {"the mark alone", "%PDF-1.7\n", FailureKind::kCorrupt},
      {"the mark and noise", "%PDF-1.7\n" + std::string(5'000, 'x'), FailureKind::kCorrupt},
      {"without pages", SimplePdf({}), FailureKind::kCorrupt},
      {"with a password", LockedPdf(), FailureKind::kUnsupportedType},
  };
  for (const auto& test : cases) {
    const Error errors[] = {Probe(darkroom_, test.file).error(), Draw(darkroom_, test.file).error(),
                            Text(darkroom_, test.file).error()};
    for (const Error& error : errors) {
      EXPECT_EQ(FailureName(KindOf(error)), FailureName(test.expected))
          << test.name << ": " << error.message();
      EXPECT_TRUE(IsPermanent(error)) << test.name;
    }
  }
  EXPECT_EQ(Probe(darkroom_, LockedPdf()).error().message(), "The document needs a password");
  EXPECT_EQ(darkroom_.stats().started, 1U);
}

// Proves that a page that the document does not have is refused with the number of the last.
TEST_F(BadDocumentsTest, RefusesPagesThatThereAreNot) {
  const auto refused = Draw(darkroom_, SimplePdf({"", ""}), 2);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(KindOf(refused.error()), FailureKind::kInvalidRequest);
  EXPECT_EQ(refused.error().message(), "The document ends with page 2");
}

// Proves that a picture with more pixels than may be held is not begun.
TEST_F(BadDocumentsTest, CountsPixels) {
  Config config = HelperConfig();
  config.limits.pixels.pixels_held_whole = 500 * 386;
  Darkroom darkroom(config);
  EXPECT_TRUE(Draw(darkroom, SimplePdf({""}), 0, 500).ok());
  for (const char* type : {kPdf, kPlain}) {
    const auto refused = Draw(darkroom, SimplePdf({""}), 0, 600, type);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(KindOf(refused.error()), FailureKind::kTooLarge) << refused.error().message();
  }
}

// Proves that numbers in a document which are not so are not believed: neither how many pages it
// claims to have, nor where its table of parts is, nor the size of a page.
TEST_F(BadDocumentsTest, DoesNotBelieveNumbers) {
  const std::string one = SimplePdf({DrawText("one", 60, 700)});
  for (const char* count : {"1000000", "5", "0", "-1", "99999999999999999999"}) {
    std::string file = one;
    file.replace(file.find("/Count 1"), 8, StrCat("/Count ", count));
    const auto probe = Probe(darkroom_, file);
    if (!probe.ok()) {
      EXPECT_EQ(KindOf(probe.error()), FailureKind::kCorrupt) << count;
      continue;
    }
    EXPECT_LE(probe->pages, 5) << count;
    const auto text = Text(darkroom_, file);
    ASSERT_TRUE(text.ok()) << text.error().message();
    EXPECT_EQ(text->text.substr(0, 4), "one\n") << count;
    EXPECT_FALSE(Draw(darkroom_, file, 900'000).ok()) << count;
  }

  std::string lost = SimplePdf({DrawText("still there", 60, 700)});
  const size_t table = lost.find("startxref\n") + 10;
  lost.replace(table, lost.find('\n', table) - table, "7");
  const auto found = Text(darkroom_, lost);
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(found->text, "still there\n");

  for (const char* box : {"[0 0 1e30 1e30]", "[0 0 0 0]", "[5 5 5 900]", "[0 0 -612 -792]",
                          "[nonsense]", "[0 0 99999999999999999999999999 1]"}) {
    const std::string file =
        SimplePdf({"0 0 10 10 re f"}, {.page_entries = StrCat("/MediaBox ", box)});
    const auto page = Draw(darkroom_, file, 0, 64);
    const auto probe = Probe(darkroom_, file);
    EXPECT_EQ(page.ok(), probe.ok()) << box;
    if (!page.ok()) {
      EXPECT_EQ(KindOf(page.error()), FailureKind::kCorrupt) << box;
    }
  }
  EXPECT_EQ(darkroom_.stats().started, 1U);
}

// Proves that a page that draws itself, directly or by others, comes to an end.
TEST_F(BadDocumentsTest, EndsCircles) {
  PdfWriter pdf;
  pdf.Add("<< /Type /Catalog /Pages 2 0 R >>");
  pdf.Add("<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 2 >>");
  pdf.Add(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R "
      "/Resources << /XObject << /A 5 0 R /B 6 0 R >> >> >>");
  pdf.AddStream("/A Do 0 0 50 50 re f");
  const char* form =
      "/Type /XObject /Subtype /Form /BBox [0 0 100 100] "
      "/Resources << /XObject << /A 5 0 R /B 6 0 R >> >>";
  pdf.AddStream("/A Do /B Do", form);
  pdf.AddStream("/A Do", form);
  Darkroom darkroom(QuickConfig());
  const auto page = Draw(darkroom, pdf.Take(), 0, 64);
  if (!page.ok()) {
    EXPECT_EQ(KindOf(page.error()), FailureKind::kOutOfTime) << page.error().message();
  }
  EXPECT_TRUE(Draw(darkroom, SimplePdf({""}), 0, 64).ok());
}

/// Forms each of which draws the next one ten times: 10^12 squares.
std::string LaughingPdf() {
  PdfWriter pdf;
  pdf.Add("<< /Type /Catalog /Pages 2 0 R >>");
  pdf.Add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
  pdf.Add(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R "
      "/Resources << /XObject << /A 5 0 R >> >> >>");
  pdf.AddStream("/A Do");
  for (int level = 0; level < 12; ++level) {
    std::string ten;
    for (int i = 0; i < 10; ++i) {
      ten += level == 11 ? "0 0 50 50 re f\n" : "/A Do\n";
    }
    pdf.AddStream(ten, StrCat("/Type /XObject /Subtype /Form /BBox [0 0 100 100] "
                              "/Resources << /XObject << /A ",
                              pdf.next() + 1, " 0 R >> >>"));
  }
  return pdf.Take();
}

// Proves that a document which would take for ever is given up when its time is over, and that
// others are drawn after it.
TEST_F(BadDocumentsTest, GivesUpWhatTakesTooLong) {
  Darkroom darkroom(QuickConfig());
  const auto refused = Draw(darkroom, LaughingPdf(), 0, 64);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(FailureName(KindOf(refused.error())), FailureName(FailureKind::kOutOfTime));
  EXPECT_TRUE(Draw(darkroom, SimplePdf({""}), 0, 64).ok());
  EXPECT_EQ(darkroom.stats().started, 2U);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// A picture of so many pixels a side, in a few bytes for each thousand: runs of one grey.
std::string PictureBomb(int side) {
  std::string runs;
  // A run of 128 bytes takes two.
  for (int64_t i = 0; i < int64_t{side} * side / 128 && runs.size() < 4'000'000; ++i) {
    runs += "\x81\x20";
  }
  PdfWriter pdf;
  pdf.Add("<< /Type /Catalog /Pages 2 0 R >>");
  pdf.Add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
  pdf.Add(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R "
      "/Resources << /XObject << /I 5 0 R >> >> >>");
  pdf.AddStream("100 0 0 100 0 0 cm /I Do");
  pdf.AddStream(runs, StrCat("/Type /XObject /Subtype /Image /Width ", side, " /Height ", side,
                             " /BitsPerComponent 8 /ColorSpace /DeviceGray "
                             "/Filter /RunLengthDecode"));
  return pdf.Take();
}

// Proves that pictures which are far larger than their page are drawn or given up, within the
// limits, and that others are drawn after them.
TEST_F(BadDocumentsTest, BoundsPictures) {
  Config config = QuickConfig();
  config.limits.address_space_bytes = int64_t{1} << 30;
  Darkroom darkroom(config);
  const auto moderate = Draw(darkroom, PictureBomb(10'000), 0, 64);
  ASSERT_TRUE(moderate.ok()) << moderate.error().message();
  EXPECT_NEAR(moderate->At(32, 32)[0], 0x20, 1);
  for (const int side : {700'000'000, 2'000'000'000}) {
    if (const auto page = Draw(darkroom, PictureBomb(side), 0, 64); !page.ok()) {
      EXPECT_EQ(KindOf(page.error()), FailureKind::kOutOfMemory) << page.error().message();
    }
    EXPECT_TRUE(Draw(darkroom, SimplePdf({""}), 0, 64).ok()) << side;
  }
}

/// A path of so many lines, which takes 17 bytes for each in memory and next to none in the file.
std::string PathBomb(int lines) {
  std::string content = "0 0 m\n";
  for (int i = 0; i < lines; ++i) {
    content += "9 9 l\n";
  }
  std::string packed(::compressBound(content.size()), '\0');
  uLongf size = packed.size();
  CHECK(::compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                   reinterpret_cast<const Bytef*>(content.data()), content.size()) == Z_OK);
  packed.resize(size);
  PdfWriter pdf;
  pdf.Add("<< /Type /Catalog /Pages 2 0 R >>");
  pdf.Add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
  pdf.Add("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R >>");
  pdf.AddStream(packed, "/Filter /FlateDecode");
  return pdf.Take();
}

// Proves that a document which needs more memory than there is, is given up with words for it; that
// is nobody's crash, so the template stays.
TEST_F(BadDocumentsTest, GivesUpWhatNeedsTooMuchMemory) {
  Config config = QuickConfig();
  config.limits.address_space_bytes = int64_t{128} << 20;
  config.limits.cpu_seconds = 20;
  Darkroom darkroom(config);
  const auto refused = Draw(darkroom, PathBomb(8'000'000), 0, 64);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(FailureName(KindOf(refused.error())), FailureName(FailureKind::kOutOfMemory));
  EXPECT_EQ(refused.error().message(), "The document needs more memory than is allowed");
  EXPECT_TRUE(Draw(darkroom, SimplePdf({""}), 0, 64).ok());
  EXPECT_EQ(darkroom.stats().templates_started, 1U);
}
#endif

// Proves that nothing a document says it would like to do is done: it is drawn without it, by a
// helper that stays well.
TEST_F(BadDocumentsTest, DoesNothingThatADocumentWants) {
  PdfWriter pdf;
  pdf.Add(
      "<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (while (true) {}) >> "
      "/AA << /WC << /S /Launch /F (/bin/sh) >> >> "
      "/Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (/etc/passwd) "
      "/EF << /F 5 0 R >> >>] >> >> >>");
  pdf.Add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
  pdf.Add(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R "
      "/AA << /O << /S /URI /URI (http://127.0.0.1:9/) >> >> "
      "/Annots [<< /Type /Annot /Subtype /Movie /Rect [0 0 9 9] /Movie << /F (/etc/passwd) >> >>"
      "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /Launch /F (/bin/sh) >> >>] >>");
  pdf.AddStream("0 0 50 50 re f");
  pdf.AddStream("", "/F (/etc/passwd) /FFilter /FlateDecode");
  const auto page = Draw(darkroom_, pdf.Take(), 0, 100);
  ASSERT_TRUE(page.ok()) << page.error().message();
  EXPECT_EQ(page->At(25, 75)[0], 0);
  EXPECT_EQ(darkroom_.stats().started, 1U);
}

/// Several kinds of parts in little space, for damage to hit.
std::string RichPdf() {
  SimplePdfOptions options;
  options.info = "/Title (T) /Author <FEFF0041>";
  options.resources =
      "/ExtGState << /G << /ca 0.5 /BM /Multiply >> >> /Pattern << /P << /PatternType 2 /Shading "
      "<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 99 99] /Function << /FunctionType 2 "
      "/Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >> >> >>";
  return SimplePdf({DrawText("Hamburg", 10, 50) +
                        "q /G gs /Pattern cs /P scn 5 5 40 40 re f Q\n"
                        "q 20 0 0 20 70 70 cm BI /W 2 /H 2 /BPC 8 /CS /G ID \x10\x60\xA0\xF0 EI Q\n"
                        "0 1 1 0 k 10 10 m 20 90 80 90 90 10 c 3 w S",
                    DrawText("two", 10, 50)},
                   options);
}

// Proves that documents that end too early, wherever, are read as far as they go or refused.
TEST_F(BadDocumentsTest, SurvivesEarlyEnds) {
  const std::string whole = RichPdf();
  int refused = 0;
  for (size_t length = 1; length < whole.size(); length += 7) {
    const std::string file = whole.substr(0, length);
    const auto page = Draw(darkroom_, file, 0, 64);
    if (!page.ok()) {
      ++refused;
      EXPECT_TRUE(IsPermanent(page.error())) << length << ": " << page.error().message();
    }
  }
  EXPECT_GT(refused, 10);
  EXPECT_EQ(darkroom_.stats().started, 1U);
}

// Proves that damaged documents, whatever the damage, are read or refused in bounded time, and that
// others are read all the same. The seed is fixed.
TEST_F(BadDocumentsTest, SurvivesDamage) {
  Config config = HelperConfig();
  config.limits.cpu_seconds = 5;
  config.items_per_process = 100'000;
  Darkroom darkroom(config);
  const std::string whole = RichPdf();
  std::mt19937 random(7);
  int refused = 0;
  int died = 0;
  constexpr int kRounds = 1'000;
  const auto note = [&](const Error& error) { ++(IsPermanent(error) ? refused : died); };
  for (int i = 0; i < kRounds; ++i) {
    std::string damaged = whole;
    for (int change = 0; change < 6; ++change) {
      const size_t at = random() % damaged.size();
      if (change % 3 == 2) {
        // A piece of it elsewhere.
        damaged.insert(at, whole.substr(random() % whole.size(), random() % 40));
      } else {
        damaged[at] = static_cast<char>(random());
      }
    }
    // What no PDF would be refused at once for.
    damaged.replace(0, 5, "%PDF-");
    if (const auto page = Draw(darkroom, damaged, 0, 64); !page.ok()) {
      note(page.error());
    }
    if (const auto text = Text(darkroom, damaged); !text.ok()) {
      note(text.error());
    }
    if (const auto probe = Probe(darkroom, damaged); !probe.ok()) {
      note(probe.error());
    }
  }
  for (int i = 0; i < 300; ++i) {
    std::string noise = "%PDF-1.7\n";
    for (size_t length = 1 + random() % 3'000; length > 0; --length) {
      noise.push_back(static_cast<char>(random()));
    }
    const auto page = Draw(darkroom, noise, 0, 64);
    ASSERT_FALSE(page.ok());
    note(page.error());
  }
  EXPECT_GT(refused, 300);
  EXPECT_LE(died, 3) << "of " << 3 * kRounds;
  const auto text = Text(darkroom, whole);
  ASSERT_TRUE(text.ok()) << text.error().message();
  EXPECT_EQ(text->text.substr(0, 8), "Hamburg\n");
}

}  // namespace
}  // namespace tintype::darkroom::pages
