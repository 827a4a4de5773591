#include "darkroom/pages/testing/pdf_writer.h"

#include <cstdio>

#include "base/strings.h"

namespace tintype::darkroom::pages {

int PdfWriter::Add(std::string_view content) {
  parts_.emplace_back(content);
  return static_cast<int>(parts_.size());
}

int PdfWriter::AddStream(std::string_view bytes, std::string_view entries) {
  return Add(
      StrCat("<< /Length ", bytes.size(), " ", entries, " >>\nstream\n", bytes, "\nendstream"));
}

std::string PdfWriter::Take(std::string_view trailer) const {
  std::string file = "%PDF-1.7\n%\xE2\xE3\xCF\xD3\n";
  std::string table = "0000000000 65535 f \n";
  for (size_t i = 0; i < parts_.size(); ++i) {
    char entry[32] = {};
    std::snprintf(entry, sizeof(entry), "%010zu 00000 n \n", file.size());
    table += entry;
    file += StrCat(i + 1, " 0 obj\n", parts_[i], "\nendobj\n");
  }
  const size_t table_at = file.size();
  return StrCat(file, "xref\n0 ", parts_.size() + 1, "\n", table, "trailer\n<< /Size ",
                parts_.size() + 1, " /Root 1 0 R ", trailer, " >>\nstartxref\n", table_at,
                "\n%%EOF\n");
}

std::string Ref(int part) { return StrCat(part, " 0 R"); }

std::string SimplePdf(const std::vector<std::string>& contents, const SimplePdfOptions& options) {
  PdfWriter pdf;
  pdf.Add("<< /Type /Catalog /Pages 2 0 R >>");
  std::string kids;
  for (size_t i = 0; i < contents.size(); ++i) {
    kids += StrCat(5 + 2 * i, " 0 R ");
  }
  pdf.Add(StrCat("<< /Type /Pages /Kids [", kids, "] /Count ", contents.size(), " >>"));
  pdf.Add(options.font);
  pdf.Add(StrCat("<< ", options.info, " >>"));
  char box[96] = {};
  std::snprintf(box, sizeof(box), "[0 0 %.2f %.2f]", options.width, options.height);
  for (const std::string& content : contents) {
    pdf.Add(StrCat("<< /Type /Page /Parent 2 0 R /MediaBox ", box, " /Contents ",
                   Ref(pdf.next() + 1), " /Resources << /Font << /F 3 0 R >> ", options.resources,
                   " >> ", options.page_entries, " >>"));
    pdf.AddStream(content);
  }
  return pdf.Take(StrCat("/Info 4 0 R ", options.trailer));
}

std::string DrawText(std::string_view text, double x, double y, double points) {
  char place[96] = {};
  std::snprintf(place, sizeof(place), "BT /F %.1f Tf %.1f %.1f Td (", points, x, y);
  return StrCat(place, text, ") Tj ET\n");
}

}  // namespace tintype::darkroom::pages
