#include "darkroom/vision/objects/boxes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace tintype::darkroom::vision {
namespace {

// Less sure, and it is too often something else.
constexpr float kScoreMin = 0.5F;
// How much of two boxes together is in both, for them to be of one thing.
constexpr double kOverlapMax = 0.5;
// What the model was trained to give is so many times as large.
constexpr double kMoveScale = 10;
constexpr double kSizeScale = 5;

constexpr std::array<int, 6> kGrids = {19, 10, 5, 3, 2, 1};

double ScaleOf(size_t level) {
  return level == kGrids.size() ? 1.0 : 0.2 + 0.75 * static_cast<double>(level) / 5;
}

std::vector<Anchor> MakeAnchors() {
  std::vector<Anchor> anchors;
  for (size_t level = 0; level < kGrids.size(); ++level) {
    // Scale and ratio of width to height.
    std::vector<std::pair<double, double>> shapes;
    if (level == 0) {
      shapes = {{0.1, 1.0}, {ScaleOf(0), 2.0}, {ScaleOf(0), 0.5}};
    } else {
      for (const double ratio : {1.0, 2.0, 0.5, 3.0, 1.0 / 3}) {
        shapes.emplace_back(ScaleOf(level), ratio);
      }
      shapes.emplace_back(std::sqrt(ScaleOf(level) * ScaleOf(level + 1)), 1.0);
    }
    const int grid = kGrids[level];
    for (int y = 0; y < grid; ++y) {
      for (int x = 0; x < grid; ++x) {
        for (const auto& [size, ratio] : shapes) {
          const double root = std::sqrt(ratio);
          anchors.push_back({(x + 0.5) / grid, (y + 0.5) / grid, size * root, size / root});
        }
      }
    }
  }
  return anchors;
}

double OverlapOf(const FoundObject& a, const FoundObject& b) {
  const double width = std::min(a.left + a.width, b.left + b.width) - std::max(a.left, b.left);
  const double height = std::min(a.top + a.height, b.top + b.height) - std::max(a.top, b.top);
  if (width <= 0 || height <= 0) {
    return 0;
  }
  const double both = width * height;
  return both / (a.width * a.height + b.width * b.height - both);
}

/// The part of a box that is in the picture.
FoundObject BoxOf(const Anchor& anchor, const float* move) {
  const double x = move[1] / kMoveScale * anchor.width + anchor.x;
  const double y = move[0] / kMoveScale * anchor.height + anchor.y;
  // A model that gives nonsense gives boxes as large as the picture.
  const double width = std::exp(std::min(move[3] / kSizeScale, 5.0)) * anchor.width;
  const double height = std::exp(std::min(move[2] / kSizeScale, 5.0)) * anchor.height;
  FoundObject box;
  box.left = std::clamp(x - width / 2, 0.0, 1.0);
  box.top = std::clamp(y - height / 2, 0.0, 1.0);
  box.width = std::clamp(x + width / 2, 0.0, 1.0) - box.left;
  box.height = std::clamp(y + height / 2, 0.0, 1.0) - box.top;
  return box;
}

}  // namespace

const std::vector<Anchor>& Anchors() {
  static const std::vector<Anchor> anchors = MakeAnchors();
  return anchors;
}

std::vector<FoundObject> ObjectsOf(std::span<const float> moves, std::span<const float> scores) {
  std::vector<FoundObject> candidates;
  for (size_t i = 0; i < Anchors().size(); ++i) {
    const auto of_anchor = scores.subspan(i * kObjectKindsMax, kObjectKindsMax);
    for (size_t kind = 1; kind < of_anchor.size(); ++kind) {
      // Not a number is no score either.
      if (!(of_anchor[kind] >= kScoreMin)) {
        continue;
      }
      FoundObject object = BoxOf(Anchors()[i], &moves[i * 4]);
      object.kind = static_cast<int32_t>(kind);
      object.confidence = std::min(1.0, static_cast<double>(of_anchor[kind]));
      if (object.width > 0 && object.height > 0) {
        candidates.push_back(object);
      }
    }
  }
  std::ranges::stable_sort(candidates, std::greater{}, &FoundObject::confidence);
  std::vector<FoundObject> found;
  for (const FoundObject& candidate : candidates) {
    const bool is_another = std::ranges::none_of(found, [&](const FoundObject& each) {
      return each.kind == candidate.kind && OverlapOf(each, candidate) > kOverlapMax;
    });
    if (is_another && found.size() < kObjectsMax) {
      found.push_back(candidate);
    }
  }
  return found;
}

}  // namespace tintype::darkroom::vision
