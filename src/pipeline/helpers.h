#pragma once

#include "darkroom/darkroom.h"

namespace tintype::pipeline {

/// The helpers of those trades that make something of an upload. The program's wiring owns them.
struct Helpers {
  darkroom::Darkroom& imaging;
  darkroom::Darkroom& av;
  darkroom::Darkroom& pages;
};

}  // namespace tintype::pipeline
