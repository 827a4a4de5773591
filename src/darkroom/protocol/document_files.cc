#include "darkroom/protocol/document_files.h"

#include "base/big_endian.h"
#include "darkroom/protocol/clean_text.h"

namespace tintype::darkroom {

bool IsPngOfSize(std::string_view first_bytes, int32_t width, int32_t height) {
  using namespace std::literals;
  constexpr std::string_view kBeginning = "\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR"sv;
  if (first_bytes.size() < kPngHeaderBytes || !first_bytes.starts_with(kBeginning)) {
    return false;
  }
  return width >= 0 && height >= 0 &&
         ReadBigEndian32(first_bytes.substr(16)) == static_cast<uint32_t>(width) &&
         ReadBigEndian32(first_bytes.substr(20)) == static_cast<uint32_t>(height);
}

bool IsDocumentText(std::string_view bytes, int32_t pages) {
  int64_t borders = 0;
  while (true) {
    const size_t end = bytes.find_first_of("\t\n\f");
    if (!IsCleanUtf8(bytes.substr(0, end))) {
      return false;
    }
    if (end == std::string_view::npos) {
      return borders + 1 == pages;
    }
    borders += bytes[end] == '\f' ? 1 : 0;
    bytes.remove_prefix(end + 1);
  }
}

}  // namespace tintype::darkroom
