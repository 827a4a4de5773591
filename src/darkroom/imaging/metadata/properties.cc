#include "darkroom/imaging/metadata/properties.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <string>

#include "darkroom/imaging/metadata/blurhash.h"
#include "darkroom/imaging/metadata/perceptual_hash.h"
#include "darkroom/imaging/pixels.h"
#include "darkroom/imaging/planes/direct.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

constexpr int32_t kBlurredSide = 32;
// Colours nearer than this, by the sum of the differences of their bands, are taken for one.
constexpr int kDistinctDistance = 96;
constexpr int kLevels = 8;  // A band's values in a cell of the histogram.

VImage Reduce(const VImage& image, int32_t longest_side) {
  return Settle(ScaleTo(image, FitWithin({image.width(), image.height()}, longest_side)));
}

// Of an image in sRGB, by BT.601, in parts of 256.
Plane LuminanceOf(const VImage& image) {
  Plane luminance(Dimensions{image.width(), image.height()});
  const auto* pixel = static_cast<const uint8_t*>(image.data());
  for (int32_t y = 0; y < luminance.height(); ++y) {
    uint8_t* row = luminance.Row(y);
    for (int32_t x = 0; x < luminance.width(); ++x, pixel += 3) {
      row[x] = static_cast<uint8_t>((77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2] + 128) >> 8);
    }
  }
  return luminance;
}

// The luminance of a picture in the full range.
Plane FullRange(const YuvPicture& picture) {
  Plane luminance = picture.y;
  if (picture.range == Range::kFull) {
    return luminance;
  }
  std::array<uint8_t, 256> full = {};
  for (int value = 0; value < 256; ++value) {
    const int stretched = ((value - 16) * 255 + 109) / 219;
    full[static_cast<size_t>(value)] = static_cast<uint8_t>(std::clamp(stretched, 0, 255));
  }
  for (int32_t y = 0; y < luminance.height(); ++y) {
    uint8_t* row = luminance.Row(y);
    std::transform(row, row + luminance.width(), row, [&](uint8_t value) { return full[value]; });
  }
  return luminance;
}

/// Mean and deviation of many small numbers.
struct Spread {
  void Add(int32_t value) {
    ++count;
    sum += value;
    squares += int64_t{value} * value;
  }
  double Mean() const { return static_cast<double>(sum) / static_cast<double>(count); }
  double Deviation() const {
    const double mean = Mean();
    return std::sqrt(
        std::max(0.0, static_cast<double>(squares) / static_cast<double>(count) - mean * mean));
  }

  int64_t count = 0;
  int64_t sum = 0;
  int64_t squares = 0;
};

Spread SpreadOf(const Plane& luminance) {
  Spread spread;
  for (int32_t y = 0; y < luminance.height(); ++y) {
    const uint8_t* row = luminance.Row(y);
    for (int32_t x = 0; x < luminance.width(); ++x) {
      spread.Add(row[x]);
    }
  }
  return spread;
}

// How each pixel differs from its four neighbours; at an edge it is its own neighbour.
Spread SpreadOfLaplacian(const Plane& luminance) {
  Spread spread;
  const int32_t right = luminance.width() - 1;
  const int32_t bottom = luminance.height() - 1;
  for (int32_t y = 0; y <= bottom; ++y) {
    const uint8_t* row = luminance.Row(y);
    const uint8_t* above = luminance.Row(std::max(y - 1, 0));
    const uint8_t* below = luminance.Row(std::min(y + 1, bottom));
    for (int32_t x = 0; x <= right; ++x) {
      const int32_t beside = row[std::max(x - 1, 0)] + row[std::min(x + 1, right)];
      spread.Add(beside + above[x] + below[x] - 4 * row[x]);
    }
  }
  return spread;
}

std::span<const uint8_t> BytesOf(const VImage& image) {
  return {static_cast<const uint8_t*>(image.data()), VIPS_IMAGE_SIZEOF_IMAGE(image.get_image())};
}

// More waves along the longer side.
std::string Blurhash(const VImage& image) {
  const bool wide = image.width() >= image.height();
  return EncodeBlurhash({BytesOf(image), image.width(), image.height()}, wide ? 4 : 3,
                        wide ? 3 : 4);
}

std::optional<uint64_t> HashOf(const VImage& small) {
  const Plane square = LuminanceOf(Settle(ScaleTo(small, {kHashedSide, kHashedSide})));
  return PerceptualHash({square.Row(0), size_t{kHashedSide} * kHashedSide});
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

ImageProperties MeasureProperties(const Plane& luminance, const VImage& small) {
  const Spread shades = SpreadOf(luminance);
  ImageProperties properties;
  properties.brightness = Bounded(shades.Mean() * 100 / 255);
  properties.contrast = Bounded(shades.Deviation() * 100 / 127.5);
  const double edges = SpreadOfLaplacian(luminance).Deviation();
  properties.sharpness = Bounded(100 * edges / (edges + 10));
  properties.dominant_colors = FindDominantColors(BytesOf(small));
  properties.blurhash = Blurhash(Reduce(small, kBlurredSide));
  properties.perceptual_hash = HashOf(small);
  return properties;
}

ImageProperties MeasureProperties(const VImage& image) {
  const VImage measured = Reduce(OnWhite(image), kMeasuredSide);
  return MeasureProperties(LuminanceOf(measured), Reduce(measured, kSmallSide));
}

ImageProperties MeasureProperties(const YuvPicture& picture) {
  const YuvPicture measured = ScaleTo(picture, FitWithin(picture.size, kMeasuredSide));
  return MeasureProperties(FullRange(measured),
                           ToRgb(ScaleTo(measured, FitWithin(measured.size, kSmallSide))));
}

}  // namespace tintype::darkroom
