#include <utility>

#include "darkroom/imaging/guard.h"
#include "darkroom/imaging/operations.h"
#include "darkroom/imaging/source_image.h"

namespace tintype::darkroom {

Result<Original> RunProbe(const ProbeRequest& request, const PixelLimits& limits) {
  return Guard([&]() -> Result<Original> {
    ASSIGN_OR_RETURN(SourceImage source,
                     OpenSource(request.input, limits, Strictness::kWhatThereIs, kFullSize));
    return std::move(source.original);
  });
}

}  // namespace tintype::darkroom
