#include "views/similar_images.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "tables/language/limits.h"

namespace tintype::views {
namespace {

using contexts::catalog::Image;
using contexts::catalog::SimilarHash;

/// The images of these hashes that the viewer sees, in the order of the hashes.
Result<std::vector<SimilarImage>> Show(const Sources& sources, const Viewer& viewer,
                                       std::span<const SimilarHash> hashes) {
  std::vector<std::string> ids;
  std::unordered_map<std::string, int> distances;
  for (const SimilarHash& each : hashes) {
    ids.push_back(each.image_id);
    distances.emplace(each.image_id, each.distance);
  }
  ASSIGN_OR_RETURN(auto records, sources.catalog.FindAll(ids));
  std::vector<Image> images;
  for (const std::string& id : ids) {
    if (const auto record = records.find(id); record != records.end()) {
      images.push_back(std::move(record->second));
    }
  }
  ASSIGN_OR_RETURN(auto views, ShowOwnImages(sources, viewer, std::move(images)));
  std::vector<SimilarImage> similar;
  for (ImageView& view : views) {
    const int distance = distances.at(view.image.id);
    similar.push_back({std::move(view), distance});
  }
  return similar;
}

}  // namespace

Result<SimilarImages> FindSimilarImages(const Sources& sources, const Viewer& viewer,
                                        const SimilarRequest& request) {
  ASSIGN_OR_RETURN(const ImageView own, FindOwnImage(sources, viewer, request.image_id));
  SimilarImages similar;
  if (!own.image.perceptual_hash) {
    return similar;
  }
  ASSIGN_OR_RETURN(const auto found,
                   sources.similarity.FindSimilar(
                       {own.image.id, viewer.id, *own.image.perceptual_hash}, request.distance));
  similar.complete = found.complete;
  // A hash may be of an image that is in the trash, so the first batch need not be enough.
  for (size_t begin = 0; begin < found.images.size() && similar.images.size() < request.limit;
       begin += tables::limits::kBatchGetKeys) {
    const size_t count = std::min(found.images.size() - begin, tables::limits::kBatchGetKeys);
    ASSIGN_OR_RETURN(auto shown,
                     Show(sources, viewer, std::span(found.images).subspan(begin, count)));
    std::ranges::move(shown, std::back_inserter(similar.images));
  }
  similar.images.resize(std::min(similar.images.size(), request.limit));
  return similar;
}

}  // namespace tintype::views
