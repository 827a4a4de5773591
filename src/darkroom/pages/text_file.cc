#include "darkroom/pages/text_file.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/strings.h"
#include "darkroom/failure.h"
#include "darkroom/pages/mapped_file.h"
#include "darkroom/pages/output.h"
#include "darkroom/pages/page_size.h"
#include "darkroom/pages/text_lines.h"
#include "darkroom/pages/unicode.h"
#include "darkroom/protocol/clean_text.h"

namespace tintype::darkroom::pages {
namespace {

struct TextFile {
  std::u32string text;
  bool complete = true;
};

Result<TextFile> ReadText(int descriptor) {
  ASSIGN_OR_RETURN(const MappedFile input, MappedFile::Map(descriptor, kTextFileBytesMax));
  return TextFile{DecodeText(input.bytes()), input.complete()};
}

/// The first heading of a Markdown file, or nothing.
std::string FirstHeading(std::u32string_view text) {
  while (!text.empty()) {
    std::u32string_view line = text.substr(0, text.find(U'\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const size_t indent = std::min(line.find_first_not_of(U' '), line.size());
    line.remove_prefix(indent);
    const size_t level = std::min(line.find_first_not_of(U'#'), line.size());
    if (indent > 3 || level < 1 || level > 6 || level == line.size() || line[level] != ' ') {
      continue;
    }
    line.remove_prefix(level);
    line = line.substr(0, line.find_last_not_of(U' ') + 1);
    // Marks may close it as well.
    if (const size_t last = line.find_last_not_of(U'#');
        last != std::u32string_view::npos && line[last] == ' ') {
      line = line.substr(0, last);
    }
    std::string heading;
    for (const char32_t character : line.substr(0, kDocumentNameBytesMax)) {
      AppendUtf8(heading, character);
    }
    return CleanText(heading, kDocumentNameBytesMax);
  }
  return "";
}

int32_t CountPages(std::u32string_view text) {
  int64_t last = 0;
  TextRows rows(text);
  while (const auto row = rows.Next()) {
    last = row->page;
  }
  return static_cast<int32_t>(std::min<int64_t>(last + 1, kDocumentPagesMax));
}

}  // namespace

Result<DocumentProbe> ProbeTextFile(const ProbeDocumentRequest& request) {
  ASSIGN_OR_RETURN(const TextFile file, ReadText(request.input));
  DocumentProbe probe;
  probe.pages = CountPages(file.text);
  probe.width_points = kTextWidthPoints;
  probe.height_points = kTextHeightPoints;
  if (request.media_type == "text/markdown") {
    probe.title = FirstHeading(file.text);
  }
  return probe;
}

Result<DocumentPage> DrawTextFile(const DocumentPageRequest& request, const PixelLimits& limits,
                                  TextDrawing& drawing) {
  ASSIGN_OR_RETURN(const PageSize size, SizeOfPicture(kTextWidthPoints, kTextHeightPoints,
                                                      request.longest_side, limits));
  ASSIGN_OR_RETURN(const TextFile file, ReadText(request.input));
  std::vector<TextRow> shown;
  int64_t last = 0;
  TextRows rows(file.text);
  while (const auto row = rows.Next()) {
    last = row->page;
    if (row->page > request.page) {
      break;
    }
    if (row->page == request.page) {
      shown.push_back(*row);
    }
  }
  if (request.page > last) {
    return MakeFailure(FailureKind::kInvalidRequest,
                       StrCat("The document ends with page ", last + 1));
  }
  std::vector<uint8_t> pixels = drawing.Draw(shown, size.width, size.height);
  ASSIGN_OR_RETURN(const int64_t bytes,
                   WritePng(request.output, {pixels.data(), size.width, size.height, 1,
                                             static_cast<size_t>(size.width)}));
  return DocumentPage{size.width, size.height, bytes};
}

Result<DocumentText> ReadTextFile(const DocumentTextRequest& request) {
  ASSIGN_OR_RETURN(const TextFile file, ReadText(request.input));
  DocumentText text;
  text.complete = file.complete;
  std::string written;
  TextRows rows(file.text);
  while (const auto row = rows.Next()) {
    if (row->page >= request.pages_max) {
      text.complete = false;
      break;
    }
    std::string added(static_cast<size_t>(row->page + 1 - text.pages), '\f');
    for (const char32_t character : row->text) {
      AppendUtf8(added, character);
    }
    added += row->wrapped ? "" : "\n";
    if (written.size() + added.size() > kDocumentTextBytesMax) {
      text.complete = false;
      break;
    }
    written += added;
    text.pages = static_cast<int32_t>(row->page) + 1;
  }
  ASSIGN_OR_RETURN(text.bytes, WriteText(request.output, written));
  return text;
}

}  // namespace tintype::darkroom::pages
