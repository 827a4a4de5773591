#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "darkroom/imaging/guard.h"
#include "darkroom/imaging/metadata/properties.h"
#include "darkroom/imaging/operations.h"
#include "darkroom/imaging/output.h"
#include "darkroom/imaging/picture.h"
#include "darkroom/imaging/pixels.h"
#include "darkroom/imaging/planes/direct.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

std::vector<size_t> LargestFirst(const std::vector<SizeRequest>& sizes) {
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](size_t i) { return sizes[i].longest_side; });
  return order;
}

// Which of the sizes is measured: the smallest that is not too small, else the largest.
size_t MeasuredOne(const std::vector<SizeRequest>& sizes,
                   const std::vector<size_t>& largest_first) {
  size_t measured = largest_first.front();
  for (const size_t i : largest_first) {
    measured = sizes[i].longest_side >= kMeasuredSide ? i : measured;
  }
  return measured;
}

// What planes and images of libvips have in common here.
VImage Reduce(const VImage& image, Dimensions size) { return Settle(ScaleTo(image, size)); }
YuvPicture Reduce(const YuvPicture& picture, Dimensions size) { return ScaleTo(picture, size); }

// Every size, each from the one before. `image` is the largest.
template <typename Image>
Status MakeRenditions(Image image, const DevelopRequest& request, Developed& developed) {
  const Encoding encoding = {OutputFormat::kWebp, request.quality, request.effort};
  const Dimensions full = {developed.original.width, developed.original.height};
  const std::vector<size_t> order = LargestFirst(request.sizes);
  const size_t measured = MeasuredOne(request.sizes, order);
  Dimensions size = FitWithin(full, request.sizes[order.front()].longest_side);
  developed.renditions.resize(request.sizes.size());
  for (const size_t i : order) {
    const Dimensions next = FitWithin(full, request.sizes[i].longest_side);
    if (next != size) {
      image = Reduce(image, next);
      size = next;
    }
    ASSIGN_OR_RETURN(const int64_t bytes, WriteImage(image, encoding, request.sizes[i].output));
    developed.renditions[i] = {"", size.width, size.height, bytes};
    if (i == measured) {
      developed.properties = MeasureProperties(image);
    }
  }
  return OkStatus();
}

}  // namespace

Result<Developed> RunDevelop(const DevelopRequest& request, const PixelLimits& limits) {
  const int32_t largest =
      std::ranges::max(request.sizes, {}, &SizeRequest::longest_side).longest_side;
  const auto place = [&](Dimensions original) {
    const Dimensions size = FitWithin(original, largest);
    return Placement{size, size};
  };
  ASSIGN_OR_RETURN(Picture picture,
                   ReadPicture(request.input, limits, place, RangeFor(OutputFormat::kWebp)));
  return Guard([&]() -> Result<Developed> {
    Developed developed;
    developed.original = std::move(picture.original);
    developed.exif = std::move(picture.exif);
    const auto make = [&](auto& pixels) {
      return MakeRenditions(std::move(pixels), request, developed);
    };
    RETURN_IF_ERROR(std::visit(make, picture.pixels));
    return developed;
  });
}

}  // namespace tintype::darkroom
