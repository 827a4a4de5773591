#include "darkroom/imaging/metadata/blurhash.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include "base/check.h"

namespace tintype::darkroom {
namespace {

constexpr std::string_view kDigits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";
constexpr int kBase = 83;
static_assert(kDigits.size() == kBase);

using Color = std::array<double, 3>;

void AppendNumber(std::string& text, int value, int digits) {
  for (int divisor = static_cast<int>(std::pow(kBase, digits - 1)); divisor > 0; divisor /= kBase) {
    text.push_back(kDigits[static_cast<size_t>(value / divisor % kBase)]);
  }
}

double ToLinear(uint8_t value) {
  const double v = value / 255.0;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

int ToSrgbByte(double value) {
  const double v = std::clamp(value, 0.0, 1.0);
  const double s = v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
  return static_cast<int>(std::lround(s * 255));
}

std::vector<double> Wave(int count, int frequency) {
  std::vector<double> wave(static_cast<size_t>(count));
  for (size_t i = 0; i < wave.size(); ++i) {
    wave[i] = std::cos(std::numbers::pi * frequency * static_cast<double>(i) / count);
  }
  return wave;
}

/// How much of the waves of one frequency each way is in each band of the linear colours.
Color Amount(const std::vector<Color>& colors, int width, const std::vector<double>& across,
             const std::vector<double>& down, bool constant) {
  Color sum = {};
  for (size_t i = 0; i < colors.size(); ++i) {
    const double basis =
        across[i % static_cast<size_t>(width)] * down[i / static_cast<size_t>(width)];
    for (size_t band = 0; band < sum.size(); ++band) {
      sum[band] += basis * colors[i][band];
    }
  }
  for (double& value : sum) {
    value *= (constant ? 1.0 : 2.0) / static_cast<double>(colors.size());
  }
  return sum;
}

// In nineteen steps, finer around zero.
int Quantize(double value) {
  const double root = std::copysign(std::sqrt(std::abs(value)), value);
  return std::clamp(static_cast<int>(std::floor(root * 9 + 9.5)), 0, 18);
}

}  // namespace

std::string EncodeBlurhash(const RgbPixels& pixels, int across, int down) {
  CHECK(pixels.width > 0 && pixels.height > 0);
  std::vector<Color> colors(static_cast<size_t>(pixels.width) * static_cast<size_t>(pixels.height));
  CHECK(pixels.bytes.size() == colors.size() * 3);
  for (size_t i = 0; i < pixels.bytes.size(); ++i) {
    colors[i / 3][i % 3] = ToLinear(pixels.bytes[i]);
  }
  std::vector<Color> amounts;
  for (int y = 0; y < down; ++y) {
    const std::vector<double> vertical = Wave(pixels.height, y);
    for (int x = 0; x < across; ++x) {
      amounts.push_back(
          Amount(colors, pixels.width, Wave(pixels.width, x), vertical, x == 0 && y == 0));
    }
  }
  double largest = 0;
  for (size_t i = 1; i < amounts.size(); ++i) {
    for (const double value : amounts[i]) {
      largest = std::max(largest, std::abs(value));
    }
  }
  const bool waves = amounts.size() > 1;
  const int scale =
      waves ? std::clamp(static_cast<int>(std::floor(largest * 166 - 0.5)), 0, 82) : 0;
  const double unit = waves ? (scale + 1) / 166.0 : 1;

  std::string text;
  AppendNumber(text, (across - 1) + (down - 1) * 9, 1);
  AppendNumber(text, scale, 1);
  const Color& mean = amounts.front();
  AppendNumber(text, ToSrgbByte(mean[0]) << 16 | ToSrgbByte(mean[1]) << 8 | ToSrgbByte(mean[2]), 4);
  for (size_t i = 1; i < amounts.size(); ++i) {
    const Color& amount = amounts[i];
    AppendNumber(text,
                 (Quantize(amount[0] / unit) * 19 + Quantize(amount[1] / unit)) * 19 +
                     Quantize(amount[2] / unit),
                 2);
  }
  return text;
}

}  // namespace tintype::darkroom
