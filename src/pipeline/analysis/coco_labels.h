#pragma once

#include <cstdint>
#include <string_view>

namespace tintype::pipeline {

/// What a class of COCO is called, as Rekognition writes labels, and what it is a kind of.
struct CocoLabel {
  std::string_view name;
  std::string_view parent;  // Empty: of nothing.
};

/// By the numbers that models have, 1 to 90. Null for those that COCO has left out.
const CocoLabel* FindCocoLabel(int32_t number);

}  // namespace tintype::pipeline
