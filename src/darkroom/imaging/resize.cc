#include <variant>

#include "darkroom/imaging/guard.h"
#include "darkroom/imaging/operations.h"
#include "darkroom/imaging/output.h"
#include "darkroom/imaging/picture.h"
#include "darkroom/imaging/pixels.h"

namespace tintype::darkroom {

Result<Resized> RunResize(const ResizeRequest& request, const PixelLimits& limits) {
  const auto place = [&](Dimensions original) { return PlaceFor(original, request); };
  ASSIGN_OR_RETURN(const Picture picture,
                   ReadPicture(request.input, limits, place, RangeFor(request.format)));
  const Dimensions size = place({picture.original.width, picture.original.height}).visible;
  return Guard([&]() -> Result<Resized> {
    const Encoding encoding = {request.format, request.quality, request.effort};
    const auto write = [&](const auto& pixels) {
      return WriteImage(pixels, encoding, request.output);
    };
    ASSIGN_OR_RETURN(const int64_t bytes, std::visit(write, picture.pixels));
    return Resized{size.width, size.height, bytes};
  });
}

}  // namespace tintype::darkroom
