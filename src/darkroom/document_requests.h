#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tintype::darkroom {

// Requests about documents: "application/pdf", "text/plain" and "text/markdown", for the helpers
// for pages. As in requests.h, descriptors stay the caller's. A document that opens with a password
// alone is refused. Text files have pages of 60 lines with 90 columns, of the size A4.

/// Asks what a document is.
struct ProbeDocumentRequest {
  int input = -1;
  std::string media_type = {};
};

struct DocumentProbe {
  /// At least one; the first kDocumentPagesMax count.
  int32_t pages = 1;
  /// What the document says about itself, or empty; of Markdown, the first heading. Valid UTF-8
  /// without control characters, at most kDocumentNameBytesMax.
  std::string title;
  std::string author;
  /// Of the first page as it is looked at, in points of 1/72 inch.
  double width_points = 0;
  double height_points = 0;
  /// It is encrypted, but opens without a password.
  bool encrypted = false;
};
inline constexpr int32_t kDocumentPagesMax = 1'000'000;
inline constexpr size_t kDocumentNameBytesMax = 512;
/// PDF ends at 14,400 unless a page says that its points are larger ones.
inline constexpr double kPagePointsMax = 1'000'000;

/// Asks for a picture of a page, on white, as a PNG file in sRGB: what is small or large in points
/// has the same longest side.
struct DocumentPageRequest {
  int input = -1;
  std::string media_type = {};
  /// From 0. One that the document does not have is refused as kInvalidRequest.
  int32_t page = 0;
  /// In pixels, 1 to kPageSideMax.
  int32_t longest_side = 2048;
  int output = -1;
};
inline constexpr int32_t kPageSideMax = 8192;

/// The longer of the two sides is the one that was asked for.
struct DocumentPage {
  int32_t width = 0;
  int32_t height = 0;
  int64_t bytes = 0;
};

/// Asks for the text of a document, in the order in which it is read: UTF-8 in `output`, with lines
/// that end with a line feed, and a form feed between pages.
struct DocumentTextRequest {
  int input = -1;
  std::string media_type = {};
  /// 1 to kDocumentPagesMax: those after it are left out.
  int32_t pages_max = 500;
  int output = -1;
};

/// How many bytes of the output are the text. There are no control characters in it but tab, line
/// feed, and one form feed less than there are pages.
struct DocumentText {
  int64_t bytes = 0;
  /// Those whose text was looked for; an empty one counts.
  int32_t pages = 1;
  /// False when pages were left out, or the end of what would be longer than
  /// kDocumentTextBytesMax.
  bool complete = true;
};
inline constexpr size_t kDocumentTextBytesMax = size_t{4} << 20;

}  // namespace tintype::darkroom
