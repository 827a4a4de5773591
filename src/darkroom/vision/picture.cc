#include "darkroom/vision/picture.h"

#include <unistd.h>
#include <webp/decode.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/strings.h"
#include "darkroom/failure.h"

namespace tintype::darkroom::vision {
namespace {

Result<std::string> ReadWhole(int file) {
  const off_t end = ::lseek(file, 0, SEEK_END);
  std::string bytes(static_cast<size_t>(std::max<off_t>(end, 0)), '\0');
  size_t read = 0;
  while (read < bytes.size()) {
    const ssize_t got =
        ::pread(file, bytes.data() + read, bytes.size() - read, static_cast<off_t>(read));
    if (got <= 0) {
      return MakeFailure(FailureKind::kDied, "The picture cannot be read");
    }
    read += static_cast<size_t>(got);
  }
  return bytes;
}

/// What a row or column of the result is made of: neighbours from `first` on, with their shares.
struct Share {
  int32_t first = 0;
  std::vector<float> weights;
};

std::vector<Share> SharesOf(int32_t from, int32_t to) {
  std::vector<Share> shares(static_cast<size_t>(to));
  const double scale = static_cast<double>(from) / to;
  // Where the picture becomes larger, a pixel lies between two.
  const double reach = std::max(1.0, scale);
  for (int32_t i = 0; i < to; ++i) {
    const double center = (i + 0.5) * scale - 0.5;
    const auto first = static_cast<int32_t>(std::ceil(center - reach));
    const auto last = static_cast<int32_t>(std::floor(center + reach));
    Share& share = shares[static_cast<size_t>(i)];
    share.first = std::clamp(first, 0, from - 1);
    double sum = 0;
    for (int32_t k = share.first; k <= std::clamp(last, 0, from - 1); ++k) {
      const double weight = std::max(0.0, 1 - std::abs(k - center) / reach);
      share.weights.push_back(static_cast<float>(weight));
      sum += weight;
    }
    if (sum <= 0) {
      share.weights.assign(1, 1);
      sum = 1;
    }
    for (float& weight : share.weights) {
      weight = static_cast<float>(weight / sum);
    }
  }
  return shares;
}

}  // namespace

Result<Picture> DecodePicture(int file, const PixelLimits& limits) {
  ASSIGN_OR_RETURN(const std::string bytes, ReadWhole(file));
  const auto* const data = reinterpret_cast<const uint8_t*>(bytes.data());
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(data, bytes.size(), &features) != VP8_STATUS_OK ||
      features.has_animation != 0) {
    return MakeFailure(FailureKind::kNotAnImage, "The picture is no WebP image");
  }
  const int64_t pixels = int64_t{features.width} * features.height;
  if (pixels > limits.pixels_held_whole) {
    return MakeFailure(FailureKind::kTooLarge,
                       StrCat("The picture has ", pixels, " pixels; at most ",
                              limits.pixels_held_whole, " are allowed"));
  }
  Picture picture{features.width, features.height, {}};
  const auto count = static_cast<size_t>(pixels);
  std::vector<uint8_t> decoded(count * 4);
  if (WebPDecodeBGRAInto(data, bytes.size(), decoded.data(), decoded.size(), features.width * 4) ==
      nullptr) {
    return MakeFailure(FailureKind::kCorrupt, "The picture is damaged");
  }
  picture.pixels.resize(count * 3);
  for (size_t i = 0; i < count; ++i) {
    const int alpha = decoded[i * 4 + 3];
    for (size_t c = 0; c < 3; ++c) {
      const int value = decoded[i * 4 + c] * alpha + 255 * (255 - alpha);
      picture.pixels[i * 3 + c] = static_cast<uint8_t>((value + 127) / 255);
    }
  }
  return picture;
}

Picture Resized(const Picture& picture, int32_t width, int32_t height) {
  if (width == picture.width && height == picture.height) {
    return picture;
  }
  const auto columns = SharesOf(picture.width, width);
  const auto rows = SharesOf(picture.height, height);
  const auto row_values = static_cast<size_t>(width) * 3;
  std::vector<float> narrow(static_cast<size_t>(picture.height) * row_values);
  for (int32_t y = 0; y < picture.height; ++y) {
    float* out = &narrow[static_cast<size_t>(y) * row_values];
    for (const Share& share : columns) {
      const uint8_t* in = picture.At(share.first, y);
      float sums[3] = {0, 0, 0};
      for (const float weight : share.weights) {
        for (int c = 0; c < 3; ++c) {
          sums[c] += weight * static_cast<float>(*in++);
        }
      }
      out = std::copy(std::begin(sums), std::end(sums), out);
    }
  }
  Picture resized{width, height, std::vector<uint8_t>(static_cast<size_t>(height) * row_values)};
  std::vector<float> sums(row_values);
  for (int32_t y = 0; y < height; ++y) {
    const Share& share = rows[static_cast<size_t>(y)];
    std::ranges::fill(sums, 0.0F);
    for (size_t k = 0; k < share.weights.size(); ++k) {
      const float* in = &narrow[(static_cast<size_t>(share.first) + k) * row_values];
      for (size_t i = 0; i < row_values; ++i) {
        sums[i] += share.weights[k] * in[i];
      }
    }
    uint8_t* out = &resized.pixels[static_cast<size_t>(y) * row_values];
    for (size_t i = 0; i < row_values; ++i) {
      out[i] = static_cast<uint8_t>(std::clamp(sums[i] + 0.5F, 0.0F, 255.0F));
    }
  }
  return resized;
}

}  // namespace tintype::darkroom::vision
