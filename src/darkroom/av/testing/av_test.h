#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "darkroom/av/testing/samples.h"
#include "darkroom/darkroom.h"
#include "darkroom/media_type.h"
#include "darkroom/testing/memory_file.h"

namespace tintype::darkroom::av {

/// Tests of the real helper, through the server's side of it.
class AvTest : public testing::Test {
 protected:
  static Config HelperConfig();
  /// Whose all files are.
  static constexpr char kAccount[] = "ada";

  static std::string TypeOf(std::string_view file) { return std::string(DetectMediaType(file)); }

  Result<MediaProbe> Probe(std::string_view file) { return ProbeAs(file, TypeOf(file)); }
  Result<MediaProbe> ProbeAs(std::string_view file, const std::string& media_type);

  /// What an order gave, with the file that it wrote.
  template <typename T>
  struct Made {
    T answer;
    std::string bytes;
  };
  Result<Made<Poster>> MakePoster(std::string_view file, int32_t longest_side = 2048);
  Result<Made<Proxy>> MakeProxy(std::string_view file, int32_t short_side = 720);
  Result<Made<Speech>> DecodeSpeech(std::string_view file);
  Result<Made<Frames>> MakeFrames(std::string_view file, int32_t count_max,
                                  int32_t longest_side = 160);
  Result<Waveform> MakeWaveform(std::string_view file, int32_t buckets);

  Darkroom darkroom_{HelperConfig()};
};

}  // namespace tintype::darkroom::av
