#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "darkroom/requests.h"

namespace tintype::darkroom::vision {

/// A box that the detector starts from, in parts of the picture's sides.
struct Anchor {
  double x = 0;  // Its middle.
  double y = 0;
  double width = 0;
  double height = 0;
};

/// The anchors of SSD with MobileNet v2 at 300 pixels, in the order of its outputs: a grid at each
/// of six scales.
const std::vector<Anchor>& Anchors();

/// The things that a detector's numbers tell of: for each anchor four numbers that move it, and one
/// for each class, the first of which is nothing. Of boxes of one class that lie over each other
/// the surest stays. REQUIRES: four and kObjectKindsMax numbers for each anchor.
std::vector<FoundObject> ObjectsOf(std::span<const float> moves, std::span<const float> scores);

}  // namespace tintype::darkroom::vision
