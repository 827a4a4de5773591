#include "darkroom/imaging/planes/direct.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "darkroom/imaging/planes/jpeg_reader.h"
#include "darkroom/imaging/planes/plane_scaler.h"

namespace tintype::darkroom {
namespace {

/// One direction of a picture as the file has it: so long is the image, so long it would be when
/// scaled, and that part of it is wanted.
struct Side {
  int32_t full = 0;
  int32_t scaled = 0;
  int32_t begin = 0;
  int32_t visible = 0;
  /// Looked at from the other end.
  bool mirrored = false;
};

Side MakeSide(int32_t full, int32_t scaled, int32_t visible, bool mirrored) {
  return {full, scaled, (scaled - visible) / 2, visible, mirrored};
}

struct Sides {
  Side across;
  Side down;
};

// The sides of the picture as it is stored, from those of the picture as it is looked at.
Sides StoredSides(Dimensions full, const Placement& placement, int orientation) {
  const bool lying = orientation >= 5;
  bool left_right = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
  bool top_bottom = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
  Dimensions scaled = placement.scaled;
  Dimensions visible = placement.visible;
  if (lying) {
    std::swap(scaled.width, scaled.height);
    std::swap(visible.width, visible.height);
    std::swap(left_right, top_bottom);
  }
  return {MakeSide(full.width, scaled.width, visible.width, left_right),
          MakeSide(full.height, scaled.height, visible.height, top_bottom)};
}

// Where the samples of a luminance lie, for one that has `density` samples a pixel.
Axis LuminanceAxis(const Side& side, int32_t source_count, double density) {
  const double pixels = static_cast<double>(side.full) / side.scaled;
  const int32_t begin = side.mirrored ? side.scaled - side.begin - side.visible : side.begin;
  return {source_count, side.visible, begin * pixels * density, pixels * density};
}

// The same for colours. They are counted in pairs of pixels from the edge that is looked at as the
// first one: when the number of pixels is odd, the last pair lacks one.
Axis ColorAxis(const Side& side, int32_t source_count, double density) {
  const double pixels = static_cast<double>(side.full) / side.scaled;
  const int32_t count = (side.visible + 1) / 2;
  const int32_t begin = side.mirrored ? side.scaled - side.begin - 2 * count : side.begin;
  return {source_count, count, begin * pixels * density, 2 * pixels * density};
}

/// How a sample changes with the range of its picture: gain x sample + bias.
struct Levels {
  double gain = 1;
  double bias = 0;
};
constexpr Levels kSame = {};
constexpr Levels kLimitedLuminance = {219.0 / 255, 16};
constexpr Levels kLimitedColor = {224.0 / 255, 128 * (1 - 224.0 / 255)};

/// The taps for one plane.
struct Taps {
  TapTable across;
  TapTable down;
  double bias = 0;
};

Taps MakeTaps(const Axis& across, const Axis& down, const Levels& levels) {
  return {MakeTaps(across, levels.gain), MakeTaps(down), levels.bias};
}

/// A plane on its way from the file to the picture.
struct Lane {
  JpegPlane source;
  Taps taps;
  Plane result;
};

Lane MakeLane(const JpegPlane& source, const Sides& sides, bool is_color, Range range) {
  Lane lane;
  lane.source = source;
  const auto axis = is_color ? ColorAxis : LuminanceAxis;
  const Axis across = axis(sides.across, source.size.width, source.density_across);
  const Axis down = axis(sides.down, source.size.height, source.density_down);
  Levels levels = kSame;
  if (range == Range::kLimited) {
    levels = is_color ? kLimitedColor : kLimitedLuminance;
  }
  lane.taps = MakeTaps(across, down, levels);
  lane.result = Plane(Dimensions{across.result_count, down.result_count});
  return lane;
}

// Rows go straight from the decoder to the scalers, until those have all that they need.
bool ReadLanes(JpegReader& reader, std::vector<Lane>& lanes) {
  std::vector<PlaneScaler> scalers;
  scalers.reserve(lanes.size());
  std::vector<std::vector<uint8_t*>> rows(lanes.size());
  std::vector<uint8_t**> planes;
  for (size_t i = 0; i < lanes.size(); ++i) {
    Lane& lane = lanes[i];
    scalers.emplace_back(lane.taps.across, lane.taps.down, lane.taps.bias, lane.source.size,
                         lane.source.batch, lane.result);
    rows[i].resize(static_cast<size_t>(lane.source.batch));
    planes.push_back(rows[i].data());
  }
  const auto done = [&] { return std::ranges::all_of(scalers, &PlaneScaler::Done); };
  while (!reader.finished() && !done()) {
    for (size_t i = 0; i < lanes.size(); ++i) {
      for (size_t ahead = 0; ahead < rows[i].size(); ++ahead) {
        rows[i][ahead] = scalers[i].RowAhead(static_cast<int32_t>(ahead));
      }
    }
    if (!reader.ReadBatch(planes)) {
      return false;
    }
    for (size_t i = 0; i < lanes.size(); ++i) {
      scalers[i].Take(lanes[i].source.batch);
    }
  }
  return done();
}

// The largest reduction of the decoder that leaves both sides at least as long as they are wanted.
int ShrinkFor(const Sides& sides) {
  const auto suits = [](const Side& side, int shrink) { return side.full / shrink >= side.scaled; };
  for (const int shrink : {8, 4, 2}) {
    if (suits(sides.across, shrink) && suits(sides.down, shrink)) {
      return shrink;
    }
  }
  return 1;
}

Plane Scaled(const Plane& plane, const Taps& taps) {
  Plane result(Dimensions{static_cast<int32_t>(taps.across.first.size()),
                          static_cast<int32_t>(taps.down.first.size())});
  PlaneScaler scaler(taps.across, taps.down, taps.bias, {plane.width(), plane.height()}, 1, result);
  for (int32_t y = 0; y < plane.height(); ++y) {
    std::memcpy(scaler.RowAhead(0), plane.Row(y), static_cast<size_t>(plane.width()));
    scaler.Take(1);
  }
  return result;
}

}  // namespace

std::optional<DirectPicture> ReadDirectly(int input, const SourceImage& source,
                                          const Placement& placement, Range range) {
  if (source.original.media_type != "image/jpeg" || !IsSrgb(source.image)) {
    return std::nullopt;
  }
  JpegReader reader(input);
  if (!reader.ReadHeader()) {
    return std::nullopt;
  }
  const Sides sides = StoredSides(reader.size(), placement, source.orientation);
  if (!reader.Start(ShrinkFor(sides))) {
    return std::nullopt;
  }
  std::vector<Lane> lanes;
  for (size_t i = 0; i < reader.plane_count(); ++i) {
    lanes.push_back(MakeLane(reader.plane(i), sides, /*is_color=*/i > 0, range));
  }
  if (!ReadLanes(reader, lanes)) {
    return std::nullopt;
  }
  DirectPicture direct;
  direct.truncated = reader.damaged();
  YuvPicture& picture = direct.picture;
  picture.size = placement.visible;
  picture.range = range;
  picture.y = Upright(std::move(lanes[0].result), source.orientation);
  const bool gray = lanes.size() == 1;
  const Plane no_color(gray ? ColorSizeOf(picture.size) : Dimensions(), 128);
  picture.u = gray ? no_color : Upright(std::move(lanes[1].result), source.orientation);
  picture.v = gray ? no_color : Upright(std::move(lanes[2].result), source.orientation);
  return direct;
}

YuvPicture ScaleTo(const YuvPicture& picture, Dimensions size) {
  if (size == picture.size) {
    return picture;
  }
  const Side across = MakeSide(picture.size.width, size.width, size.width, false);
  const Side down = MakeSide(picture.size.height, size.height, size.height, false);
  const Taps luminance = MakeTaps(LuminanceAxis(across, picture.y.width(), 1),
                                  LuminanceAxis(down, picture.y.height(), 1), kSame);
  const Taps color = MakeTaps(ColorAxis(across, picture.u.width(), 0.5),
                              ColorAxis(down, picture.u.height(), 0.5), kSame);
  return {size, picture.range, Scaled(picture.y, luminance), Scaled(picture.u, color),
          Scaled(picture.v, color)};
}

}  // namespace tintype::darkroom
