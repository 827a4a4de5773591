#include "darkroom/protocol/media_messages.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "darkroom/internal/media_outputs.h"
#include "darkroom/testing/memory_file.h"

namespace tintype::darkroom {
namespace {

using namespace std::literals;

constexpr char kMp4[] = "video/mp4";

MediaProbe SomeProbe() {
  return {.container = kMp4,
          .duration_ms = 4'000,
          .bit_rate = 900'000,
          .video = MediaStreamVideo{.width = 1080,
                                    .height = 1920,
                                    .frame_rate = 29.97,
                                    .bit_rate = 800'000,
                                    .codec = "h264",
                                    .profile = "High",
                                    .level = "4.0",
                                    .pixel_format = "yuv420p",
                                    .color_space = "bt709",
                                    .rotation = 90,
                                    .hdr = true},
          .audio = MediaStreamAudio{.channels = 2,
                                    .sample_rate = 48'000,
                                    .bit_rate = 96'000,
                                    .codec = "aac",
                                    .profile = "LC",
                                    .language = "deu"},
          .has_cover = true,
          .title = "Lake",
          .artist = "Nobody",
          .album = "None",
          .taken_at = "2023-08-01T12:34:56+02:00",
          .camera_make = "Apple",
          .camera_model = "iPhone 13",
          .place = GpsPosition{48.2, 16.4, 171.0},
          .content_identifier = "0F1E-22",
          .truncated = true,
          .streams_already = false};
}

template <typename T>
T Arrived(const T& sent) {
  const auto decoded = DecodeReply(EncodeReply(sent));
  CHECK(decoded.ok());
  return std::get<T>(*decoded);
}

// Proves that orders about films and sound arrive as they were sent, with their time.
TEST(MediaMessagesTest, OrdersArriveWhole) {
  const std::vector<int> two = {20, 21};
  const auto arrived = [&](const Request& request) {
    const auto order = DecodeOrder(EncodeOrder({request, {}, 12'345}), two);
    CHECK(order.ok() && order->wall_ms == 12'345);
    return order->request;
  };
  const auto poster = std::get<PosterRequest>(
      arrived(PosterRequest{.input = 1, .media_type = kMp4, .longest_side = 99, .output = 2}));
  EXPECT_EQ(poster.input, 20);
  EXPECT_EQ(poster.output, 21);
  EXPECT_EQ(poster.media_type, kMp4);
  EXPECT_EQ(poster.longest_side, 99);
  const auto waveform = std::get<WaveformRequest>(
      arrived(WaveformRequest{.media_type = "audio/flac", .buckets = 7, .duration_ms = 8}));
  EXPECT_EQ(waveform.buckets, 7);
  EXPECT_EQ(waveform.duration_ms, 8);
  const auto frames = std::get<FramesRequest>(arrived(
      FramesRequest{.media_type = kMp4, .count_max = 5, .longest_side = 64, .duration_ms = 9}));
  EXPECT_EQ(frames.count_max, 5);
  EXPECT_EQ(frames.longest_side, 64);
  EXPECT_EQ(frames.duration_ms, 9);
  const auto proxy = std::get<ProxyRequest>(
      arrived(ProxyRequest{.media_type = kMp4, .short_side = 480, .duration_ms = 10}));
  EXPECT_EQ(proxy.short_side, 480);
  EXPECT_EQ(proxy.duration_ms, 10);
  const auto speech =
      std::get<SpeechRequest>(arrived(SpeechRequest{.media_type = kMp4, .duration_ms = 11}));
  EXPECT_EQ(speech.output, 21);
  EXPECT_EQ(speech.duration_ms, 11);

  const ProbeMediaRequest probe = {.input = 3, .media_type = kMp4};
  EXPECT_EQ(DescriptorsOf(probe), std::vector<int>{3});
  const auto asked = DecodeOrder(EncodeOrder({probe, {}}), std::vector<int>{30});
  ASSERT_TRUE(asked.ok());
  EXPECT_EQ(std::get<ProbeMediaRequest>(asked->request).input, 30);
  EXPECT_FALSE(DecodeOrder(EncodeOrder({probe, {}}), two).ok());
}

// Proves that answers arrive as they were sent.
TEST(MediaMessagesTest, AnswersArriveWhole) {
  const MediaProbe probe = Arrived(SomeProbe());
  EXPECT_EQ(EncodeReply(probe), EncodeReply(SomeProbe()));
  EXPECT_EQ(probe.video->rotation, 90);
  EXPECT_TRUE(probe.video->hdr);
  EXPECT_EQ(probe.audio->language, "deu");
  EXPECT_EQ(probe.place->altitude, 171.0);
  EXPECT_TRUE(probe.truncated);
  EXPECT_EQ(Arrived(Poster{3, 2, 1, 9, "image/png", PosterSource::kCover}).source,
            PosterSource::kCover);
  EXPECT_EQ(Arrived(MeasuredWaveform{5, 14}).bytes, 14);
  EXPECT_EQ(Arrived(Frames{{{1, 2, 3, 0, 5}, {6, 7, 8, 5, 10}}}).frames[1].bytes, 10);
  EXPECT_TRUE(Arrived(Proxy{2, 4, 6, 8, true, false, true, kMp4}).truncated);
  EXPECT_EQ(Arrived(Speech{77}).samples, 77);
}

// Proves that each value of an answer is held to its bounds and to what was asked, by answers that
// are right but for it.
TEST(MediaMessagesTest, RefusesProbesThatLie) {
  const ProbeMediaRequest request = {.media_type = kMp4};
  const auto believed = [&](const MediaProbe& probe) {
    const auto decoded = DecodeReply(EncodeReply(probe));
    return decoded.ok() && CheckReply(request, *decoded).ok();
  };
  ASSERT_TRUE(believed(SomeProbe()));
  using Spoil = void (*)(MediaProbe&);
  const Spoil spoils[] = {
      [](MediaProbe& p) { p.container = "video/webm"; },
      [](MediaProbe& p) { p.duration_ms = -1; },
      [](MediaProbe& p) { p.bit_rate = -1; },
      [](MediaProbe& p) { p.video.reset(), p.audio.reset(); },
      [](MediaProbe& p) { p.video->width = 0; },
      [](MediaProbe& p) { p.video->height = 1'000'000; },
      [](MediaProbe& p) { p.video->frame_rate = -1; },
      [](MediaProbe& p) { p.video->rotation = 45; },
      [](MediaProbe& p) { p.video->rotation = 360; },
      [](MediaProbe& p) { p.video->codec = "h\n264"; },
      [](MediaProbe& p) { p.video->profile = std::string(kMediaNameBytesMax + 1, 'x'); },
      [](MediaProbe& p) { p.audio->channels = 0; },
      [](MediaProbe& p) { p.audio->sample_rate = 0; },
      [](MediaProbe& p) { p.title = std::string(kMediaTextBytesMax + 1, 'x'); },
      [](MediaProbe& p) { p.artist = "\xFF"; },
      [](MediaProbe& p) { p.taken_at = "yesterday"; },
      [](MediaProbe& p) { p.taken_at = "2023-08-01T12:34:56+0200"; },
      [](MediaProbe& p) { p.place->latitude = 91; },
  };
  for (size_t i = 0; i < std::size(spoils); ++i) {
    MediaProbe probe = SomeProbe();
    spoils[i](probe);
    EXPECT_FALSE(believed(probe)) << i;
  }
}

// Proves the same of the other answers, and that none is taken for that to something else.
TEST(MediaMessagesTest, RefusesAnswersThatLie) {
  const PosterRequest poster = {.media_type = kMp4, .longest_side = 100};
  const WaveformRequest waveform = {.media_type = kMp4, .buckets = 7};
  const FramesRequest frames = {.media_type = kMp4, .count_max = 2, .longest_side = 100};
  const ProxyRequest proxy = {.media_type = kMp4, .short_side = 480};
  const SpeechRequest speech = {.media_type = kMp4};
  const struct {
    Request request;
    Reply reply;
    bool expected;
  } cases[] = {
      {poster, Poster{100, 50, 0, 9, "image/jpeg", PosterSource::kFrame}, true},
      {poster, Poster{101, 50, 0, 9, "image/jpeg", PosterSource::kFrame}, false},
      {poster, Poster{900, 900, 0, 9, "image/png", PosterSource::kCover}, true},
      {poster, Poster{100, 50, 0, 9, "image/gif", PosterSource::kFrame}, false},
      {poster, Poster{100, 50, 0, 0, "image/jpeg", PosterSource::kFrame}, false},
      {poster, Poster{0, 50, 0, 9, "image/jpeg", PosterSource::kFrame}, false},
      {poster, Poster{9, 9, -1, 9, "image/jpeg", PosterSource::kFrame}, false},
      {poster, Poster{9, 9, 0, 9, "image/jpeg", static_cast<PosterSource>(3)}, false},
      {waveform, MeasuredWaveform{1, 14}, true},
      {waveform, MeasuredWaveform{1, 12}, false},
      {waveform, MeasuredWaveform{-1, 14}, false},
      {waveform, MeasuredWaveform{1, 1 << 20}, false},
      {frames, Frames{{{0, 100, 50, 0, 5}, {1, 100, 50, 5, 6}}}, true},
      {frames, Frames{}, false},
      {frames, Frames{{{0, 9, 9, 0, 5}, {1, 9, 9, 5, 6}, {2, 9, 9, 11, 6}}}, false},
      {frames, Frames{{{0, 9, 9, 1, 5}}}, false},
      {frames, Frames{{{0, 9, 9, 0, 5}, {1, 9, 9, 4, 6}}}, false},
      {frames, Frames{{{5, 9, 9, 0, 5}, {1, 9, 9, 5, 6}}}, false},
      {frames, Frames{{{0, 101, 9, 0, 5}}}, false},
      {frames, Frames{{{0, 9, 9, 0, int64_t{1} << 62}}}, false},
      {frames, Frames{{{0, 9, 9, 0, 0}}}, false},
      {proxy, Proxy{854, 480, 1, 9, false, false, false, "video/mp4"}, true},
      {proxy, Proxy{0, 0, 1, 9, false, false, false, "audio/mp4"}, true},
      {proxy, Proxy{854, 481, 1, 9, false, false, false, "video/mp4"}, false},
      {proxy, Proxy{0, 0, 1, 9, false, false, false, "video/mp4"}, false},
      {proxy, Proxy{854, 480, 1, 9, false, false, false, "audio/mp4"}, false},
      {proxy, Proxy{854, 480, 1, 9, false, false, false, "text/html"}, false},
      {proxy, Proxy{854, 480, 1, 0, false, false, false, "video/mp4"}, false},
      {speech, Speech{0}, true},
      {speech, Speech{-1}, false},
      {speech, MeasuredWaveform{1, 14}, false},
      {poster, SomeProbe(), false},
      {frames, Developed{}, false},
      {proxy, Ready{}, false},
      {proxy, Failure{FailureKind::kCorrupt, ""}, true},
      {ResizeRequest{}, Speech{1}, false},
  };
  for (size_t i = 0; i < std::size(cases); ++i) {
    const auto decoded = DecodeReply(EncodeReply(cases[i].reply));
    EXPECT_EQ(decoded.ok() && CheckReply(cases[i].request, *decoded).ok(), cases[i].expected) << i;
  }
}

// Proves which requests are refused before anybody works on them.
TEST(MediaMessagesTest, ChecksRequests) {
  const struct {
    Request request;
    bool expected;
  } cases[] = {
      {ProbeMediaRequest{.media_type = "audio/mpeg"}, true},
      {ProbeMediaRequest{.media_type = "image/jpeg"}, false},
      {ProbeMediaRequest{.media_type = "application/octet-stream"}, false},
      {ProbeMediaRequest{}, false},
      {PosterRequest{.media_type = kMp4, .longest_side = 15}, false},
      {PosterRequest{.media_type = kMp4, .longest_side = 16'384}, false},
      {WaveformRequest{.media_type = kMp4, .buckets = 4'000}, true},
      {WaveformRequest{.media_type = kMp4, .buckets = 4'001}, false},
      {WaveformRequest{.media_type = kMp4, .buckets = 0}, false},
      {FramesRequest{.media_type = kMp4, .count_max = 64}, true},
      {FramesRequest{.media_type = kMp4, .count_max = 65}, false},
      {FramesRequest{.media_type = kMp4, .count_max = 0}, false},
      {FramesRequest{.media_type = kMp4, .longest_side = 0}, false},
      {ProxyRequest{.media_type = kMp4, .short_side = 2'160}, true},
      {ProxyRequest{.media_type = kMp4, .short_side = 2'161}, false},
      {ProxyRequest{.media_type = kMp4, .short_side = 15}, false},
      {SpeechRequest{.media_type = kMp4}, true},
  };
  for (size_t i = 0; i < std::size(cases); ++i) {
    EXPECT_EQ(CheckRequest(cases[i].request).ok(), cases[i].expected) << i;
  }
}

// Proves that a long film gets the time that it needs, but not for ever.
TEST(MediaMessagesTest, TimeGrowsWithLength) {
  const auto proxy = TimeOf(ProxyRequest{.duration_ms = 60'000});
  ASSERT_TRUE(proxy.has_value());
  EXPECT_EQ(proxy->cpu_seconds, 200);
  EXPECT_EQ(proxy->wall_ms, 800'000);
  const auto endless = TimeOf(ProxyRequest{.duration_ms = int64_t{1'000} * 24 * 3600 * 1000});
  EXPECT_EQ(endless->cpu_seconds, 6 * 3600);
  EXPECT_EQ(endless->wall_ms, 6 * 3600 * 1000);
  EXPECT_FALSE(TimeOf(ProxyRequest{}).has_value());
  EXPECT_FALSE(TimeOf(ProbeMediaRequest{}).has_value());
  EXPECT_FALSE(TimeOf(DevelopRequest{}).has_value());
  EXPECT_EQ(TimeOf(SpeechRequest{.duration_ms = 3'600'000})->cpu_seconds, 92);
  EXPECT_EQ(TimeOf(WaveformRequest{.duration_ms = 3'600'000})->cpu_seconds, 92);
  EXPECT_EQ(TimeOf(FramesRequest{.duration_ms = 3'600'000})->cpu_seconds, 420);
}

// Proves that an output is what the helper says it is, and nothing else.
TEST(MediaOutputsTest, RefusesOutputsThatAreSomethingElse) {
  const std::string jpeg = "\xFF\xD8\xFF\xE0 and more"s;
  const std::string webp = "RIFF\x10\0\0\0WEBPVP8 "s;
  const std::string mp4 =
      "\0\0\0\x18"
      "ftypisom\0\0\0\0isommp41"s;
  const auto well = [](std::string_view content, Request request, const Reply& reply) {
    const MemoryFile output(content);
    std::visit(
        [&](auto& each) {
          if constexpr (requires { each.media_type, each.output; }) {
            each.output = output.number();
          }
        },
        request);
    return CheckMediaOutput(request, reply).ok();
  };
  const auto size = [](std::string_view bytes) { return static_cast<int64_t>(bytes.size()); };
  Poster poster = {.width = 1, .height = 1, .bytes = size(jpeg), .media_type = "image/jpeg"};
  EXPECT_TRUE(well(jpeg, PosterRequest{}, poster));
  EXPECT_FALSE(well(jpeg + "x", PosterRequest{}, poster));
  EXPECT_FALSE(well("<html>" + jpeg.substr(6), PosterRequest{}, poster));
  poster.media_type = "image/png";
  EXPECT_FALSE(well(jpeg, PosterRequest{}, poster));

  const Proxy proxy = {.bytes = size(mp4), .media_type = "video/mp4"};
  EXPECT_TRUE(well(mp4, ProxyRequest{}, proxy));
  EXPECT_FALSE(well(std::string(mp4.size(), '\0'), ProxyRequest{}, proxy));
  EXPECT_FALSE(well("", ProxyRequest{}, proxy));

  const Frames frames = {{{0, 1, 1, 0, size(webp)}, {0, 1, 1, size(webp), size(webp)}}};
  EXPECT_TRUE(well(webp + webp, FramesRequest{}, frames));
  EXPECT_FALSE(well(webp + webp + "x", FramesRequest{}, frames));
  EXPECT_FALSE(well(webp + std::string(webp.size(), 'x'), FramesRequest{}, frames));

  EXPECT_TRUE(well("abcd", SpeechRequest{}, Speech{2}));
  EXPECT_FALSE(well("abcd", SpeechRequest{}, Speech{4}));
  EXPECT_TRUE(well("abcd", WaveformRequest{}, MeasuredWaveform{0, 4}));
  EXPECT_FALSE(well("abc", WaveformRequest{}, MeasuredWaveform{0, 4}));

  const MemoryFile peaks("\x80\x7F\0\0"s);
  const auto waveform = ReadWaveform(peaks.number(), {1, 4});
  ASSERT_TRUE(waveform.ok());
  EXPECT_EQ(waveform->peaks, (std::vector<std::pair<int8_t, int8_t>>{{-128, 127}, {0, 0}}));
  const MemoryFile reversed("\x7F\x80"s);
  EXPECT_FALSE(ReadWaveform(reversed.number(), {1, 2}).ok());
  const MemoryFile shorter("\x01\x02"s);
  EXPECT_FALSE(ReadWaveform(shorter.number(), {1, 4}).ok());
}

}  // namespace
}  // namespace tintype::darkroom
