#include "darkroom/pages/pdf.h"

#include <iconv.h>
#include <poppler-document.h>
#include <poppler-global.h>
#include <poppler-image.h>
#include <poppler-page-renderer.h>
#include <poppler-page.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/strings.h"
#include "darkroom/failure.h"
#include "darkroom/pages/fonts.h"
#include "darkroom/pages/kept_files.h"
#include "darkroom/pages/mapped_file.h"
#include "darkroom/pages/output.h"
#include "darkroom/pages/page_size.h"
#include "darkroom/pages/unicode.h"
#include "darkroom/pages/warm_up.h"
#include "darkroom/protocol/clean_text.h"

namespace tintype::darkroom::pages {
namespace {

// Where Debian has them, which is where its poppler looks.
constexpr char kPopplerData[] = "/usr/share/poppler";
// Readers look for the mark in so many bytes, since some files have others before it.
constexpr size_t kMarkBytesMax = 1024;
// What poppler takes.
constexpr int64_t kPdfBytesMax = std::numeric_limits<int>::max();
// So that a document that takes long gives some of its text, before the kernel ends the process.
constexpr int64_t kTextSecondsMax = 20;

int64_t ProcessorSeconds() {
  timespec used = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return used.tv_sec;
}

std::u32string CharactersOf(const poppler::ustring& text) {
  return DecodeUtf16({reinterpret_cast<const char16_t*>(text.data()), text.size()});
}

/// A title or an author. Poppler knows UTF-16 there, not the UTF-8 of later documents, of which it
/// takes each byte for a character.
std::string NameOf(const poppler::ustring& text) {
  std::u32string characters = CharactersOf(text);
  if (characters.starts_with(U"\u00EF\u00BB\u00BF")) {
    std::string bytes;
    for (const char32_t byte : std::u32string_view(characters).substr(3)) {
      bytes.push_back(static_cast<char>(byte));
    }
    return CleanText(bytes, kDocumentNameBytesMax);
  }
  std::string name;
  for (const char32_t character : std::u32string_view(characters).substr(0, 4'096)) {
    AppendUtf8(name, character);
  }
  return CleanText(name, kDocumentNameBytesMax);
}

/// An open document, with the bytes that it is read from.
class Pdf {
 public:
  static Result<Pdf> Open(int descriptor) {
    ASSIGN_OR_RETURN(MappedFile input, MappedFile::Map(descriptor, kPdfBytesMax));
    if (!input.complete()) {
      return MakeFailure(FailureKind::kTooLarge, "The document is too large to be read");
    }
    const std::string_view bytes = input.bytes();
    if (bytes.substr(0, kMarkBytesMax).find("%PDF-") == std::string_view::npos) {
      return MakeFailure(FailureKind::kNotAnImage, "The file is no PDF document");
    }
    std::unique_ptr<poppler::document> document(
        poppler::document::load_from_raw_data(bytes.data(), static_cast<int>(bytes.size())));
    if (document == nullptr) {
      return MakeFailure(FailureKind::kCorrupt, "The document is damaged beyond use");
    }
    if (document->is_locked()) {
      return MakeFailure(FailureKind::kUnsupportedType, "The document needs a password");
    }
    const int32_t pages = std::min(document->pages(), kDocumentPagesMax);
    if (pages < 1) {
      return MakeFailure(FailureKind::kCorrupt, "The document has no pages");
    }
    return Pdf(std::move(input), std::move(document), pages);
  }

  const poppler::document& document() const { return *document_; }
  int32_t pages() const { return pages_; }

  Result<std::unique_ptr<poppler::page>> PageAt(int32_t page) const {
    if (page >= pages_) {
      return MakeFailure(FailureKind::kInvalidRequest,
                         StrCat("The document ends with page ", pages_));
    }
    std::unique_ptr<poppler::page> found(document_->create_page(page));
    if (found == nullptr) {
      return MakeFailure(FailureKind::kCorrupt, "The page is damaged beyond use");
    }
    return found;
  }

 private:
  Pdf(MappedFile input, std::unique_ptr<poppler::document> document, int32_t pages)
      : input_(std::move(input)), document_(std::move(document)), pages_(pages) {}

  MappedFile input_;  // The document reads from it until it is gone.
  std::unique_ptr<poppler::document> document_;
  int32_t pages_;
};

struct PointSize {
  double width;
  double height;
};

/// As the page is looked at.
PointSize SizeOf(const poppler::page& page) {
  const poppler::rectf box = page.page_rect(poppler::crop_box);
  const auto turn = page.orientation();
  const bool lies = turn == poppler::page::landscape || turn == poppler::page::seascape;
  const PointSize size = {std::abs(box.width()), std::abs(box.height())};
  return lies ? PointSize{size.height, size.width} : size;
}

poppler::image Render(const poppler::page& page, const PageSize& size) {
  poppler::page_renderer renderer;
  renderer.set_render_hint(poppler::page_renderer::antialiasing);
  renderer.set_render_hint(poppler::page_renderer::text_antialiasing);
  renderer.set_image_format(poppler::image::format_rgb24);
  return renderer.render_page(&page, size.scale_x * 72, size.scale_y * 72, 0, 0, size.width,
                              size.height);
}

/// Appends the text of a page, with lines that end with a line feed.
void AppendPageText(const poppler::page& page, std::string& text) {
  // The whole page, in the order in which it is read.
  const auto layout = poppler::page::non_raw_non_physical_layout;
  const std::u32string characters = CharactersOf(page.text(poppler::rectf(), layout));
  const size_t begin = text.size();
  for (const char32_t character : characters) {
    // Poppler ends each page with a form feed of its own.
    if (character != '\f' && character != '\r') {
      AppendUtf8(text, character);
    }
    if (text.size() - begin > kDocumentTextBytesMax) {
      break;
    }
  }
  while (text.size() > begin && (text.back() == '\n' || text.back() == ' ')) {
    text.pop_back();
  }
  text += text.size() > begin ? "\n" : "";
}

/// Cuts a text to so many bytes, not within a character.
void CutText(std::string& text, size_t bytes_max) {
  if (text.size() > bytes_max) {
    while (bytes_max > 0 && (static_cast<unsigned char>(text[bytes_max]) & 0xC0U) == 0x80) {
      --bytes_max;
    }
    text.resize(bytes_max);
  }
}

/// Draws the document of warm_up.h and reads its text. It stays open, and with it poppler's tables,
/// which go with the last document.
void WarmUp() {
  static const poppler::document* const document = poppler::document::load_from_raw_data(
      kWarmUpDocument.data(), static_cast<int>(kWarmUpDocument.size()));
  CHECK(document != nullptr);
  const std::unique_ptr<poppler::page> page(document->create_page(0));
  if (page != nullptr) {
    Render(*page, {100, 100, 0.5, 0.5});
    std::string text;
    AppendPageText(*page, text);
  }
}

}  // namespace

void StartPoppler() {
  poppler::set_debug_error_function([](const std::string& /*message*/, void* /*nobody*/) {},
                                    nullptr);
  KeepFonts();
  for (const char* tables : {"cMap", "cidToUnicode", "unicodeMap"}) {
    KeptFiles::Instance().KeepFolder(StrCat(kPopplerData, "/", tables));
  }
  // poppler-cpp converts by iconv, which loads a library for this and unloads it after some use:
  // these are never closed.
  ::iconv_open("UTF-16LE", "UTF-8");
  ::iconv_open("UTF-8", "UTF-16LE");
  WarmUp();
  KeptFiles::Instance().Seal();
}

Result<DocumentProbe> ProbePdf(const ProbeDocumentRequest& request) {
  ASSIGN_OR_RETURN(const Pdf pdf, Pdf::Open(request.input));
  ASSIGN_OR_RETURN(const auto page, pdf.PageAt(0));
  const PointSize size = SizeOf(*page);
  if (!IsPageSize(size.width, size.height)) {
    return MakeFailure(FailureKind::kCorrupt, "The page has no size that makes sense");
  }
  DocumentProbe probe;
  probe.pages = pdf.pages();
  probe.title = NameOf(pdf.document().get_title());
  probe.author = NameOf(pdf.document().get_author());
  probe.width_points = size.width;
  probe.height_points = size.height;
  probe.encrypted = pdf.document().is_encrypted();
  return probe;
}

Result<DocumentPage> DrawPdf(const DocumentPageRequest& request, const PixelLimits& limits) {
  ASSIGN_OR_RETURN(const Pdf pdf, Pdf::Open(request.input));
  ASSIGN_OR_RETURN(const auto page, pdf.PageAt(request.page));
  const PointSize points = SizeOf(*page);
  ASSIGN_OR_RETURN(const PageSize size,
                   SizeOfPicture(points.width, points.height, request.longest_side, limits));
  poppler::image image = Render(*page, size);
  if (!image.is_valid() || image.width() != size.width || image.height() != size.height) {
    return MakeFailure(FailureKind::kCorrupt, "The page cannot be drawn");
  }
  ASSIGN_OR_RETURN(
      const int64_t bytes,
      WritePng(request.output, {reinterpret_cast<uint8_t*>(image.data()), size.width, size.height,
                                3, static_cast<size_t>(image.bytes_per_row())}));
  return DocumentPage{size.width, size.height, bytes};
}

Result<DocumentText> ReadPdf(const DocumentTextRequest& request) {
  ASSIGN_OR_RETURN(const Pdf pdf, Pdf::Open(request.input));
  const int64_t last_second = ProcessorSeconds() + kTextSecondsMax;
  const int32_t pages = std::min(pdf.pages(), request.pages_max);
  DocumentText read;
  read.pages = 0;
  std::string text;
  while (read.pages < pages && text.size() <= kDocumentTextBytesMax &&
         (read.pages == 0 || ProcessorSeconds() < last_second)) {
    text += read.pages > 0 ? "\f" : "";
    // One that is damaged has no text.
    if (const auto page = pdf.PageAt(read.pages); page.ok()) {
      AppendPageText(**page, text);
    }
    ++read.pages;
  }
  read.complete = read.pages == pdf.pages() && text.size() <= kDocumentTextBytesMax;
  CutText(text, kDocumentTextBytesMax);
  read.pages = static_cast<int32_t>(std::ranges::count(text, '\f')) + 1;
  ASSIGN_OR_RETURN(read.bytes, WriteText(request.output, text));
  return read;
}

}  // namespace tintype::darkroom::pages
