#include "darkroom/imaging/planes/webp_reader.h"

#include <unistd.h>
#include <webp/decode.h>

#include <cerrno>
#include <cstddef>
#include <vector>

#include "base/check.h"

namespace tintype::darkroom {
namespace {

// Of a file that is read whole here; a larger one is for libvips.
constexpr off_t kFileBytesMax = off_t{64} << 20;
// How WebP calls files with loss.
constexpr int kLossy = 1;

size_t BytesOf(const Plane& plane) {
  return static_cast<size_t>(plane.width()) * static_cast<size_t>(plane.height());
}

}  // namespace

std::vector<uint8_t> ReadWholeFile(int input) {
  // The sandbox has no call that tells the size.
  const off_t size = ::lseek(input, 0, SEEK_END);
  if (size <= 0 || size > kFileBytesMax) {
    return {};
  }
  std::vector<uint8_t> bytes(static_cast<size_t>(size));
  size_t read = 0;
  while (read < bytes.size()) {
    const ssize_t count =
        ::pread(input, &bytes[read], bytes.size() - read, static_cast<off_t>(read));
    if (count == 0 || (count < 0 && errno != EINTR)) {
      return {};
    }
    read += count > 0 ? static_cast<size_t>(count) : 0;
  }
  return bytes;
}

std::optional<YuvPicture> ReadWebpPlanes(int input) {
  const std::vector<uint8_t> bytes = ReadWholeFile(input);
  WebPDecoderConfig config;
  CHECK(WebPInitDecoderConfig(&config));
  const WebPBitstreamFeatures& features = config.input;
  if (bytes.empty() ||
      WebPGetFeatures(bytes.data(), bytes.size(), &config.input) != VP8_STATUS_OK ||
      features.format != kLossy || features.has_alpha != 0 || features.has_animation != 0) {
    return std::nullopt;
  }
  YuvPicture picture;
  picture.size = {features.width, features.height};
  picture.range = Range::kLimited;
  picture.y = Plane(picture.size);
  picture.u = Plane(ColorSizeOf(picture.size));
  picture.v = Plane(ColorSizeOf(picture.size));
  config.output.colorspace = MODE_YUV;
  config.output.is_external_memory = 1;
  WebPYUVABuffer& planes = config.output.u.YUVA;
  planes.y = picture.y.Row(0);
  planes.u = picture.u.Row(0);
  planes.v = picture.v.Row(0);
  planes.y_stride = picture.y.width();
  planes.u_stride = picture.u.width();
  planes.v_stride = picture.v.width();
  planes.y_size = BytesOf(picture.y);
  planes.u_size = BytesOf(picture.u);
  planes.v_size = BytesOf(picture.v);
  const bool decoded = WebPDecode(bytes.data(), bytes.size(), &config) == VP8_STATUS_OK;
  WebPFreeDecBuffer(&config.output);
  return decoded ? std::optional(std::move(picture)) : std::nullopt;
}

}  // namespace tintype::darkroom
