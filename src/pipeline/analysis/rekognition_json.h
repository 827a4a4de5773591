#pragma once

#include "json/writer.h"

namespace tintype::pipeline {

/// A rectangle as Rekognition has it, in parts of the picture's width and height.
inline void WriteBoundingBox(json::Writer& json, double left, double top, double width,
                             double height) {
  json.Name("BoundingBox");
  json.OpenObject();
  json.Name("Width").Number(width);
  json.Name("Height").Number(height);
  json.Name("Left").Number(left);
  json.Name("Top").Number(top);
  json.CloseObject();
}

}  // namespace tintype::pipeline
