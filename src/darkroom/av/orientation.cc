#include "darkroom/av/orientation.h"

extern "C" {
#include <libavutil/display.h>
}

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

namespace tintype::darkroom::av {
namespace {

using Matrix = std::array<int32_t, 9>;

std::optional<Matrix> MatrixOf(const AVStream* stream) {
  size_t bytes = 0;
  const uint8_t* const data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &bytes);
  Matrix matrix = {};
  if (data == nullptr || bytes < sizeof(matrix)) {
    return std::nullopt;
  }
  std::memcpy(matrix.data(), data, sizeof(matrix));
  return matrix;
}

int RotationBy(const Matrix& matrix) {
  const double counterclockwise = av_display_rotation_get(matrix.data());
  if (std::isnan(counterclockwise)) {
    return 0;  // A matrix of zeros.
  }
  return static_cast<int>(std::lround(720 - counterclockwise) + 45) / 90 % 4 * 90;
}

}  // namespace

int RotationOf(const AVStream* stream) {
  const auto matrix = MatrixOf(stream);
  return matrix ? RotationBy(*matrix) : 0;
}

std::string UprightFilters(const AVStream* stream) {
  const auto matrix = MatrixOf(stream);
  if (!matrix) {
    return "";
  }
  const Matrix& m = *matrix;
  switch (RotationBy(m)) {
    case 90:
      return m[3] > 0 ? "transpose=cclock_flip" : "transpose=clock";
    case 180:
      return m[0] < 0 && m[4] < 0 ? "hflip,vflip" : (m[0] < 0 ? "hflip" : "vflip");
    case 270:
      return m[3] < 0 ? "transpose=clock_flip" : "transpose=cclock";
    default:
      if (m[0] < 0) {
        return "hflip";
      }
      return m[4] < 0 ? "vflip" : "";
  }
}

PictureSize UprightSize(PictureSize stored, AVRational pixel_aspect, const AVStream* stream) {
  const AVRational aspect = pixel_aspect.num > 0 ? pixel_aspect : stream->sample_aspect_ratio;
  double width = stored.width;
  double height = stored.height;
  if (aspect.num > 0 && aspect.den > 0) {
    const double ratio = std::clamp(av_q2d(aspect), 0.1, 10.0);  // Others make absurd sizes.
    if (ratio > 1) {
      width *= ratio;
    } else {
      height /= ratio;
    }
  }
  if (RotationOf(stream) % 180 != 0) {
    std::swap(width, height);
  }
  const auto whole = [](double side) { return std::max(1, static_cast<int>(std::lround(side))); };
  return {whole(width), whole(height)};
}

PictureSize FitWithin(PictureSize size, int long_side, int short_side) {
  const double longest = std::max(size.width, size.height);
  const double shortest = std::min(size.width, size.height);
  const double scale = std::min({1.0, long_side / longest, short_side / shortest});
  // Down, so that both bounds hold; but not for the error of a division.
  const auto even = [&](int side) {
    return std::max(2, static_cast<int>(std::floor(side * scale / 2 + 1e-6)) * 2);
  };
  return {even(size.width), even(size.height)};
}

}  // namespace tintype::darkroom::av
