#include "cli/gallery/resize_service.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/strings.h"
#include "darkroom/darkroom_metrics.h"
#include "delivery/resizer_metrics.h"

namespace tintype::cli {

ResizeService::ResizeService(const delivery::ResizerConfig& config,
                             const darkroom::Config& darkroom,
                             std::unique_ptr<delivery::ResizedCache> cache, blobs::BlobStore& blobs)
    : darkroom_(darkroom),
      cache_(std::move(cache)),
      resizer_(
          config, *cache_, blobs,
          [this](std::string_view account_id, const darkroom::ResizeRequest& request) -> Status {
            const auto resized = darkroom_.Resize(account_id, request);
            return resized.ok() ? OkStatus() : Status(resized.error());
          }) {}

Result<std::unique_ptr<ResizeService>> ResizeService::Open(
    const ServeConfig& config, const darkroom::Config& darkroom, const DataDirectory& directory,
    flows::Product& product, std::shared_ptr<const blobs::SealingKeys> keys) {
  delivery::ResizedCache::Config kept;
  kept.folder = directory.resized_pictures();
  std::string other = directory.encrypted_resized_pictures();
  if (keys != nullptr) {
    std::swap(kept.folder, other);
  }
  // Files that the other setting has left are of no use, and nobody may find them in plain.
  std::error_code error;
  std::filesystem::remove_all(other, error);
  if (error) {
    return Error::Io(StrCat("Cannot remove ", other, ": ", error.message()));
  }
  kept.bytes_max = config.resize_cache_bytes_max;
  kept.free_bytes_min = config.photos_min_free_bytes();
  kept.keys = std::move(keys);
  ASSIGN_OR_RETURN(auto cache, delivery::ResizedCache::Open(kept));
  delivery::ResizerConfig resizer;
  resizer.threads = config.workers;
  resizer.quality = product.config.quality;
  return std::unique_ptr<ResizeService>(
      new ResizeService(resizer, darkroom, std::move(cache), product.blobs));
}

void ResizeService::ShowMetrics(metrics::Registry& registry) {
  helper_metrics_ = darkroom::CollectHelpers(registry, "resize", darkroom_);
  resizer_metrics_ = delivery::CollectResizer(registry, resizer_, *cache_);
}

void ResizeService::Stop() {
  resizer_.Stop();
  darkroom_.Stop();
}

}  // namespace tintype::cli
