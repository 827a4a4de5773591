#pragma once

#include <map>
#include <string>

namespace tintype::darkroom::av {

/// A film or a sound to be made. Pictures are a pattern that moves, in another colour each second,
/// with a white mark in the corner that is at the top left as they are stored; the sound is a tone.
struct Sample {
  /// As libavformat calls it: "mp4", "matroska".
  std::string format = "mp4";
  /// Encoders of libavcodec; empty for none.
  std::string video = "libx264";
  std::string audio = "aac";
  int width = 320;
  int height = 180;
  double seconds = 4;
  int frame_rate = 25;
  int keyframes_apart = 25;
  /// From the beginning, without anything to be seen.
  double black_seconds = 0;
  /// The same of the sound: without anything to be heard.
  double silent_seconds = 0;
  int sample_rate = 48'000;
  /// What the pictures have to be turned by, clockwise, to be upright.
  int rotation = 0;
  /// Of a pixel, its width of its height in percent.
  int pixel_aspect_percent = 100;
  /// Halves of pictures, one after the other.
  bool interlaced = false;
  /// Of the pixels, as libavutil calls them.
  std::string pixel_format = "yuv420p";
  /// Whether the pictures say that they are HDR (PQ).
  bool hdr = false;
  std::string movflags = {};
  std::map<std::string, std::string> tags = {};
  std::map<std::string, std::string> audio_tags = {};
  /// A picture that comes with the sound, as JPEG.
  std::string cover = {};
};

std::string MakeSample(const Sample& sample);

/// How bright a JPEG is around a place, in parts of its sides, 0 to 255.
double BrightnessAt(const std::string& jpeg, double x, double y);

/// A JPEG of that size, for a cover.
std::string MakeJpeg(int width, int height);

}  // namespace tintype::darkroom::av
