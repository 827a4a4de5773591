#include "darkroom/imaging/testing/similarity.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/check.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

constexpr int kWindow = 8;
constexpr int kStep = 4;

/// An image as numbers, three for each pixel.
struct Pixels {
  explicit Pixels(const VImage& image) : width(image.width()), height(image.height()) {
    VImage color = image.colourspace(VIPS_INTERPRETATION_sRGB);
    color = color.extract_band(0, VImage::option()->set("n", 3)).cast(VIPS_FORMAT_UCHAR);
    size_t size = 0;
    auto* bytes = static_cast<uint8_t*>(color.write_to_memory(&size));
    bands.assign(bytes, bytes + size);
    g_free(bytes);
  }
  double Band(int x, int y, int band) const {
    const auto pixel = static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
    return bands[pixel * 3 + static_cast<size_t>(band)];
  }
  double Luminance(int x, int y) const {
    return 0.299 * Band(x, y, 0) + 0.587 * Band(x, y, 1) + 0.114 * Band(x, y, 2);
  }

  int width;
  int height;
  std::vector<uint8_t> bands;
};

using Visit = std::function<void(int left, int top, int right, int bottom)>;

void ForEachWindow(const Pixels& a, const Pixels& b, const Visit& visit) {
  CHECK(a.width == b.width && a.height == b.height);
  for (int top = 0; top == 0 || top + kWindow <= a.height; top += kStep) {
    for (int left = 0; left == 0 || left + kWindow <= a.width; left += kStep) {
      visit(left, top, std::min(left + kWindow, a.width), std::min(top + kWindow, a.height));
    }
  }
}

}  // namespace

double Similarity(const VImage& a, const VImage& b) {
  constexpr double kC1 = 0.01 * 255 * 0.01 * 255;
  constexpr double kC2 = 0.03 * 255 * 0.03 * 255;
  const Pixels first(a);
  const Pixels second(b);
  double total = 0;
  int windows = 0;
  ForEachWindow(first, second, [&](int left, int top, int right, int bottom) {
    double sum_a = 0;
    double sum_b = 0;
    double squares_a = 0;
    double squares_b = 0;
    double products = 0;
    for (int y = top; y < bottom; ++y) {
      for (int x = left; x < right; ++x) {
        const double of_a = first.Luminance(x, y);
        const double of_b = second.Luminance(x, y);
        sum_a += of_a;
        sum_b += of_b;
        squares_a += of_a * of_a;
        squares_b += of_b * of_b;
        products += of_a * of_b;
      }
    }
    const double count = (right - left) * (bottom - top);
    const double mean_a = sum_a / count;
    const double mean_b = sum_b / count;
    const double both = products / count - mean_a * mean_b;
    const double spread = squares_a / count - mean_a * mean_a + squares_b / count - mean_b * mean_b;
    total += (2 * mean_a * mean_b + kC1) * (2 * both + kC2) /
             ((mean_a * mean_a + mean_b * mean_b + kC1) * (spread + kC2));
    ++windows;
  });
  return total / windows;
}

double ColorDifference(const VImage& a, const VImage& b) {
  const Pixels first(a);
  const Pixels second(b);
  double largest = 0;
  ForEachWindow(first, second, [&](int left, int top, int right, int bottom) {
    for (int band = 0; band < 3; ++band) {
      double difference = 0;
      for (int y = top; y < bottom; ++y) {
        for (int x = left; x < right; ++x) {
          difference += first.Band(x, y, band) - second.Band(x, y, band);
        }
      }
      largest = std::max(largest, std::abs(difference) / ((right - left) * (bottom - top)));
    }
  });
  return largest;
}

}  // namespace tintype::darkroom
