#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/catalog/image.h"
#include "flows/images/develop.h"
#include "flows/product.h"
#include "pipeline/helpers.h"

/// How what is made of a medium gets into the images bucket. All answer how many bytes it has.
namespace tintype::pipeline {

blobs::BlobKey ImagesKey(const flows::Product& product, std::string key);

Result<int64_t> StoreText(flows::Product& product, std::string key, std::string_view text);

/// A blob that a helper writes: `make` gets the descriptor to write to.
Result<int64_t> StoreMade(flows::Product& product, std::string key,
                          const std::function<Status(int output)>& make);

/// The asset can be looked at and played without it: one that cannot be made of this file is left
/// out, which the log says, and has no bytes. Other errors stay.
Result<int64_t> LeftOutIfImpossible(const contexts::catalog::Image& image, std::string_view what,
                                    Result<int64_t> bytes);

/// Makes the renditions of the poster that is stored of an asset, as those of the asset, and says
/// so in the result.
Status DevelopPoster(flows::Product& product, const Helpers& helpers,
                     const contexts::catalog::Image& image, flows::DevelopResult& result);

}  // namespace tintype::pipeline
