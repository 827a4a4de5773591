#include "darkroom/imaging/picture.h"

#include <algorithm>
#include <utility>

#include "darkroom/failure.h"
#include "darkroom/imaging/guard.h"
#include "darkroom/imaging/planes/direct.h"
#include "darkroom/imaging/torn/torn_file.h"

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

// Of a truncated file. With a few rows missing of a picture that has no more, nobody can tell.
Status SetRowsThere(int32_t rows, int32_t height, Original& original) {
  if (rows > 0) {
    original.percent_there =
        std::max<int32_t>(1, static_cast<int32_t>(int64_t{rows} * 100 / height));
  } else if (height > kRowsAtOnce) {
    return MakeFailure(FailureKind::kCorrupt,
                       "The file ends before its picture begins; upload the whole file");
  }
  return OkStatus();
}

// Of a file that libvips has given up on when it was to read all of it.
Status NoteDamage(int input, const PixelLimits& limits, const SourceImage& source,
                  Original& original) {
  original.damage = EndsEarly(input, source) ? Damage::kTruncated : Damage::kDamaged;
  if (original.damage != Damage::kTruncated) {
    return OkStatus();
  }
  if (source.rows_there) {
    return SetRowsThere(*source.rows_there, source.image.height(), original);
  }
  const auto strict =
      Guard([&] { return OpenSource(input, limits, Strictness::kWhole, kFullSize); });
  // A picture decoded at once has all of its rows or none, whatever is missing.
  return strict.ok() && !strict->held_whole
             ? SetRowsThere(CountRows(strict->image), strict->image.height(), original)
             : OkStatus();
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
        picture.original.damage = direct->damage;
        if (direct->damage == Damage::kNone && strictness == Strictness::kWhatThereIs) {
          RETURN_IF_ERROR(NoteDamage(input, limits, header, picture.original));
        }
        if (direct->rows_there) {
          RETURN_IF_ERROR(
              SetRowsThere(*direct->rows_there, header.image.height(), picture.original));
        }
        picture.pixels = std::move(direct->picture);
        return picture;
      }
    }
    const int32_t longest = std::max(placement.scaled.width, placement.scaled.height);
    // A picture decoded to see how much there is need not be opened again.
    ASSIGN_OR_RETURN(const SourceImage source,
                     header.rows_there ? Result<SourceImage>(header)
                                       : OpenSource(input, limits, strictness, longest));
    picture.pixels = ReadByVips(source, placement);
    if (strictness == Strictness::kWhatThereIs) {
      RETURN_IF_ERROR(NoteDamage(input, limits, source, picture.original));
    } else if (header.ends_early) {
      picture.original.damage = Damage::kTruncated;
      picture.original.percent_there = 100;
    }
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
  return Read(input, limits, Strictness::kWhatThereIs, place, range);
}

}  // namespace tintype::darkroom
