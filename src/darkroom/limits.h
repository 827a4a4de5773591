#pragma once

#include <cstdint>

namespace tintype::darkroom {

/// How large an image may be, read from its header before any pixel is decoded.
struct PixelLimits {
  /// Width x height of a page. Default 200 million. Raise it for scans and panoramas; decoding
  /// streams, so that it costs time rather than memory.
  int64_t pixels = 200'000'000;
  /// The same for what has to be in memory whole: interlaced PNG, progressive JPEG, WebP, GIF,
  /// HEIC, AVIF, strips of TIFF, and every edit. Default 64 million, up to 8 bytes each. Raise it
  /// together with address_space_bytes, as PixelsHeldWhole tells.
  int64_t pixels_held_whole = 64'000'000;
  /// Frames of an animation, pages of a TIFF. Default 4000; of GIF no more than 4096 are ever
  /// counted. Only the first one is decoded, but finding out how many there are takes time for
  /// each.
  int64_t pages = 4'000;
};

/// How many pixels can be held whole in so much address space: what the helper itself takes, with
/// some room, is set aside, and each pixel may be there twice.
constexpr int64_t PixelsHeldWhole(int64_t address_space_bytes) {
  constexpr int64_t kSetAsideBytes = int64_t{512} << 20;
  constexpr int64_t kBytesPerPixel = 16;
  return address_space_bytes > kSetAsideBytes
             ? (address_space_bytes - kSetAsideBytes) / kBytesPerPixel
             : 1;
}

/// What one item may take of time: Limits has both for items in general.
struct ItemTime {
  int64_t cpu_seconds = 0;
  int64_t wall_ms = 0;
};

/// What one item may cost. The helper is held to these by the kernel and by the clock of the
/// server, except for the pixels, which it checks itself.
struct Limits {
  PixelLimits pixels;
  /// Bytes of the input. Default 2 GiB.
  int64_t input_bytes = int64_t{2} << 30;
  /// Bytes of one output (RLIMIT_FSIZE). Default 512 MiB.
  int64_t output_bytes = int64_t{512} << 20;
  /// Address space of a helper (RLIMIT_AS). Default 1.5 GiB, of which its libraries take about a
  /// fifth.
  int64_t address_space_bytes = int64_t{1536} << 20;
  /// Processor time of one item, in seconds (RLIMIT_CPU). Default 60.
  int64_t cpu_seconds = 60;
  /// Time of one item by the clock, in milliseconds, after which the helper is killed. Default 120
  /// 000. Longer than cpu_seconds, because the machine may be busy.
  int64_t wall_ms = 120'000;
};

}  // namespace tintype::darkroom
