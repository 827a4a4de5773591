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
  int64_t bytes = 0;  // Of all of them.
};

/// A picture in the images bucket, and which revision of an image it is.
struct StoredPicture {
  std::string key;
  std::string image_id;
  int64_t revision = 0;
};

/// Has the darkroom make every size of an account's picture, and stores them as those of its
/// revision. Doing it again gives the same blobs. Errors: those of the darkroom and of the blob
/// store.
Result<Renditions> StoreRenditions(flows::Product& product, darkroom::Darkroom& darkroom,
                                   std::string_view account_id, const StoredPicture& picture);

/// `#rrggbb`.
std::string HexColor(const darkroom::DominantColor& color);
/// What the catalog keeps of how a picture looks.
contexts::catalog::Appearance AppearanceOf(const darkroom::ImageProperties& properties);

}  // namespace tintype::pipeline
