#include "pipeline/media/made_blobs.h"

#include <utility>

#include "base/logging.h"
#include "blobs/blob_store.h"
#include "darkroom/failure.h"
#include "flows/media_keys.h"
#include "pipeline/renditions.h"

namespace tintype::pipeline {

using contexts::catalog::Image;

blobs::BlobKey ImagesKey(const flows::Product& product, std::string key) {
  return {product.config.images_bucket, std::move(key)};
}

Result<int64_t> StoreText(flows::Product& product, std::string key, std::string_view text) {
  ASSIGN_OR_RETURN(const auto writer, product.blobs.Create(ImagesKey(product, std::move(key))));
  RETURN_IF_ERROR(writer->Write(text));
  ASSIGN_OR_RETURN(const blobs::BlobInfo info, writer->Commit());
  return static_cast<int64_t>(info.bytes);
}

Result<int64_t> StoreMade(flows::Product& product, std::string key,
                          const std::function<Status(int output)>& make) {
  ASSIGN_OR_RETURN(const auto writer, product.blobs.Create(ImagesKey(product, std::move(key))));
  ASSIGN_OR_RETURN(const int output, blobs::DescriptorOf(*writer));
  RETURN_IF_ERROR(make(output));
  ASSIGN_OR_RETURN(const blobs::BlobInfo info, writer->Commit());
  return static_cast<int64_t>(info.bytes);
}

Result<int64_t> LeftOutIfImpossible(const Image& image, std::string_view what,
                                    Result<int64_t> bytes) {
  if (bytes.ok() || !darkroom::IsPermanent(bytes.error())) {
    return bytes;
  }
  LogInfo("a part of a medium cannot be made",
          {{"image", image.id}, {"part", what}, {"why", bytes.error().message()}});
  return int64_t{0};
}

Status DevelopPoster(flows::Product& product, const Helpers& helpers,
                     const contexts::catalog::Image& image, flows::DevelopResult& result) {
  const std::string poster = flows::StoredKey(image.id, 0, flows::Size::kPoster);
  ASSIGN_OR_RETURN(const Renditions renditions,
                   StoreRenditions(product, helpers.imaging, image.user_id, {poster, image.id, 0}));
  contexts::catalog::Development& development = result.development;
  development.width = renditions.developed.original.width;
  development.height = renditions.developed.original.height;
  development.processed_size = renditions.large_bytes;
  development.format = "webp";
  development.quality = product.config.quality;
  development.appearance = AppearanceOf(renditions.developed.properties);
  result.made_bytes += renditions.bytes;
  result.sizes.push_back(flows::Size::kPoster);
  return OkStatus();
}

}  // namespace tintype::pipeline
