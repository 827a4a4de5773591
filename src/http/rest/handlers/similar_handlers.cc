#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "contexts/catalog/image_hash.h"
#include "http/rest/api/image_json.h"
#include "http/rest/handlers/handlers.h"
#include "json/writer.h"
#include "views/similar_images.h"

namespace tintype::http::rest {
namespace {

Result<int> DistanceOf(const Call& call) {
  using contexts::catalog::kSimilarDistanceMax;
  const std::optional<std::string> text = call.target.Parameter("distance");
  if (!text) {
    return contexts::catalog::kSimilarDistanceDefault;
  }
  const std::optional<int> distance = ParseInteger<int>(*text);
  if (!distance || *distance < 0 || *distance > kSimilarDistanceMax) {
    return Error::Validation(StrCat("`distance` is a number from 0 to ", kSimilarDistanceMax, "."));
  }
  return *distance;
}

Result<std::string> SimilarJson(Api& api, const Call& call) {
  ASSIGN_OR_RETURN(const int64_t limit, PageLimit(call));
  ASSIGN_OR_RETURN(const int distance, DistanceOf(call));
  ASSIGN_OR_RETURN(const auto similar,
                   views::FindSimilarImages(api.views, call.account(),
                                            {.image_id = call.parameters[0],
                                             .distance = distance,
                                             .limit = static_cast<size_t>(limit)}));
  LinkSigner links = LinksOf(api);
  json::Writer json;
  json.OpenObject();
  json.Name("items");
  json.OpenArray();
  for (const views::SimilarImage& each : similar.images) {
    json.OpenObject();
    json.Integer("distance", each.distance);
    json.Name("image");
    WriteImage(json, api, links, each.view);
    json.CloseObject();
  }
  json.CloseArray();
  json.Bool("complete", similar.complete);
  json.CloseObject();
  return std::move(json).Take();
}

}  // namespace

Response GetSimilarImages(Api& api, const Call& call) {
  Result<std::string> json = SimilarJson(api, call);
  return json.ok() ? JsonResponse(200, *std::move(json)) : Refuse(call, json.error());
}

}  // namespace tintype::http::rest
