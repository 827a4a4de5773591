#include "pipeline/renditions.h"

#include <memory>
#include <utility>

#include "base/hex.h"
#include "base/strings.h"
#include "flows/media_keys.h"

namespace tintype::pipeline {
namespace {

/// The sizes that are made: all but the original.
std::vector<flows::SizeSpec> MadeSizes() {
  return {flows::kSizes.begin() + 1, flows::kSizes.end()};
}

}  // namespace

Result<Renditions> StoreRenditions(flows::Product& product, darkroom::Darkroom& darkroom,
                                   std::string_view account_id, const StoredPicture& picture) {
  const std::string& bucket = product.config.images_bucket;
  ASSIGN_OR_RETURN(const auto source, product.blobs.OpenLocal({bucket, picture.key}));
  darkroom::DevelopRequest request;
  request.input = source->descriptor();
  request.quality = product.config.quality;
  request.effort = product.config.effort;
  std::vector<std::unique_ptr<blobs::BlobWriter>> writers;
  for (const flows::SizeSpec& spec : MadeSizes()) {
    const std::string key = flows::StoredKey(picture.image_id, picture.revision, spec.size);
    ASSIGN_OR_RETURN(auto writer, product.blobs.Create({bucket, key}));
    ASSIGN_OR_RETURN(const int output, blobs::DescriptorOf(*writer));
    request.sizes.push_back({std::string(spec.name), spec.longest_side, output});
    writers.push_back(std::move(writer));
  }
  Renditions stored;
  ASSIGN_OR_RETURN(stored.developed, darkroom.Develop(account_id, request));
  for (size_t i = 0; i < writers.size(); ++i) {
    ASSIGN_OR_RETURN(const blobs::BlobInfo info, writers[i]->Commit());
    stored.bytes += static_cast<int64_t>(info.bytes);
    if (MadeSizes()[i].size == flows::Size::kLarge) {
      stored.large_bytes = static_cast<int64_t>(info.bytes);
    }
  }
  return stored;
}

std::string HexColor(const darkroom::DominantColor& color) {
  const char bytes[] = {static_cast<char>(color.red), static_cast<char>(color.green),
                        static_cast<char>(color.blue)};
  return StrCat("#", ToHex({bytes, sizeof(bytes)}));
}

contexts::catalog::Appearance AppearanceOf(const darkroom::ImageProperties& properties) {
  contexts::catalog::Appearance appearance;
  appearance.blurhash = properties.blurhash;
  for (const darkroom::DominantColor& color : properties.dominant_colors) {
    appearance.dominant_colors.push_back(HexColor(color));
  }
  return appearance;
}

}  // namespace tintype::pipeline
