#include <string>
#include <utility>
#include <variant>

#include "base/strings.h"
#include "darkroom/failure.h"
#include "darkroom/imaging/guard.h"
#include "darkroom/imaging/operations.h"
#include "darkroom/imaging/output.h"
#include "darkroom/imaging/pixels.h"
#include "darkroom/imaging/source_image.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

// Applies a step to the colours and leaves the transparency as it is.
template <typename Step>
VImage OnColors(const VImage& image, Step step) {
  if (!image.has_alpha()) {
    return step(image);
  }
  const int colors = image.bands() - 1;
  const VImage changed = step(image.extract_band(0, VImage::option()->set("n", colors)));
  return changed.bandjoin(image.extract_band(colors));
}

Result<VImage> Apply(const VImage& image, const Rotate& rotate) {
  switch (rotate.degrees) {
    case 90:
      return image.rot90();
    case 180:
      return image.rot180();
    default:
      return image.rot270();
  }
}

Result<VImage> Apply(const VImage& image, const Crop& crop) {
  // Compared so that no sum can overflow.
  if (crop.left > image.width() - crop.width || crop.top > image.height() - crop.height) {
    return MakeFailure(
        FailureKind::kInvalidRequest,
        StrCat("The crop of ", crop.width, " x ", crop.height, " at ", crop.left, ", ", crop.top,
               " is not inside of the image, which has ", image.width(), " x ", image.height()));
  }
  return image.extract_area(crop.left, crop.top, crop.width, crop.height);
}

Result<VImage> Apply(const VImage& image, const AutoLevels& /*levels*/) {
  return OnColors(image, [](const VImage& colors) {
    // The same line for all bands, or the colours would shift.
    const VImage luminance = colors.colourspace(VIPS_INTERPRETATION_B_W);
    const int low = luminance.percent(0.5);
    const int high = luminance.percent(99.5);
    if (high <= low) {
      return colors;
    }
    const double scale = 255.0 / (high - low);
    return colors.linear(scale, -low * scale, VImage::option()->set("uchar", true));
  });
}

Result<VImage> Apply(const VImage& image, const BlackAndWhite& /*gray*/) {
  return OnColors(image, [](const VImage& colors) {
    return colors.colourspace(VIPS_INTERPRETATION_B_W).colourspace(VIPS_INTERPRETATION_sRGB);
  });
}

// The whole image in memory, upright and in sRGB.
Result<VImage> OpenWhole(const EditRequest& request, const PixelLimits& limits,
                         Strictness strictness) {
  return Guard([&]() -> Result<VImage> {
    ASSIGN_OR_RETURN(const SourceImage source,
                     OpenSource(request.input, limits, strictness, kFullSize));
    RETURN_IF_ERROR(CheckHeldWhole(source.original, limits));
    return Upright(Settle(ToSrgb(source.image)), source.orientation);
  });
}

// The same, and of a damaged file what there is.
Result<VImage> OpenWhatThereIs(const EditRequest& request, const PixelLimits& limits) {
  Result<VImage> whole = OpenWhole(request, limits, Strictness::kWhole);
  if (!whole.ok() && KindOf(whole.error()) == FailureKind::kCorrupt) {
    return OpenWhole(request, limits, Strictness::kWhatThereIs);
  }
  return whole;
}

}  // namespace

Result<Edited> RunEdit(const EditRequest& request, const PixelLimits& limits) {
  ASSIGN_OR_RETURN(VImage image, OpenWhatThereIs(request, limits));
  return Guard([&]() -> Result<Edited> {
    for (const EditOperation& operation : request.operations) {
      ASSIGN_OR_RETURN(image,
                       std::visit([&](const auto& step) { return Apply(image, step); }, operation));
    }
    const Encoding encoding = {request.format, request.quality, 4};
    ASSIGN_OR_RETURN(const int64_t bytes, WriteImage(Settle(image), encoding, request.output));
    return Edited{image.width(), image.height(), request.format, bytes};
  });
}

}  // namespace tintype::darkroom
