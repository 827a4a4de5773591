#include "darkroom/av/testing/av_test.h"

namespace tintype::darkroom::av {

Config AvTest::HelperConfig() {
  Config config;
  config.name = "media helper";
  config.helper_path = TINTYPE_AV_HELPER;
  config.processes_max = 1;
  config.sandbox = SandboxUse::kPreferred;  // Builds with a sanitizer have none.
  return config;
}

Result<MediaProbe> AvTest::ProbeAs(std::string_view file, const std::string& media_type) {
  const MemoryFile input(file);
  return darkroom_.ProbeMedia(kAccount, {.input = input.number(), .media_type = media_type});
}

Result<AvTest::Made<Poster>> AvTest::MakePoster(std::string_view file, int32_t longest_side) {
  const MemoryFile input(file);
  const MemoryFile output("what was there before");
  ASSIGN_OR_RETURN(Poster poster, darkroom_.MakePoster(kAccount, {.input = input.number(),
                                                                  .media_type = TypeOf(file),
                                                                  .longest_side = longest_side,
                                                                  .output = output.number()}));
  return Made<Poster>{std::move(poster), output.Content()};
}

Result<AvTest::Made<Proxy>> AvTest::MakeProxy(std::string_view file, int32_t short_side) {
  const MemoryFile input(file);
  const MemoryFile output("what was there before");
  ASSIGN_OR_RETURN(Proxy proxy, darkroom_.MakeProxy(kAccount, {.input = input.number(),
                                                               .media_type = TypeOf(file),
                                                               .output = output.number(),
                                                               .short_side = short_side}));
  return Made<Proxy>{std::move(proxy), output.Content()};
}

Result<AvTest::Made<Speech>> AvTest::DecodeSpeech(std::string_view file) {
  const MemoryFile input(file);
  const MemoryFile output("what was there before");
  ASSIGN_OR_RETURN(const Speech speech,
                   darkroom_.DecodeSpeech(kAccount, {.input = input.number(),
                                                     .media_type = TypeOf(file),
                                                     .output = output.number()}));
  return Made<Speech>{speech, output.Content()};
}

Result<AvTest::Made<Frames>> AvTest::MakeFrames(std::string_view file, int32_t count_max,
                                                int32_t longest_side) {
  const MemoryFile input(file);
  const MemoryFile output("what was there before");
  ASSIGN_OR_RETURN(Frames frames, darkroom_.Frames(kAccount, {.input = input.number(),
                                                              .media_type = TypeOf(file),
                                                              .count_max = count_max,
                                                              .longest_side = longest_side,
                                                              .output = output.number()}));
  return Made<Frames>{std::move(frames), output.Content()};
}

Result<Waveform> AvTest::MakeWaveform(std::string_view file, int32_t buckets) {
  const MemoryFile input(file);
  return darkroom_.Waveform(
      kAccount, {.input = input.number(), .media_type = TypeOf(file), .buckets = buckets});
}

}  // namespace tintype::darkroom::av
