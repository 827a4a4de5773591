#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "contexts/catalog/looks.h"
#include "flows/product.h"

/// Images that look alike.
namespace tintype::flows {

/// A step of development of its own: the image is found by its look from now on, and no longer by
/// one that it had before. Errors: kNotFound when the image was deleted; kConditionFailed when the
/// lease is lost.
Status KeepLook(Product& product, const contexts::backlog::Work& work,
                std::optional<uint64_t> hash);

struct SimilarImage {
  contexts::catalog::Image image;
  int distance = 0;
};
struct SimilarImages {
  /// The nearest first.
  std::vector<SimilarImage> images;
  /// As SimilarLooks has it.
  bool complete = true;
};

/// The account's images that look like one of them, without that one and those in the trash.
/// `distance` is 0 to kLookDistanceMax. Empty for an image without a look. Errors: kNotFound when
/// it is gone, in the trash, or another's.
Result<SimilarImages> FindSimilarImages(Product& product, const Account& account,
                                        std::string_view id, int distance, size_t limit);

}  // namespace tintype::flows
