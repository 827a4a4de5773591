#include <algorithm>
#include <utility>

#include "darkroom/failure.h"
#include "darkroom/imaging/guard.h"
#include "darkroom/imaging/operations.h"
#include "darkroom/imaging/output.h"
#include "darkroom/imaging/pixels.h"
#include "darkroom/imaging/source_image.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

VImage CutAroundMiddle(const VImage& image, Dimensions visible) {
  return image.extract_area((image.width() - visible.width) / 2,
                            (image.height() - visible.height) / 2, visible.width, visible.height);
}

// The image as it will be written, in memory.
Result<VImage> MakeImage(const ResizeRequest& request, const PixelLimits& limits,
                         Strictness strictness) {
  return Guard([&]() -> Result<VImage> {
    // Only the header tells how far the image is reduced, and only then can it be opened reduced.
    ASSIGN_OR_RETURN(const SourceImage whole,
                     OpenSource(request.input, limits, strictness, kFullSize));
    const Placement placement = PlaceFor({whole.original.width, whole.original.height}, request);
    Dimensions size = placement.scaled;
    ASSIGN_OR_RETURN(const SourceImage source, OpenSource(request.input, limits, strictness,
                                                          std::max(size.width, size.height)));
    if (source.orientation >= 5) {
      std::swap(size.width, size.height);
    }
    const VImage colored = Settle(ToSrgb(ScaleTo(source.image, size)));
    return Settle(CutAroundMiddle(Upright(colored, source.orientation), placement.visible));
  });
}

}  // namespace

Result<Resized> RunResize(const ResizeRequest& request, const PixelLimits& limits) {
  Result<VImage> image = MakeImage(request, limits, Strictness::kWhole);
  if (!image.ok() && KindOf(image.error()) == FailureKind::kCorrupt) {
    image = MakeImage(request, limits, Strictness::kWhatThereIs);
  }
  if (!image.ok()) {
    return image.error();
  }
  return Guard([&]() -> Result<Resized> {
    const Encoding encoding = {request.format, request.quality, request.effort};
    ASSIGN_OR_RETURN(const int64_t bytes, WriteImage(*image, encoding, request.output));
    return Resized{image->width(), image->height(), bytes};
  });
}

}  // namespace tintype::darkroom
