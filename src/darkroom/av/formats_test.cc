#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/strings.h"
#include "darkroom/av/testing/av_test.h"

// What is found out about films and sound, and made of them.

namespace tintype::darkroom::av {
namespace {

class FormatsTest : public AvTest {};

struct Form {
  const char* name;
  Sample sample;
  const char* media_type;
};

std::vector<Form> Films() {
  return {
      {"mp4", {}, "video/mp4"},
      {"mov", {.format = "mov"}, "video/quicktime"},
      {"3gp", {.format = "3gp"}, "video/3gpp"},
      {"mkv", {.format = "matroska"}, "video/x-matroska"},
      {"webm", {.format = "webm", .video = "libvpx", .audio = "libvorbis"}, "video/webm"},
      {"avi", {.format = "avi", .video = "mpeg4", .audio = "libmp3lame"}, "video/x-msvideo"},
      {"ts", {.format = "mpegts"}, "video/mp2t"},
      {"ps", {.format = "vob", .video = "mpeg2video", .audio = "mp2"}, "video/mpeg"},
      {"flv", {.format = "flv", .sample_rate = 44'100}, "video/x-flv"},
  };
}

std::vector<Form> Sounds() {
  return {
      {"m4a", {.format = "ipod", .video = ""}, "audio/mp4"},
      {"mp3", {.format = "mp3", .video = "", .audio = "libmp3lame"}, "audio/mpeg"},
      {"aac", {.format = "adts", .video = ""}, "audio/aac"},
      {"flac", {.format = "flac", .video = "", .audio = "flac"}, "audio/flac"},
      {"opus", {.format = "ogg", .video = "", .audio = "libopus"}, "audio/ogg"},
      {"vorbis", {.format = "ogg", .video = "", .audio = "libvorbis"}, "audio/ogg"},
      {"wav", {.format = "wav", .video = "", .audio = "pcm_s16le"}, "audio/wav"},
  };
}

// Proves that every form of film is probed, and that all can be made of it: a poster, frames, peaks
// and a proxy that plays everywhere.
TEST_F(FormatsTest, PlaysFilms) {
  for (const Form& form : Films()) {
    SCOPED_TRACE(form.name);
    const std::string file = MakeSample(form.sample);
    ASSERT_EQ(TypeOf(file), form.media_type);
    const auto probe = Probe(file);
    ASSERT_TRUE(probe.ok()) << probe.error().message();
    ASSERT_TRUE(probe->video.has_value());
    ASSERT_TRUE(probe->audio.has_value());
    EXPECT_EQ(probe->video->width, 320);
    EXPECT_EQ(probe->video->height, 180);
    EXPECT_NEAR(probe->video->frame_rate, 25, 0.1);
    EXPECT_EQ(probe->audio->channels, 2);
    EXPECT_EQ(probe->audio->sample_rate, form.sample.sample_rate);
    EXPECT_NEAR(static_cast<double>(probe->duration_ms), 4000, 150);
    EXPECT_GT(probe->bit_rate, 0);
    EXPECT_FALSE(probe->truncated);

    const auto poster = MakePoster(file);
    ASSERT_TRUE(poster.ok()) << poster.error().message();
    EXPECT_EQ(poster->answer.width, 320);
    EXPECT_EQ(poster->answer.height, 180);
    EXPECT_EQ(poster->answer.media_type, "image/jpeg");
    EXPECT_EQ(poster->answer.source, PosterSource::kFrame);

    const auto frames = MakeFrames(file, 4);
    ASSERT_TRUE(frames.ok()) << frames.error().message();
    EXPECT_EQ(frames->answer.frames.size(), 4U);
    EXPECT_LE(frames->answer.frames[0].time_ms, 100);
    for (const MediaFrame& frame : frames->answer.frames) {
      EXPECT_EQ(frame.width, 160);
      EXPECT_EQ(frame.height, 90);
    }

    const auto waveform = MakeWaveform(file, 10);
    ASSERT_TRUE(waveform.ok()) << waveform.error().message();
    EXPECT_NEAR(static_cast<double>(waveform->duration_ms), 4000, 150);

    const auto proxy = MakeProxy(file);
    ASSERT_TRUE(proxy.ok()) << proxy.error().message();
    EXPECT_FALSE(proxy->answer.truncated);
    EXPECT_NEAR(static_cast<double>(proxy->answer.duration_ms), 4000, 150);
    const auto again = Probe(proxy->bytes);
    ASSERT_TRUE(again.ok()) << again.error().message();
    EXPECT_TRUE(again->streams_already);
    EXPECT_EQ(again->video->codec, "h264");
    EXPECT_EQ(again->audio->codec, "aac");
    EXPECT_EQ(again->video->width, proxy->answer.width);
    EXPECT_EQ(again->video->height, proxy->answer.height);
    EXPECT_NEAR(static_cast<double>(again->duration_ms), 4000, 150);
  }
}

// Proves the same of sound.
TEST_F(FormatsTest, PlaysSound) {
  for (const Form& form : Sounds()) {
    SCOPED_TRACE(form.name);
    const std::string file = MakeSample(form.sample);
    ASSERT_EQ(TypeOf(file), form.media_type);
    const auto probe = Probe(file);
    ASSERT_TRUE(probe.ok()) << probe.error().message();
    EXPECT_FALSE(probe->video.has_value());
    ASSERT_TRUE(probe->audio.has_value());
    EXPECT_EQ(probe->audio->sample_rate, 48'000);
    // ADTS has no length: it is told by the size of the file.
    EXPECT_NEAR(static_cast<double>(probe->duration_ms), 4000,
                form.sample.format == "adts" ? 4000 : 150);

    const auto poster = MakePoster(file);
    ASSERT_TRUE(poster.ok()) << poster.error().message();
    EXPECT_EQ(poster->answer.source, PosterSource::kWaveform);
    EXPECT_EQ(poster->answer.media_type, "image/png");
    EXPECT_EQ(poster->answer.width, 1600);

    const auto speech = DecodeSpeech(file);
    ASSERT_TRUE(speech.ok()) << speech.error().message();
    EXPECT_NEAR(static_cast<double>(speech->answer.samples), 4.0 * kSpeechSampleRate, 2000);

    const auto proxy = MakeProxy(file);
    ASSERT_TRUE(proxy.ok()) << proxy.error().message();
    EXPECT_EQ(proxy->answer.media_type, "audio/mp4");
    EXPECT_EQ(proxy->answer.width, 0);
    const auto again = Probe(proxy->bytes);
    ASSERT_TRUE(again.ok()) << again.error().message();
    EXPECT_TRUE(again->streams_already);
    EXPECT_EQ(again->audio->codec, "aac");
    const auto frames = MakeFrames(file, 4);
    ASSERT_FALSE(frames.ok());
    EXPECT_EQ(KindOf(frames.error()), FailureKind::kUnsupportedType);
  }
}

// Proves that films without sound and those of older kinds have what they have.
TEST_F(FormatsTest, PlaysFilmsWithoutSound) {
  const std::string file = MakeSample({.audio = ""});
  const auto probe = Probe(file);
  ASSERT_TRUE(probe.ok());
  EXPECT_FALSE(probe->audio.has_value());
  const auto proxy = MakeProxy(file);
  ASSERT_TRUE(proxy.ok()) << proxy.error().message();
  EXPECT_FALSE(proxy->answer.audio_copied);
  EXPECT_EQ(proxy->answer.media_type, "video/mp4");
  for (const auto& failed : {DecodeSpeech(file).ok(), MakeWaveform(file, 9).ok()}) {
    EXPECT_FALSE(failed);
  }
}

}  // namespace
}  // namespace tintype::darkroom::av
