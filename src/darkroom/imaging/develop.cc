#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "darkroom/failure.h"
#include "darkroom/imaging/guard.h"
#include "darkroom/imaging/operations.h"
#include "darkroom/imaging/output.h"
#include "darkroom/imaging/pixels.h"
#include "darkroom/imaging/properties.h"
#include "darkroom/imaging/source_image.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

/// The largest rendition, in memory, from which all the others are made.
struct Master {
  VImage image;
  Original original;
  Exif exif;
};

// The order of the steps keeps memory low: pixels stream from the decoder through the scaler, and
// only what is left of them is converted, gathered and turned. Turning needs them all at once.
Result<Master> MakeMaster(int input, const PixelLimits& limits, Strictness strictness,
                          int32_t longest_side) {
  return Guard([&]() -> Result<Master> {
    ASSIGN_OR_RETURN(SourceImage source, OpenSource(input, limits, strictness, longest_side));
    Master master;
    master.exif = ExifOf(source);
    master.original = std::move(source.original);

    // Sizes follow from the original's as it is looked at, so that rounding is the same for all.
    Dimensions size = FitWithin({master.original.width, master.original.height}, longest_side);
    if (source.orientation >= 5) {
      std::swap(size.width, size.height);
    }
    const VImage scaled = ScaleTo(source.image, size);
    const VImage colored = Settle(ToSrgb(scaled));
    master.image = Settle(Upright(colored, source.orientation));
    return master;
  });
}

// A file that ends early is still a photo: what there is gets developed, and the record says so.
Result<Master> MakeMasterOfWhatThereIs(int input, const PixelLimits& limits, int32_t longest_side) {
  Result<Master> whole = MakeMaster(input, limits, Strictness::kWhole, longest_side);
  if (whole.ok() || KindOf(whole.error()) != FailureKind::kCorrupt) {
    return whole;
  }
  Result<Master> partial = MakeMaster(input, limits, Strictness::kWhatThereIs, longest_side);
  if (partial.ok()) {
    partial->original.truncated = true;
  }
  return partial;
}

std::vector<size_t> LargestFirst(const std::vector<Size>& sizes) {
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](size_t i) { return sizes[i].longest_side; });
  return order;
}

}  // namespace

Result<Developed> RunDevelop(const DevelopRequest& request, const PixelLimits& limits) {
  const std::vector<size_t> order = LargestFirst(request.sizes);
  const int32_t largest = request.sizes[order.front()].longest_side;
  ASSIGN_OR_RETURN(Master master, MakeMasterOfWhatThereIs(request.input, limits, largest));
  return Guard([&]() -> Result<Developed> {
    Developed developed;
    developed.renditions.resize(request.sizes.size());
    const Encoding encoding = {OutputFormat::kWebp, request.quality, request.effort};
    const Dimensions full = {master.original.width, master.original.height};
    VImage image = master.image;
    VImage measured = image;
    for (const size_t i : order) {
      const Size& asked = request.sizes[i];
      image = Settle(ScaleTo(image, FitWithin(full, asked.longest_side)));
      ASSIGN_OR_RETURN(const int64_t bytes, WriteImage(image, encoding, asked.output));
      developed.renditions[i] = {"", image.width(), image.height(), bytes};
      if (std::max(image.width(), image.height()) >= kMeasuredSide) {
        measured = image;
      }
    }
    developed.properties = MeasureProperties(measured);
    developed.original = std::move(master.original);
    developed.exif = std::move(master.exif);
    return developed;
  });
}

}  // namespace tintype::darkroom
