#include "darkroom/imaging/picture.h"

#include <algorithm>
#include <utility>

#include "darkroom/failure.h"
#include "darkroom/imaging/guard.h"
#include "darkroom/imaging/planes/direct.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

VImage CutAroundMiddle(const VImage& image, Dimensions visible) {
  if (image.width() == visible.width && image.height() == visible.height) {
    return image;
  }
  return image.extract_area((image.width() - visible.width) / 2,
                            (image.height() - visible.height) / 2, visible.width, visible.height);
}

Result<Picture> Read(int input, const PixelLimits& limits, Strictness strictness,
                     const PlacementOf& place, std::optional<Range> range) {
  return Guard([&]() -> Result<Picture> {
    // Only the header tells how far the image is reduced, and only then can it be opened reduced.
    ASSIGN_OR_RETURN(const SourceImage header, OpenSource(input, limits, strictness, kFullSize));
    Picture picture;
    picture.original = header.original;
    picture.exif = ExifOf(header);
    const Placement placement = place({header.original.width, header.original.height});
    if (range.has_value()) {
      if (auto direct = ReadDirectly(input, header, placement, *range)) {
        picture.original.truncated = direct->truncated;
        picture.pixels = std::move(direct->picture);
        return picture;
      }
    }
    const int32_t longest = std::max(placement.scaled.width, placement.scaled.height);
    ASSIGN_OR_RETURN(const SourceImage source, OpenSource(input, limits, strictness, longest));
    picture.pixels = ReadByVips(source, placement);
    return picture;
  });
}

}  // namespace

VImage ReadByVips(const SourceImage& source, const Placement& placement) {
  // The order of the steps keeps memory low: pixels stream from the decoder through the scaler, and
  // only what is left of them is converted, gathered and turned. Turning needs them all at once.
  Dimensions size = placement.scaled;
  if (source.orientation >= 5) {
    std::swap(size.width, size.height);
  }
  const VImage colored = Settle(ToSrgb(ScaleTo(source.image, size)));
  return Settle(CutAroundMiddle(Upright(colored, source.orientation), placement.visible));
}

Result<Picture> ReadPicture(int input, const PixelLimits& limits, const PlacementOf& place,
                            std::optional<Range> range) {
  Result<Picture> whole = Read(input, limits, Strictness::kWhole, place, range);
  if (whole.ok() || KindOf(whole.error()) != FailureKind::kCorrupt) {
    return whole;
  }
  // A file that ends early is still a photo: what there is gets developed, and the record says so.
  Result<Picture> partial = Read(input, limits, Strictness::kWhatThereIs, place, range);
  if (partial.ok()) {
    partial->original.truncated = true;
  }
  return partial;
}

}  // namespace tintype::darkroom
