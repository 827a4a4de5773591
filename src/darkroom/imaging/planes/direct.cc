#include "darkroom/imaging/planes/direct.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "darkroom/imaging/planes/jpeg_reader.h"
#include "darkroom/imaging/planes/plane_scaler.h"
#include "darkroom/imaging/planes/webp_reader.h"

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

// Zero, of luminance, and the middle, of colours, are where they are in both ranges.
Levels LevelsFor(Range from, Range to, bool is_color) {
  if (from == to) {
    return kSame;
  }
  const double shrunk = (is_color ? 224.0 : 219.0) / 255;
  const double gain = to == Range::kLimited ? shrunk : 1 / shrunk;
  if (is_color) {
    return {gain, 128 * (1 - gain)};
  }
  return {gain, to == Range::kLimited ? 16 : -16 * gain};
}

/// The taps for one plane.
struct Taps {
  TapTable across;
  TapTable down;
  double bias = 0;
};

Taps MakeTaps(const Axis& across, const Axis& down, const Levels& levels) {
  return {MakeTaps(across, levels.gain), MakeTaps(down), levels.bias};
}

/// What is wanted of a file.
struct Wanted {
  Sides sides;
  Range range = Range::kFull;
};

Taps TapsFor(const JpegPlane& source, const Wanted& wanted, Range stored, bool is_color) {
  const auto axis = is_color ? ColorAxis : LuminanceAxis;
  return MakeTaps(axis(wanted.sides.across, source.size.width, source.density_across),
                  axis(wanted.sides.down, source.size.height, source.density_down),
                  LevelsFor(stored, wanted.range, is_color));
}

Plane RoomFor(const Taps& taps) {
  return Plane(Dimensions{static_cast<int32_t>(taps.across.first.size()),
                          static_cast<int32_t>(taps.down.first.size())});
}

/// A plane on its way from the file to the picture.
struct Lane {
  JpegPlane source;
  Taps taps;
  Plane result;
};

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

// The fewest samples of a block's side, 1 to 8, of which the wanted picture can be made without a
// loss that is seen: some more than it has itself, as each block is cut down for itself.
int SamplesOfBlock(const Sides& sides) {
  constexpr int kWhole = 8;
  constexpr double kMore = 1.4;
  const auto suit = [](const Side& side, int samples) {
    return static_cast<double>(side.full) * samples / kWhole >= kMore * side.scaled;
  };
  int samples = 1;
  while (samples < kWhole && (!suit(sides.across, samples) || !suit(sides.down, samples))) {
    ++samples;
  }
  return samples;
}

Plane Scaled(const Plane& plane, const Taps& taps) {
  Plane result = RoomFor(taps);
  PlaneScaler scaler(taps.across, taps.down, taps.bias, {plane.width(), plane.height()}, 1, result);
  for (int32_t y = 0; y < plane.height() && !scaler.Done(); ++y) {
    std::memcpy(scaler.RowAhead(0), plane.Row(y), static_cast<size_t>(plane.width()));
    scaler.Take(1);
  }
  return result;
}

// Reads a file that was begun.
std::optional<DirectPicture> ReadStarted(JpegReader& reader, const Wanted& wanted) {
  std::vector<Lane> lanes;
  for (size_t i = 0; i < reader.plane_count(); ++i) {
    const JpegPlane plane = reader.plane(i);
    Taps taps = TapsFor(plane, wanted, Range::kFull, /*is_color=*/i > 0);
    Plane result = RoomFor(taps);
    lanes.push_back({plane, std::move(taps), std::move(result)});
  }
  if (!ReadLanes(reader, lanes)) {
    return std::nullopt;
  }
  DirectPicture direct;
  direct.damage = reader.damage();
  direct.rows_there = reader.rows_there();
  direct.picture.y = std::move(lanes[0].result);
  if (lanes.size() == 3) {
    direct.picture.u = std::move(lanes[1].result);
    direct.picture.v = std::move(lanes[2].result);
  } else {
    const Dimensions size = {direct.picture.y.width(), direct.picture.y.height()};
    direct.picture.u = Plane(ColorSizeOf(size), 128);
    direct.picture.v = direct.picture.u;
  }
  return direct;
}

std::optional<DirectPicture> ReadJpeg(int input, const Placement& placement, int orientation,
                                      Range range) {
  for (const bool reduced : {true, false}) {
    JpegReader reader(input);
    if (!reader.ReadHeader()) {
      return std::nullopt;
    }
    const Wanted wanted = {StoredSides(reader.size(), placement, orientation), range};
    const int samples = SamplesOfBlock(wanted.sides);
    if (reduced ? reader.StartReduced(samples) : reader.Start(samples)) {
      if (auto direct = ReadStarted(reader, wanted)) {
        return direct;
      }
    }
  }
  return std::nullopt;
}

YuvPicture Scaled(const YuvPicture& picture, const Wanted& wanted) {
  const Dimensions colors = ColorSizeOf(picture.size);
  const Taps luminance = TapsFor({picture.size}, wanted, picture.range, /*is_color=*/false);
  const Taps color = TapsFor({colors, 0.5, 0.5}, wanted, picture.range, /*is_color=*/true);
  YuvPicture scaled;
  scaled.size = {wanted.sides.across.visible, wanted.sides.down.visible};
  scaled.range = wanted.range;
  scaled.y = Scaled(picture.y, luminance);
  scaled.u = Scaled(picture.u, color);
  scaled.v = Scaled(picture.v, color);
  return scaled;
}

}  // namespace

std::optional<DirectPicture> ReadDirectly(int input, const SourceImage& source,
                                          const Placement& placement, Range range) {
  const int orientation = source.orientation;
  const bool is_jpeg = source.original.media_type == "image/jpeg";
  if ((!is_jpeg && source.original.media_type != "image/webp") || !IsSrgb(source.image)) {
    return std::nullopt;
  }
  std::optional<DirectPicture> direct;
  if (is_jpeg) {
    direct = ReadJpeg(input, placement, orientation, range);
  } else if (const auto stored = ReadWebpPlanes(input)) {
    direct.emplace();
    direct->picture = Scaled(*stored, {StoredSides(stored->size, placement, orientation), range});
  }
  if (direct.has_value()) {
    YuvPicture& picture = direct->picture;
    picture.size = placement.visible;
    picture.range = range;
    picture.y = Upright(std::move(picture.y), orientation);
    picture.u = Upright(std::move(picture.u), orientation);
    picture.v = Upright(std::move(picture.v), orientation);
  }
  return direct;
}

YuvPicture ScaleTo(const YuvPicture& picture, Dimensions size) {
  if (size == picture.size) {
    return picture;
  }
  return Scaled(picture, {StoredSides(picture.size, {size, size}, 1), picture.range});
}

}  // namespace tintype::darkroom
