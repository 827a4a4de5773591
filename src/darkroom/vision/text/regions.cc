#include "darkroom/vision/text/regions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace tintype::darkroom::vision {
namespace {

// As the detector was trained to be read.
constexpr float kIsText = 0.3F;
constexpr double kMeanMin = 0.6;
constexpr double kWiden = 1.5;
// In pixels of the map: less is no line that anybody could read.
constexpr double kSideMin = 3;

double Cross(const Point& o, const Point& a, const Point& b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

/// The corners of the smallest convex shape around points, in one direction.
std::vector<Point> HullOf(std::vector<Point> points) {
  std::ranges::sort(points, [](const Point& a, const Point& b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
  });
  if (points.size() < 3) {
    return points;
  }
  std::vector<Point> hull;
  const auto add_side = [&hull](const auto& side, size_t keep) {
    for (const Point& point : side) {
      while (hull.size() >= keep + 2 && Cross(hull[hull.size() - 2], hull.back(), point) <= 0) {
        hull.pop_back();
      }
      hull.push_back(point);
    }
    hull.pop_back();
  };
  add_side(points, 0);
  const size_t lower = hull.size();
  std::ranges::reverse(points);
  add_side(points, lower);
  return hull;
}

/// Pixels that touch each other, of one line of text.
struct Region {
  std::vector<Point> outline;  // The ends of its rows, which is all that its hull depends on.
  double sum = 0;
  int64_t pixels = 0;
};

/// The region that a pixel belongs to, which is taken out of `is_text`.
Region TakeRegion(const TextMap& map, std::vector<uint8_t>& is_text, int32_t start) {
  Region region;
  std::vector<int32_t> waiting = {start};
  is_text[static_cast<size_t>(start)] = 0;
  while (!waiting.empty()) {
    const int32_t at = waiting.back();
    waiting.pop_back();
    const int32_t x = at % map.width;
    const int32_t y = at / map.width;
    region.sum += map.values[static_cast<size_t>(at)];
    ++region.pixels;
    bool inside = true;
    for (int32_t dy = -1; dy <= 1; ++dy) {
      for (int32_t dx = -1; dx <= 1; ++dx) {
        const int32_t nx = x + dx;
        const int32_t ny = y + dy;
        if (nx < 0 || ny < 0 || nx >= map.width || ny >= map.height) {
          inside = false;
          continue;
        }
        const auto next =
            static_cast<size_t>(ny) * static_cast<size_t>(map.width) + static_cast<size_t>(nx);
        inside = inside && map.values[next] > kIsText;
        if (is_text[next] != 0) {
          is_text[next] = 0;
          waiting.push_back(static_cast<int32_t>(next));
        }
      }
    }
    if (!inside) {
      // A pixel is a square.
      for (const double right : {0.0, 1.0}) {
        for (const double down : {0.0, 1.0}) {
          region.outline.push_back({x + right, y + down});
        }
      }
    }
  }
  return region;
}

}  // namespace

Point Rectangle::At(double along_width, double along_height) const {
  const double w = along_width - width / 2;
  const double h = along_height - height / 2;
  return {center.x + along.x * w - along.y * h, center.y + along.y * w + along.x * h};
}

Rectangle SmallestAround(std::vector<Point> points) {
  const std::vector<Point> hull = HullOf(std::move(points));
  Rectangle best;
  double best_area = std::numeric_limits<double>::infinity();
  // One side of the smallest lies on a side of the hull.
  for (size_t i = 0; i < hull.size(); ++i) {
    const Point& a = hull[i];
    const Point& b = hull[(i + 1) % hull.size()];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const Point along =
        length > 0 ? Point{(b.x - a.x) / length, (b.y - a.y) / length} : Point{1, 0};
    double low_w = std::numeric_limits<double>::infinity();
    double low_h = low_w;
    double high_w = -low_w;
    double high_h = -low_w;
    for (const Point& point : hull) {
      const double w = point.x * along.x + point.y * along.y;
      const double h = point.y * along.x - point.x * along.y;
      low_w = std::min(low_w, w);
      high_w = std::max(high_w, w);
      low_h = std::min(low_h, h);
      high_h = std::max(high_h, h);
    }
    const double area = (high_w - low_w) * (high_h - low_h);
    if (area < best_area) {
      best_area = area;
      const double w = (low_w + high_w) / 2;
      const double h = (low_h + high_h) / 2;
      best = {{along.x * w - along.y * h, along.y * w + along.x * h},
              high_w - low_w,
              high_h - low_h,
              along};
    }
  }
  // Of the two directions, the one that is nearer to the horizontal, and to the right.
  if (std::abs(best.along.x) < std::abs(best.along.y)) {
    std::swap(best.width, best.height);
    best.along = {best.along.y, -best.along.x};
  }
  if (best.along.x < 0) {
    best.along = {-best.along.x, -best.along.y};
  }
  return best;
}

std::vector<Rectangle> FindTextRegions(const TextMap& map, size_t count_max) {
  std::vector<uint8_t> is_text(map.values.size());
  std::ranges::transform(map.values, is_text.begin(),
                         [](float value) { return static_cast<uint8_t>(value > kIsText); });
  std::vector<Rectangle> found;
  for (size_t i = 0; i < is_text.size(); ++i) {
    if (is_text[i] == 0) {
      continue;
    }
    Region region = TakeRegion(map, is_text, static_cast<int32_t>(i));
    if (region.sum / static_cast<double>(region.pixels) < kMeanMin || region.outline.empty()) {
      continue;
    }
    Rectangle rectangle = SmallestAround(std::move(region.outline));
    if (std::min(rectangle.width, rectangle.height) < kSideMin) {
      continue;
    }
    const double widened =
        rectangle.width * rectangle.height * kWiden / (2 * (rectangle.width + rectangle.height));
    rectangle.width += 2 * widened;
    rectangle.height += 2 * widened;
    found.push_back(rectangle);
  }
  std::ranges::sort(found, std::greater{},
                    [](const Rectangle& each) { return each.width * each.height; });
  found.resize(std::min(found.size(), count_max));
  return found;
}

}  // namespace tintype::darkroom::vision
