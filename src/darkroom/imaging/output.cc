#include "darkroom/imaging/output.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/strings.h"
#include "darkroom/failure.h"
#include "darkroom/imaging/pixels.h"
#include "darkroom/imaging/planes/jpeg_writer.h"
#include "darkroom/imaging/webp.h"
#include "darkroom/protocol/messages.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

// The bytes of a blob, which is freed.
std::string Take(VipsBlob* owned) {
  const auto unref = [](VipsBlob* blob) { vips_area_unref(VIPS_AREA(blob)); };
  const std::unique_ptr<VipsBlob, decltype(unref)> blob(owned);
  size_t size = 0;
  const auto* bytes = static_cast<const char*>(vips_blob_get(blob.get(), &size));
  return {bytes, size};
}

std::string EncodeJpeg(const VImage& image, int32_t quality) {
  return Take(OnWhite(image).jpegsave_buffer(
      VImage::option()->set("Q", quality)->set("optimize_coding", true)->set("strip", true)));
}

// libvips counts the effort of this encoder to 9. At 2 a picture of 1024 pixels takes a quarter of
// a second, at 4 more than one, which nobody waits for.
std::string EncodeAvif(const VImage& image, const Encoding& encoding) {
  constexpr int32_t kLessEffort = 2;
  const int32_t effort = std::max(0, encoding.effort - kLessEffort);
  return Take(image.heifsave_buffer(VImage::option()
                                        ->set("compression", VIPS_FOREIGN_HEIF_COMPRESSION_AV1)
                                        ->set("Q", encoding.quality)
                                        ->set("effort", effort)
                                        ->set("subsample_mode", VIPS_FOREIGN_SUBSAMPLE_ON)
                                        ->set("strip", true)));
}

Result<std::string> Encode(const VImage& image, const Encoding& encoding) {
  if (encoding.format == OutputFormat::kJpeg) {
    return EncodeJpeg(image, encoding.quality);
  }
  if (encoding.format == OutputFormat::kAvif) {
    return EncodeAvif(image, encoding);
  }
  if (std::max(image.width(), image.height()) > kWebpSideMax) {
    return MakeFailure(FailureKind::kTooLarge,
                       StrCat("WebP has at most ", kWebpSideMax, " pixels a side"));
  }
  return EncodeWebp(image, {encoding.quality, encoding.effort});
}

Result<std::string> Encode(const YuvPicture& picture, const Encoding& encoding) {
  if (encoding.format == OutputFormat::kJpeg) {
    return EncodeJpeg(picture, encoding.quality);
  }
  CHECK(encoding.format == OutputFormat::kWebp);
  return EncodeWebp(picture, {encoding.quality, encoding.effort});
}

Status WriteWhole(int output, std::string_view bytes) {
  bool failed = ::ftruncate(output, 0) != 0;
  size_t written = 0;
  while (!failed && written < bytes.size()) {
    const ssize_t count = ::pwrite(output, bytes.data() + written, bytes.size() - written,
                                   static_cast<off_t>(written));
    failed = count < 0 && errno != EINTR;
    written += count > 0 ? static_cast<size_t>(count) : 0;
  }
  if (failed) {
    return MakeFailure(FailureKind::kOutput,
                       StrCat("A rendition cannot be written: ", std::strerror(errno)));
  }
  return OkStatus();
}

}  // namespace

std::optional<Range> RangeFor(OutputFormat format) {
  switch (format) {
    case OutputFormat::kWebp:
      return Range::kLimited;
    case OutputFormat::kJpeg:
      return Range::kFull;
    default:
      return std::nullopt;
  }
}

Result<int64_t> WriteImage(const YuvPicture& picture, const Encoding& encoding, int output) {
  ASSIGN_OR_RETURN(const std::string bytes, Encode(picture, encoding));
  RETURN_IF_ERROR(WriteWhole(output, bytes));
  return static_cast<int64_t>(bytes.size());
}

Result<int64_t> WriteImage(const VImage& image, const Encoding& encoding, int output) {
  ASSIGN_OR_RETURN(const std::string bytes, Encode(image, encoding));
  RETURN_IF_ERROR(WriteWhole(output, bytes));
  return static_cast<int64_t>(bytes.size());
}

}  // namespace tintype::darkroom
