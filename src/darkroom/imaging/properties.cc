#include "darkroom/imaging/properties.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>

#include "darkroom/imaging/pixels.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

constexpr int32_t kColorsSide = 128;
// Colours nearer than this, by the sum of the differences of their bands, are taken for one.
constexpr int kDistinctDistance = 96;
constexpr int kLevels = 8;  // A band's values in a cell of the histogram.

VImage Reduce(const VImage& image, int32_t longest_side) {
  return Settle(ScaleTo(image, FitWithin({image.width(), image.height()}, longest_side)));
}

// Of a single pixel there is none, and libvips does not say 0.
double Deviation(const VImage& image) {
  return image.width() * image.height() > 1 ? image.deviate() : 0;
}

double Bounded(double value) { return std::clamp(value, 0.0, 100.0); }

/// Pixels of similar colour, and the sum of each of their bands.
struct Cell {
  int64_t count = 0;
  int64_t sums[3] = {0, 0, 0};

  void Add(const uint8_t* pixel) {
    ++count;
    for (int band = 0; band < 3; ++band) {
      sums[band] += pixel[band];
    }
  }
  DominantColor Mean() const {
    const auto mean = [this](int band) { return static_cast<uint8_t>(sums[band] / count); };
    return {mean(0), mean(1), mean(2), 0};
  }
};

std::vector<Cell> FullestCells(std::span<const uint8_t> pixels) {
  std::vector<Cell> cells(kLevels * kLevels * kLevels);
  for (size_t i = 0; i + 2 < pixels.size(); i += 3) {
    const auto level = [&](size_t band) { return pixels[i + band] * kLevels / 256; };
    const int index = (level(0) * kLevels + level(1)) * kLevels + level(2);
    cells[static_cast<size_t>(index)].Add(&pixels[i]);
  }
  std::erase_if(cells, [](const Cell& cell) { return cell.count == 0; });
  std::ranges::stable_sort(cells, std::greater{}, &Cell::count);
  return cells;
}

int Distance(const DominantColor& a, const DominantColor& b) {
  return std::abs(a.red - b.red) + std::abs(a.green - b.green) + std::abs(a.blue - b.blue);
}

}  // namespace

std::vector<DominantColor> FindDominantColors(std::span<const uint8_t> pixels) {
  const std::vector<Cell> cells = FullestCells(pixels);
  std::vector<DominantColor> colors;
  for (const Cell& cell : cells) {
    const DominantColor mean = cell.Mean();
    const bool distinct = std::ranges::all_of(colors, [&](const DominantColor& color) {
      return Distance(color, mean) > kDistinctDistance;
    });
    if (distinct && colors.size() < kDominantColorsMax) {
      colors.push_back(mean);
    }
  }
  // Every cell counts for the colour that it is nearest to.
  const auto total = static_cast<double>(pixels.size()) / 3;
  for (const Cell& cell : cells) {
    const DominantColor mean = cell.Mean();
    auto& nearest = *std::ranges::min_element(
        colors, {}, [&](const DominantColor& color) { return Distance(color, mean); });
    nearest.percent += 100 * static_cast<double>(cell.count) / total;
  }
  std::ranges::stable_sort(colors, std::greater{}, &DominantColor::percent);
  for (DominantColor& color : colors) {
    color.percent = Bounded(color.percent);
  }
  return colors;
}

ImageProperties MeasureProperties(const VImage& image) {
  const VImage measured = Reduce(OnWhite(image), kMeasuredSide);
  const VImage luminance = Settle(measured.colourspace(VIPS_INTERPRETATION_B_W));
  const VImage laplacian = VImage::new_matrixv(3, 3, 0.0, 1.0, 0.0, 1.0, -4.0, 1.0, 0.0, 1.0, 0.0);
  ImageProperties properties;
  properties.brightness = Bounded(luminance.avg() * 100 / 255);
  properties.contrast = Bounded(Deviation(luminance) * 100 / 127.5);
  const double edges = Deviation(
      luminance.conv(laplacian, VImage::option()->set("precision", VIPS_PRECISION_FLOAT)));
  properties.sharpness = Bounded(100 * edges / (edges + 10));

  const VImage small = Reduce(measured, kColorsSide);
  properties.dominant_colors = FindDominantColors(
      {static_cast<const uint8_t*>(small.data()), VIPS_IMAGE_SIZEOF_IMAGE(small.get_image())});
  return properties;
}

}  // namespace tintype::darkroom
