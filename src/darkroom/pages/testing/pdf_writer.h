#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tintype::darkroom::pages {

/// Writes small PDF files, with a table of parts that is right.
class PdfWriter {
 public:
  /// Adds a part, and returns its number: the first is 1, which is the catalog.
  int Add(std::string_view content);
  /// One with bytes after it. `entries` go into its dictionary, beside the length.
  int AddStream(std::string_view bytes, std::string_view entries = "");
  /// The number of the part that will be added next.
  int next() const { return static_cast<int>(parts_.size()) + 1; }

  /// `trailer` goes into the last dictionary, such as "/Info 5 0 R".
  std::string Take(std::string_view trailer = "") const;

 private:
  std::vector<std::string> parts_;
};

/// A reference to a part.
std::string Ref(int part);

/// How a document of SimplePdf is.
struct SimplePdfOptions {
  /// Of each page, in points: 612 x 792 is what Americans call letter.
  double width = 612;
  double height = 792;
  /// Further entries of each page, such as "/Rotate 90".
  std::string page_entries = "";
  /// Entries of each page's resources, beside the font /F.
  std::string resources = "";
  std::string font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
  /// Entries of the document's information, such as "/Title (A)".
  std::string info = "";
  std::string trailer = "";
};

/// A document with such pages, each from what it draws.
std::string SimplePdf(const std::vector<std::string>& contents,
                      const SimplePdfOptions& options = {});

/// What draws a line of text, from the left end of its first letter.
std::string DrawText(std::string_view text, double x, double y, double points = 24);

}  // namespace tintype::darkroom::pages
