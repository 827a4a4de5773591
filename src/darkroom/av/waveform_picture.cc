#include "darkroom/av/waveform_picture.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "darkroom/av/still.h"

namespace tintype::darkroom::av {
namespace {

using Color = std::array<uint8_t, 3>;

// The page's ground, well and accent when it is dark.
constexpr Color kGround = {0x16, 0x13, 0x11};
constexpr Color kSilence = {0x35, 0x2E, 0x28};
constexpr Color kBar = {0xE5, 0xA0, 0x6C};

constexpr int kMargin = 100;
constexpr int kBarDistance =
    (kWaveformPictureWidth - 2 * kMargin) / static_cast<int>(kWaveformPictureBars);
constexpr int kBarWidth = 8;
constexpr int kHeightMax = 600;
// Sound softer than that is shown as soft as it is: noise is not made to look like music.
constexpr int kLoudestMin = 1'500;

void FillRows(AVFrame* frame, int left, int width, int top, int bottom, const Color& color) {
  for (int y = top; y < bottom; ++y) {
    uint8_t* const row = frame->data[0] + ptrdiff_t{y} * frame->linesize[0];
    for (int x = left; x < left + width; ++x) {
      std::ranges::copy(color, row + ptrdiff_t{3} * x);
    }
  }
}

int LoudnessOf(const Peaks::Range& range) {
  return std::max(std::abs(int{range.first}), std::abs(int{range.second}));
}

}  // namespace

Result<std::string> DrawWaveform(std::span<const Peaks::Range> peaks) {
  const Frame frame = NewFrame();
  frame->width = kWaveformPictureWidth;
  frame->height = kWaveformPictureHeight;
  frame->format = AV_PIX_FMT_RGB24;
  RETURN_IF_ERROR(CheckAv(av_frame_get_buffer(frame.get(), 0), "a picture"));
  FillRows(frame.get(), 0, frame->width, 0, frame->height, kGround);
  int loudest = kLoudestMin;
  for (const Peaks::Range& range : peaks) {
    loudest = std::max(loudest, LoudnessOf(range));
  }
  constexpr int kMiddle = kWaveformPictureHeight / 2;
  int left = kMargin + (kBarDistance - kBarWidth) / 2;
  for (const Peaks::Range& range : peaks) {
    const int half = std::max(kBarWidth / 2, LoudnessOf(range) * (kHeightMax / 2) / loudest);
    const Color& color = half > kBarWidth / 2 ? kBar : kSilence;
    FillRows(frame.get(), left, kBarWidth, kMiddle - half, kMiddle + half, color);
    left += kBarDistance;
  }
  return EncodePng(frame.get());
}

}  // namespace tintype::darkroom::av
