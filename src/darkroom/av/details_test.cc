#include <gmock/gmock.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/strings.h"
#include "darkroom/av/testing/av_test.h"

// What films and sound say of themselves, and how pictures and proxies of them look.

namespace tintype::darkroom::av {
namespace {

class DetailsTest : public AvTest {};

// Proves that what the streams are is told.
TEST_F(DetailsTest, DescribesStreams) {
  const auto probe =
      Probe(MakeSample({.movflags = "+faststart", .audio_tags = {{"language", "deu"}}}));
  ASSERT_TRUE(probe.ok()) << probe.error().message();
  EXPECT_EQ(probe->container, "video/mp4");
  EXPECT_EQ(probe->video->codec, "h264");
  EXPECT_EQ(probe->video->profile, "Constrained Baseline");
  EXPECT_EQ(probe->video->level, "2.0");
  EXPECT_EQ(probe->video->pixel_format, "yuv420p");
  EXPECT_EQ(probe->video->rotation, 0);
  EXPECT_FALSE(probe->video->hdr);
  EXPECT_GT(probe->video->bit_rate, 0);
  EXPECT_EQ(probe->audio->codec, "aac");
  EXPECT_EQ(probe->audio->profile, "LC");
  EXPECT_EQ(probe->audio->language, "deu");
  EXPECT_TRUE(probe->streams_already);
}

// Proves which films can be played as they are.
TEST_F(DetailsTest, SaysWhatStreamsAlready) {
  const auto streams = [&](const Sample& sample) {
    const auto probe = Probe(MakeSample(sample));
    EXPECT_TRUE(probe.ok());
    return probe.ok() && probe->streams_already;
  };
  EXPECT_TRUE(streams({.seconds = 1, .movflags = "+faststart"}));
  EXPECT_TRUE(streams({.audio = "", .seconds = 1, .movflags = "+faststart"}));
  EXPECT_FALSE(streams({.seconds = 1}));  // Its index is at the end.
  EXPECT_FALSE(streams({.width = 1296, .height = 720, .seconds = 0.2, .movflags = "+faststart"}));
  EXPECT_FALSE(streams({.video = "mpeg4", .seconds = 1, .movflags = "+faststart"}));
  EXPECT_FALSE(streams({.audio = "libmp3lame", .seconds = 1, .movflags = "+faststart"}));
  EXPECT_FALSE(streams({.format = "matroska", .seconds = 1}));
  EXPECT_FALSE(streams({.seconds = 1, .pixel_format = "yuv444p", .movflags = "+faststart"}));
  EXPECT_TRUE(streams({.format = "mp3", .video = "", .audio = "libmp3lame", .seconds = 1}));
  EXPECT_FALSE(streams({.format = "flac", .video = "", .audio = "flac", .seconds = 1}));
}

// Proves that what cameras and programs write of a file arrives, and that nonsense does not.
TEST_F(DetailsTest, ReadsTags) {
  const auto film = Probe(
      MakeSample({.format = "mov",
                  .seconds = 1,
                  .movflags = "use_metadata_tags",
                  .tags = {{"com.apple.quicktime.make", "Apple"},
                           {"com.apple.quicktime.model", "iPhone 13"},
                           {"com.apple.quicktime.creationdate", "2023-08-01T12:34:56+0200"},
                           {"com.apple.quicktime.location.ISO6709", "+48.2082+016.3738+171.500/"},
                           {"com.apple.quicktime.content.identifier", "0F1E-22"}}}));
  ASSERT_TRUE(film.ok()) << film.error().message();
  EXPECT_EQ(film->camera_make, "Apple");
  EXPECT_EQ(film->camera_model, "iPhone 13");
  EXPECT_EQ(film->taken_at, "2023-08-01T12:34:56+02:00");
  EXPECT_EQ(film->content_identifier, "0F1E-22");
  ASSERT_TRUE(film->place.has_value());
  EXPECT_NEAR(film->place->latitude, 48.2082, 1e-9);
  EXPECT_NEAR(film->place->longitude, 16.3738, 1e-9);
  EXPECT_NEAR(film->place->altitude.value_or(0), 171.5, 1e-9);

  const auto dated = Probe(
      MakeSample({.seconds = 1,
                  .tags = {{"creation_time", "2021-02-03T04:05:06.000000Z"}, {"title", "Lake"}}}));
  ASSERT_TRUE(dated.ok());
  EXPECT_EQ(dated->taken_at, "2021-02-03T04:05:06Z");
  EXPECT_EQ(dated->title, "Lake");
  EXPECT_FALSE(dated->place.has_value());

  const auto song =
      Probe(MakeSample({.format = "flac",
                        .video = "",
                        .audio = "flac",
                        .seconds = 1,
                        .tags = {{"title", "A \x01song\xFF of " + std::string(9'000, 'x')},
                                 {"artist", "Nobody"},
                                 {"album", "None"},
                                 {"date", "1999"}}}));
  ASSERT_TRUE(song.ok()) << song.error().message();
  EXPECT_EQ(song->title.size(), kMediaTextBytesMax);
  EXPECT_THAT(song->title, testing::StartsWith("A song of xxx"));
  EXPECT_EQ(song->artist, "Nobody");
  EXPECT_EQ(song->album, "None");
  EXPECT_EQ(song->taken_at, "");

  const auto spoken = Probe(MakeSample({.format = "ogg",
                                        .video = "",
                                        .audio = "libopus",
                                        .seconds = 1,
                                        .audio_tags = {{"title", "Told"}}}));
  ASSERT_TRUE(spoken.ok());
  EXPECT_EQ(spoken->title, "Told");
}

// Proves that films which were taken sideways stand upright in all that is made of them.
TEST_F(DetailsTest, TurnsUpright) {
  for (const int rotation : {90, 180, 270}) {
    SCOPED_TRACE(rotation);
    const std::string file = MakeSample({.video = "mpeg4", .seconds = 1, .rotation = rotation});
    const bool sideways = rotation != 180;
    const int width = sideways ? 180 : 320;
    const auto probe = Probe(file);
    ASSERT_TRUE(probe.ok());
    EXPECT_EQ(probe->video->rotation, rotation);
    EXPECT_EQ(probe->video->width, width);
    const auto poster = MakePoster(file);
    ASSERT_TRUE(poster.ok()) << poster.error().message();
    EXPECT_EQ(poster->answer.width, width);
    // The mark goes from the top left to the top right, the bottom right and the bottom left.
    EXPECT_GT(BrightnessAt(poster->bytes, rotation == 270 ? 0.1 : 0.9, rotation == 90 ? 0.1 : 0.9),
              230);
    EXPECT_LT(BrightnessAt(poster->bytes, rotation == 270 ? 0.9 : 0.1, rotation == 90 ? 0.9 : 0.1),
              225);
    const auto proxy = MakeProxy(file);
    ASSERT_TRUE(proxy.ok()) << proxy.error().message();
    EXPECT_FALSE(proxy->answer.video_copied);
    EXPECT_EQ(proxy->answer.width, width);
    const auto again = Probe(proxy->bytes);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->video->rotation, 0);
    EXPECT_EQ(again->video->width, width);
  }
  // A copy keeps what says how it is turned.
  const auto copy = MakeProxy(MakeSample({.seconds = 1, .rotation = 90}));
  ASSERT_TRUE(copy.ok());
  EXPECT_TRUE(copy->answer.video_copied);
  EXPECT_EQ(copy->answer.width, 180);
  const auto again = Probe(copy->bytes);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->video->rotation, 90);
}

// Proves that pixels become square, halves whole pictures, and much light such as screens have.
TEST_F(DetailsTest, ShowsUnusualPictures) {
  const auto wide =
      MakePoster(MakeSample({.video = "mpeg4", .seconds = 1, .pixel_aspect_percent = 150}));
  ASSERT_TRUE(wide.ok());
  EXPECT_EQ(wide->answer.width, 480);
  EXPECT_EQ(wide->answer.height, 180);

  const std::string halves = MakeSample({.format = "mpegts",
                                         .video = "mpeg2video",
                                         .audio = "mp2",
                                         .seconds = 1,
                                         .interlaced = true});
  const auto poster = MakePoster(halves);
  ASSERT_TRUE(poster.ok()) << poster.error().message();
  EXPECT_EQ(poster->answer.source, PosterSource::kFrame);
  const auto proxy = MakeProxy(halves);
  ASSERT_TRUE(proxy.ok()) << proxy.error().message();
  EXPECT_NEAR(static_cast<double>(proxy->answer.duration_ms), 1000, 100);

  const std::string bright = MakeSample(
      {.seconds = 1, .pixel_format = "yuv420p10le", .hdr = true, .movflags = "+faststart"});
  const auto probe = Probe(bright);
  ASSERT_TRUE(probe.ok());
  EXPECT_TRUE(probe->video->hdr);
  EXPECT_EQ(probe->video->color_space, "bt2020nc");
  EXPECT_FALSE(probe->streams_already);
  const auto mapped = MakeProxy(bright);
  ASSERT_TRUE(mapped.ok()) << mapped.error().message();
  const auto again = Probe(mapped->bytes);
  ASSERT_TRUE(again.ok());
  EXPECT_FALSE(again->video->hdr);
  EXPECT_EQ(again->video->color_space, "bt709");
  EXPECT_EQ(again->video->pixel_format, "yuv420p");
  EXPECT_TRUE(MakePoster(bright).ok());
  EXPECT_TRUE(MakeFrames(bright, 2).ok());
}

// Proves that a poster is not black where a film begins so, even when its keyframes all are.
TEST_F(DetailsTest, PosterShowsSomething) {
  const auto faded = MakePoster(MakeSample({.seconds = 6, .black_seconds = 2}));
  ASSERT_TRUE(faded.ok());
  EXPECT_GE(faded->answer.time_ms, 2000);
  const auto late =
      MakePoster(MakeSample({.seconds = 6, .keyframes_apart = 1000, .black_seconds = 4}));
  ASSERT_TRUE(late.ok());
  EXPECT_GE(late->answer.time_ms, 4000);
  const auto black = MakePoster(MakeSample({.seconds = 2, .black_seconds = 9}));
  ASSERT_TRUE(black.ok()) << black.error().message();
  EXPECT_EQ(black->answer.source, PosterSource::kFrame);
  const auto small = MakePoster(MakeSample({.seconds = 1}), 100);
  ASSERT_TRUE(small.ok());
  EXPECT_EQ(small->answer.width, 100);
  EXPECT_EQ(small->answer.height, 56);
}

// Proves that a cover is the poster of a sound, byte by byte, unless it is none.
TEST_F(DetailsTest, TakesCovers) {
  const std::string cover = MakeJpeg(64, 48);
  Sample song = {.format = "mp3", .video = "", .audio = "libmp3lame", .seconds = 1, .cover = cover};
  const auto probe = Probe(MakeSample(song));
  ASSERT_TRUE(probe.ok());
  EXPECT_TRUE(probe->has_cover);
  EXPECT_FALSE(probe->video.has_value());
  const auto poster = MakePoster(MakeSample(song));
  ASSERT_TRUE(poster.ok()) << poster.error().message();
  EXPECT_EQ(poster->answer.source, PosterSource::kCover);
  EXPECT_EQ(poster->answer.width, 64);
  EXPECT_EQ(poster->answer.height, 48);
  EXPECT_EQ(poster->bytes, cover);

  song.cover = "\xFF\xD8\xFF and nothing else of a picture";
  const auto drawn = MakePoster(MakeSample(song));
  ASSERT_TRUE(drawn.ok()) << drawn.error().message();
  EXPECT_EQ(drawn->answer.source, PosterSource::kWaveform);
  // A proxy leaves it out.
  const auto proxy = MakeProxy(MakeSample(song));
  ASSERT_TRUE(proxy.ok());
  EXPECT_EQ(proxy->answer.media_type, "audio/mp4");
}

// Proves that peaks are where the sound is loud.
TEST_F(DetailsTest, MeasuresLoudness) {
  const auto waveform = MakeWaveform(
      MakeSample(
          {.format = "wav", .video = "", .audio = "pcm_s16le", .seconds = 4, .silent_seconds = 2}),
      100);
  ASSERT_TRUE(waveform.ok()) << waveform.error().message();
  ASSERT_EQ(waveform->peaks.size(), 100U);
  for (size_t i = 0; i < 100; ++i) {
    const auto [low, high] = waveform->peaks[i];
    if (i < 48) {
      EXPECT_LE(high - low, 2) << i;
    } else if (i > 52) {
      EXPECT_NEAR(high, 100, 6) << i;
      EXPECT_NEAR(low, -100, 6) << i;
    }
  }
  const auto short_one = MakeWaveform(
      MakeSample({.format = "wav", .video = "", .audio = "pcm_s16le", .seconds = 0.01}), 4000);
  ASSERT_TRUE(short_one.ok());
  EXPECT_EQ(short_one->peaks.size(), 4000U);
}

// Proves that speech is the sound at 16 kHz, by its tone.
TEST_F(DetailsTest, DecodesSpeech) {
  const auto speech = DecodeSpeech(MakeSample({.seconds = 2}));
  ASSERT_TRUE(speech.ok());
  ASSERT_EQ(speech->bytes.size(), 2 * static_cast<size_t>(speech->answer.samples));
  std::vector<int16_t> samples(static_cast<size_t>(speech->answer.samples));
  std::memcpy(samples.data(), speech->bytes.data(), speech->bytes.size());
  int crossings = 0;
  for (size_t i = 1; i < samples.size(); ++i) {
    crossings += (samples[i - 1] < 0) != (samples[i] < 0) ? 1 : 0;
  }
  EXPECT_NEAR(crossings, 2 * 440 * 2, 40);
}

// Proves that a proxy is no larger than was asked for, and that only what is fit is copied.
TEST_F(DetailsTest, MakesProxiesOfTheRightSize) {
  const std::string large = MakeSample({.width = 640, .height = 480, .seconds = 1});
  const auto small = MakeProxy(large, 240);
  ASSERT_TRUE(small.ok()) << small.error().message();
  EXPECT_EQ(small->answer.width, 320);
  EXPECT_EQ(small->answer.height, 240);
  EXPECT_FALSE(small->answer.video_copied);
  EXPECT_TRUE(small->answer.audio_copied);
  const auto same = MakeProxy(large, 480);
  ASSERT_TRUE(same.ok());
  EXPECT_TRUE(same->answer.video_copied);
  EXPECT_EQ(same->answer.width, 640);
  const auto narrow =
      MakeProxy(MakeSample({.video = "mpeg4", .width = 640, .height = 36, .seconds = 1}), 120);
  ASSERT_TRUE(narrow.ok());
  EXPECT_LE(narrow->answer.width, 214);
}

// Proves that frames are those where scenes begin, each a file of its own.
TEST_F(DetailsTest, FindsScenes) {
  const std::string film = MakeSample({.seconds = 6, .keyframes_apart = 250});
  const auto frames = MakeFrames(film, 6);
  ASSERT_TRUE(frames.ok()) << frames.error().message();
  ASSERT_EQ(frames->answer.frames.size(), 6U);
  EXPECT_EQ(frames->answer.frames[0].time_ms, 0);
  for (const MediaFrame& frame : frames->answer.frames) {
    const std::string file =
        frames->bytes.substr(static_cast<size_t>(frame.offset), static_cast<size_t>(frame.bytes));
    EXPECT_EQ(TypeOf(file), "image/webp");
    EXPECT_EQ(frame.width, 160);
  }
  const auto one = MakeFrames(film, 1);
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->answer.frames.size(), 1U);
  // Nothing happens in it, so one picture is enough.
  const auto still = MakeFrames(MakeSample({.seconds = 6, .black_seconds = 9}), 6);
  ASSERT_TRUE(still.ok());
  EXPECT_EQ(still->answer.frames.size(), 1U);
}

}  // namespace
}  // namespace tintype::darkroom::av
