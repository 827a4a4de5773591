#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "darkroom/darkroom.h"
#include "flows/product.h"

namespace tintype::pipeline {

/// What became of a picture whose renditions are in the blob store.
struct Renditions {
  darkroom::Developed developed;
  int64_t large_bytes = 0;
};

/// Has the darkroom make every size of a picture that is in the images bucket under `source_key`,
/// and stores them as those of a revision. Doing it again gives the same blobs. Errors: those of
/// the darkroom and of the blob store.
Result<Renditions> StoreRenditions(flows::Product& product, darkroom::Darkroom& darkroom,
                                   const std::string& source_key, std::string_view image_id,
                                   int64_t revision);

/// `#rrggbb`.
std::string HexColor(const darkroom::DominantColor& color);
/// What the catalog keeps of how a picture looks.
contexts::catalog::Appearance AppearanceOf(const darkroom::ImageProperties& properties);

}  // namespace tintype::pipeline
