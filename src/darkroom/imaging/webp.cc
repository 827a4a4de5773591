#include "darkroom/imaging/webp.h"

#include <webp/encode.h>

#include "base/check.h"
#include "base/strings.h"
#include "darkroom/failure.h"
#include "darkroom/imaging/guard.h"

namespace tintype::darkroom {
namespace {

/// A picture and the bytes that it is encoded to, freed in the end.
class WebpPicture {
 public:
  WebpPicture() {
    CHECK(WebPPictureInit(&picture_));
    WebPMemoryWriterInit(&writer_);
    picture_.writer = WebPMemoryWrite;
    picture_.custom_ptr = &writer_;
  }
  ~WebpPicture() {
    WebPPictureFree(&picture_);
    WebPMemoryWriterClear(&writer_);
  }
  WebpPicture(const WebpPicture&) = delete;
  WebpPicture& operator=(const WebpPicture&) = delete;

  bool Import(const vips::VImage& image, const uint8_t* pixels) {
    picture_.width = image.width();
    picture_.height = image.height();
    const int stride = image.width() * image.bands();
    return (image.bands() == 4 ? WebPPictureImportRGBA(&picture_, pixels, stride)
                               : WebPPictureImportRGB(&picture_, pixels, stride)) != 0;
  }
  // It only looks at the planes; what it is told to free is nothing.
  void Borrow(const YuvPicture& picture) {
    picture_.use_argb = 0;
    picture_.colorspace = WEBP_YUV420;
    picture_.width = picture.size.width;
    picture_.height = picture.size.height;
    picture_.y = const_cast<uint8_t*>(picture.y.Row(0));
    picture_.u = const_cast<uint8_t*>(picture.u.Row(0));
    picture_.v = const_cast<uint8_t*>(picture.v.Row(0));
    picture_.y_stride = picture.y.width();
    picture_.uv_stride = picture.u.width();
  }
  bool Encode(const WebPConfig& config) { return WebPEncode(&config, &picture_) != 0; }

  WebPEncodingError error() const { return picture_.error_code; }
  std::string bytes() const { return {reinterpret_cast<const char*>(writer_.mem), writer_.size}; }

 private:
  WebPPicture picture_;
  WebPMemoryWriter writer_;
};

Result<std::string> EncodePicture(WebpPicture& picture, const WebpEncoding& encoding) {
  WebPConfig config;
  CHECK(WebPConfigInit(&config));
  config.quality = static_cast<float>(encoding.quality);
  config.method = encoding.effort;
  if (picture.Encode(config)) {
    return picture.bytes();
  }
  // Without a reason when there was no memory to encode the alpha, which takes more than all the
  // rest.
  if (picture.error() == VP8_ENC_ERROR_OUT_OF_MEMORY ||
      picture.error() == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY || picture.error() == VP8_ENC_OK) {
    return OutOfMemory();
  }
  return MakeFailure(FailureKind::kTooLarge, StrCat("The image cannot be written as WebP (error ",
                                                    static_cast<int>(picture.error()), ")"));
}

}  // namespace

Result<std::string> EncodeWebp(const vips::VImage& image, const WebpEncoding& encoding) {
  CHECK(image.format() == VIPS_FORMAT_UCHAR && (image.bands() == 3 || image.bands() == 4));
  WebpPicture picture;
  // That can fail for want of memory alone.
  if (!picture.Import(image, static_cast<const uint8_t*>(image.data()))) {
    return OutOfMemory();
  }
  return EncodePicture(picture, encoding);
}

Result<std::string> EncodeWebp(const YuvPicture& image, const WebpEncoding& encoding) {
  CHECK(image.range == Range::kLimited);
  WebpPicture picture;
  picture.Borrow(image);
  return EncodePicture(picture, encoding);
}

}  // namespace tintype::darkroom
