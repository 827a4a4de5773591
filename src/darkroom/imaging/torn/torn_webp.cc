#include "darkroom/imaging/torn/torn_webp.h"

#include <webp/decode.h>
#include <webp/demux.h>

#include <memory>
#include <vector>

#include "darkroom/failure.h"
#include "darkroom/imaging/planes/webp_reader.h"

namespace tintype::darkroom {
namespace {

constexpr int kBands = 4;
constexpr uint8_t kGrey = 128;
constexpr uint8_t kOpaque = 255;

Error NothingThere() {
  return MakeFailure(FailureKind::kCorrupt,
                     "The file ends before its picture begins; upload the whole file");
}

struct Demuxed {
  void operator()(WebPDemuxer* demuxer) const { WebPDemuxDelete(demuxer); }
};
struct Decoded {
  void operator()(WebPIDecoder* decoder) const { WebPIDelete(decoder); }
};

/// The picture that is first in a file.
class FirstFrame {
 public:
  explicit FirstFrame(const WebPDemuxer* demuxer)
      : found_(WebPDemuxGetFrame(demuxer, 1, &frame_) != 0) {}
  ~FirstFrame() {
    if (found_) {
      WebPDemuxReleaseIterator(&frame_);
    }
  }
  FirstFrame(const FirstFrame&) = delete;
  FirstFrame& operator=(const FirstFrame&) = delete;

  bool found() const { return found_; }
  const WebPIterator& operator*() const { return frame_; }

 private:
  WebPIterator frame_ = {};
  const bool found_;
};

std::vector<uint8_t> GreyPixels(Dimensions size) {
  std::vector<uint8_t> pixels(
      static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * kBands, kGrey);
  for (size_t i = kBands - 1; i < pixels.size(); i += kBands) {
    pixels[i] = kOpaque;
  }
  return pixels;
}

// Decodes as many rows as there are to their place among the pixels, and returns their number.
int32_t DecodeRows(const WebPIterator& frame, Dimensions canvas, std::vector<uint8_t>& pixels) {
  const auto stride = static_cast<size_t>(canvas.width) * kBands;
  const size_t begin =
      static_cast<size_t>(frame.y_offset) * stride + static_cast<size_t>(frame.x_offset) * kBands;
  const std::unique_ptr<WebPIDecoder, Decoded> decoder(
      WebPINewRGB(MODE_RGBA, &pixels[begin], pixels.size() - begin, static_cast<int>(stride)));
  if (decoder == nullptr) {
    return 0;
  }
  // The rows before the end are good, whatever it says of that.
  WebPIUpdate(decoder.get(), frame.fragment.bytes, frame.fragment.size);
  int last_row = 0;
  return WebPIDecGetRGB(decoder.get(), &last_row, nullptr, nullptr, nullptr) == nullptr ? 0
                                                                                        : last_row;
}

void KeepProfile(const WebPDemuxer* demuxer, vips::VImage& image) {
  WebPChunkIterator chunk = {};
  if (WebPDemuxGetChunk(demuxer, "ICCP", 1, &chunk) != 0) {
    vips_image_set_blob_copy(image.get_image(), VIPS_META_ICC_NAME, chunk.chunk.bytes,
                             chunk.chunk.size);
    WebPDemuxReleaseChunkIterator(&chunk);
  }
}

}  // namespace

Result<TornWebp> ReadTornWebp(int input, const std::function<Status(Dimensions)>& check_size) {
  const std::vector<uint8_t> bytes = ReadWholeFile(input);
  const WebPData data = {bytes.data(), bytes.size()};
  WebPDemuxState state = WEBP_DEMUX_PARSE_ERROR;
  const std::unique_ptr<WebPDemuxer, Demuxed> demuxer(WebPDemuxPartial(&data, &state));
  if (demuxer == nullptr || state == WEBP_DEMUX_PARSE_ERROR) {
    return NothingThere();
  }
  const FirstFrame frame(demuxer.get());
  const Dimensions canvas = {
      static_cast<int32_t>(WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_WIDTH)),
      static_cast<int32_t>(WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_HEIGHT))};
  const bool fits = frame.found() && (*frame).width > 0 && (*frame).height > 0 &&
                    (*frame).x_offset >= 0 && (*frame).y_offset >= 0 &&
                    (*frame).x_offset + (*frame).width <= canvas.width &&
                    (*frame).y_offset + (*frame).height <= canvas.height;
  if (!fits) {
    return NothingThere();
  }
  RETURN_IF_ERROR(check_size(canvas));
  std::vector<uint8_t> pixels = GreyPixels(canvas);
  const int32_t rows = DecodeRows(*frame, canvas, pixels);
  VipsImage* const copy = vips_image_new_from_memory_copy(
      pixels.data(), pixels.size(), canvas.width, canvas.height, kBands, VIPS_FORMAT_UCHAR);
  if (copy == nullptr) {
    throw vips::VError();
  }
  vips::VImage image(copy);
  if ((WebPDemuxGetI(demuxer.get(), WEBP_FF_FORMAT_FLAGS) & ALPHA_FLAG) == 0 &&
      (*frame).has_alpha == 0) {
    image = image.extract_band(0, vips::VImage::option()->set("n", kBands - 1));
  }
  image = image.copy(vips::VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB));
  KeepProfile(demuxer.get(), image);
  // Around a frame that is whole nothing is missing.
  return TornWebp{image, rows == (*frame).height ? canvas.height : rows};
}

}  // namespace tintype::darkroom
