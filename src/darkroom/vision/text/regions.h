#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tintype::darkroom::vision {

struct Point {
  double x = 0;
  double y = 0;
};

/// A rectangle at any angle: its middle, its sides, and the direction of the first of them, which
/// is nearer to the horizontal.
struct Rectangle {
  Point center;
  double width = 0;
  double height = 0;
  /// Of length 1.
  Point along = {1, 0};

  /// The point so far along the two sides from the corner where both begin.
  Point At(double along_width, double along_height) const;
};

/// The smallest rectangle around points. REQUIRES: there are some.
Rectangle SmallestAround(std::vector<Point> points);

/// How likely text is at each pixel: rows from the top.
struct TextMap {
  int32_t width = 0;
  int32_t height = 0;
  std::span<const float> values;
};

/// Where a text detector sees lines of text, at most `count_max`, larger ones first. Its models
/// (PP-OCR's) see the core of a line, so each is widened by what they leave off.
std::vector<Rectangle> FindTextRegions(const TextMap& map, size_t count_max);

}  // namespace tintype::darkroom::vision
