#pragma once

#include <string_view>

namespace tintype::darkroom::pages {

/// A document with text in every font that readers have to have themselves, and in those of
/// Chinese, Japanese and Korean. Without a table of its parts, which poppler then makes itself.
inline constexpr std::string_view kWarmUpDocument = R"(%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font <<
/A << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>
/B << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>
/C << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Oblique >>
/D << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-BoldOblique >>
/E << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>
/F << /Type /Font /Subtype /Type1 /BaseFont /Times-Bold >>
/G << /Type /Font /Subtype /Type1 /BaseFont /Times-Italic >>
/H << /Type /Font /Subtype /Type1 /BaseFont /Times-BoldItalic >>
/I << /Type /Font /Subtype /Type1 /BaseFont /Courier >>
/J << /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold >>
/K << /Type /Font /Subtype /Type1 /BaseFont /Courier-Oblique >>
/L << /Type /Font /Subtype /Type1 /BaseFont /Courier-BoldOblique >>
/M << /Type /Font /Subtype /Type1 /BaseFont /Symbol >>
/N << /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>
/O << /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /90ms-RKSJ-H /DescendantFonts
[<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light
/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>] >>
>> >> >>
endobj
4 0 obj
<< /Length 222 >>
stream
BT 5 TL 5 180 Td /A 5 Tf (a)' /B 5 Tf (b)' /C 5 Tf (c)' /D 5 Tf (d)' /E 5 Tf (e)' /F 5 Tf (f)'
/G 5 Tf (g)' /H 5 Tf (h)' /I 5 Tf (i)' /J 5 Tf (j)' /K 5 Tf (k)' /L 5 Tf (l)' /M 5 Tf (m)'
/N 5 Tf (n)' /O 5 Tf <82A0>' ET
endstream
endobj
trailer
<< /Size 5 /Root 1 0 R >>
%%EOF
)";

}  // namespace tintype::darkroom::pages
