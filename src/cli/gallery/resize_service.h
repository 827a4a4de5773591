#pragma once

#include <memory>

#include "base/result.h"
#include "cli/settings/config.h"
#include "cli/settings/data_directory.h"
#include "darkroom/darkroom.h"
#include "delivery/resized_cache.h"
#include "delivery/resizer.h"
#include "flows/product.h"
#include "metrics/registry.h"

namespace tintype::cli {

/// Pictures in any size, wired together: the cache, and helpers of their own, so that a viewer does
/// not wait behind an import. Owned by the gallery. Thread-safe.
class ResizeService {
 public:
  /// The product outlives it. `keys` are what its files are sealed with, null for plain ones.
  static Result<std::unique_ptr<ResizeService>> Open(
      const ServeConfig& config, const darkroom::Config& darkroom, const DataDirectory& directory,
      flows::Product& product, std::shared_ptr<const blobs::SealingKeys> keys);

  delivery::Resizer& resizer() { return resizer_; }
  /// Its helpers, for other pictures that somebody waits for.
  darkroom::Darkroom& darkroom() { return darkroom_; }

  /// Shows its helpers, what it has done and its cache, for as long as it lives.
  void ShowMetrics(metrics::Registry& registry);

  /// Ends the work in progress and joins all threads.
  void Stop();

 private:
  ResizeService(const delivery::ResizerConfig& config, const darkroom::Config& darkroom,
                std::unique_ptr<delivery::ResizedCache> cache, blobs::BlobStore& blobs);

  darkroom::Darkroom darkroom_;
  const std::unique_ptr<delivery::ResizedCache> cache_;
  delivery::Resizer resizer_;
  metrics::Registration helper_metrics_;
  metrics::Registration resizer_metrics_;
};

}  // namespace tintype::cli
