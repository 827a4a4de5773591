#include "darkroom/vision/objects/find_objects.h"

#include <cstddef>
#include <vector>

#include "darkroom/failure.h"
#include "darkroom/vision/objects/boxes.h"
#include "darkroom/vision/picture.h"

namespace tintype::darkroom::vision {
namespace {

// What the model sees of any picture, whatever its shape.
constexpr int32_t kSide = 300;

}  // namespace

Result<FoundObjects> RunFindObjects(const FindObjectsRequest& request, const PixelLimits& limits,
                                    LoadedModels& models) {
  ASSIGN_OR_RETURN(const Picture picture, DecodePicture(request.input, limits));
  const Picture seen = Resized(picture, kSide, kSide);
  constexpr size_t kPlane = size_t{kSide} * kSide;
  Tensor input{{1, 3, kSide, kSide}, std::vector<float>(kPlane * 3)};
  for (size_t i = 0; i < kPlane; ++i) {
    for (size_t c = 0; c < 3; ++c) {
      // Red first, from -1 to 1.
      const auto value = static_cast<float>(seen.pixels[i * 3 + 2 - c]);
      input.values[c * kPlane + i] = value / 127.5F - 1;
    }
  }
  models.Use(request.models);
  ASSIGN_OR_RETURN(ModelSession * model, models.Model(0, request.model));
  ASSIGN_OR_RETURN(const std::vector<Tensor> outputs, model->Run(input));
  if (outputs.size() != 2 || outputs[0].values.size() != Anchors().size() * 4 ||
      outputs[1].values.size() != Anchors().size() * kObjectKindsMax) {
    return MakeFailure(FailureKind::kNotRunning, "A model is none that finds objects");
  }
  return FoundObjects{ObjectsOf(outputs[0].values, outputs[1].values)};
}

}  // namespace tintype::darkroom::vision
