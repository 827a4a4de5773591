#include <gmock/gmock.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/strings.h"
#include "darkroom/av/testing/av_test.h"

// What becomes of files that are not what they should be.

namespace tintype::darkroom::av {
namespace {

using namespace std::literals;

class BadMediaTest : public AvTest {
 protected:
  /// What each operation says of a file that is said to be of that type; nothing when it was done.
  std::vector<std::optional<Error>> TryAll(Darkroom& darkroom, std::string_view file,
                                           const std::string& type) {
    const MemoryFile input(file);
    const MemoryFile output;
    const int in = input.number();
    const int out = output.number();
    const auto said = [](const auto& result) {
      return result.ok() ? std::nullopt : std::optional<Error>(result.error());
    };
    return {
        said(darkroom.ProbeMedia(kAccount, {.input = in, .media_type = type})),
        said(darkroom.MakePoster(kAccount, {.input = in, .media_type = type, .output = out})),
        said(darkroom.Waveform(kAccount, {.input = in, .media_type = type})),
        said(darkroom.Frames(kAccount, {.input = in, .media_type = type, .output = out})),
        said(darkroom.MakeProxy(kAccount, {.input = in, .media_type = type, .output = out})),
        said(darkroom.DecodeSpeech(kAccount, {.input = in, .media_type = type, .output = out})),
    };
  }

  /// That the helper can tell what is wrong, if anything is, and lives on.
  void ExpectHarmless(std::string_view file, const std::string& type, std::string_view what) {
    for (const auto& error : TryAll(darkroom_, file, type)) {
      if (error) {
        EXPECT_TRUE(IsPermanent(*error)) << what << ": " << FailureName(KindOf(*error)) << " "
                                         << error->message() << " " << error->note();
        EXPECT_EQ(error->message().find("image"), std::string::npos) << error->message();
      }
    }
  }
};

constexpr const char* kTypes[] = {
    "video/mp4",  "video/quicktime", "video/3gpp", "video/3gpp2", "video/x-matroska",
    "video/webm", "video/x-msvideo", "video/mpeg", "video/mp2t",  "video/x-flv",
    "video/ogg",  "audio/mp4",       "audio/mpeg", "audio/aac",   "audio/flac",
    "audio/ogg",  "audio/wav",
};

const struct {
  const char* name;
  std::string text;
} kPlaylists[] = {
    {"HLS",
     "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n#EXTINF:10,\n"
     "http://127.0.0.1:1/x.ts\n#EXT-X-ENDLIST\n"},
    {"HLS with data", "#EXTM3U\n#EXTINF:10,\ndata:video/mp4;base64,AAAA\n#EXT-X-ENDLIST\n"},
    {"concat", "ffconcat version 1.0\nfile '/etc/passwd'\nfile 'http://127.0.0.1:1/'\n"},
    {"DASH",
     "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\" "
     "mediaPresentationDuration=\"PT10S\"><Period><AdaptationSet mimeType=\"video/mp4\">"
     "<Representation id=\"1\" bandwidth=\"1\"><BaseURL>file:///etc/passwd</BaseURL><SegmentBase/>"
     "</Representation></AdaptationSet></Period></MPD>"},
    {"SDP",
     "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n"
     "a=rtpmap:96 H264/90000\n"},
    {"data", "data:video/mp4;base64,AAAAIGZ0eXBpc29tAAACAGlzb21pc28yYXZjMW1wNDE="},
};

// Proves that texts which name other files are no films, whatever they are said to be.
TEST_F(BadMediaTest, RefusesPlaylists) {
  for (const auto& playlist : kPlaylists) {
    EXPECT_FALSE(CanPlay(DetectMediaType(playlist.text))) << playlist.name;
    const auto refused = Probe(playlist.text);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(KindOf(refused.error()), FailureKind::kUnsupportedType);
    for (const char* type : kTypes) {
      const auto probe = ProbeAs(playlist.text, type);
      EXPECT_FALSE(probe.ok()) << playlist.name << " as " << type;
    }
    ExpectHarmless(playlist.text, "video/mp4", playlist.name);
  }
  EXPECT_EQ(darkroom_.stats().started, 1U);
}

// Proves that what is not a file with something in it is refused before a helper sees it.
TEST_F(BadMediaTest, RefusesWhatIsNoFile) {
  const auto empty = ProbeAs("", "video/mp4");
  ASSERT_FALSE(empty.ok());
  EXPECT_EQ(KindOf(empty.error()), FailureKind::kNotAnImage);
  EXPECT_FALSE(ProbeAs("x", "image/jpeg").ok());
  EXPECT_EQ(darkroom_.stats().started, 0U);
  EXPECT_FALSE(ProbeAs("x", "video/mp4").ok());
}

// Proves that random bytes behind every beginning that is known harm nobody. The seed is fixed.
TEST_F(BadMediaTest, RefusesNoise) {
  const std::string beginnings[] = {
      "\0\0\0\x18"
      "ftypisom\0\0\0\0isommp41"s,
      "\0\0\0\x14"
      "ftypqt  \0\0\0\0qt  "s,
      "\0\0\0\x14"
      "ftyp3gp6\0\0\0\0isom"s,
      "\0\0\0\x14"
      "ftypM4A \0\0\0\0isom"s,
      "\x1A\x45\xDF\xA3\x9F\x42\x86\x81\x01\x42\x82\x88matroska"s,
      "\x1A\x45\xDF\xA3\x9F\x42\x86\x81\x01\x42\x82\x84webm"s,
      "RIFF\xFF\xFF\0\0AVI LIST"s,
      "RIFF\xFF\xFF\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0"s,
      "\0\0\x01\xBA\x44\0"s,
      "\0\0\x01\xB3\x14\0"s,
      "\x47\x40\0\x10\0\0\xB0\x0D"s,
      "FLV\x01\x05\0\0\0\x09\0\0\0\0"s,
      "OggS\0\x02"s,
      "fLaC\0\0\0\x22"s,
      "ID3\x03\0\0\0\0\x10\0"s,
      "\xFF\xFB\x90\x64"s,
      "\xFF\xF1\x50\x80\x10\x1F\xFC"s,
  };
  std::mt19937 random(3);
  for (const std::string& beginning : beginnings) {
    for (const size_t length : {size_t{0}, size_t{50}, size_t{3'000}, size_t{200'000}}) {
      std::string file = beginning;
      for (size_t i = 0; i < length; ++i) {
        file.push_back(static_cast<char>(random()));
      }
      const std::string type = TypeOf(file);
      // A few bytes may be too few to tell.
      if (length >= 50) {
        ASSERT_TRUE(CanPlay(type)) << testing::PrintToString(beginning);
      }
      if (CanPlay(type)) {
        ExpectHarmless(file, type, StrCat(type, " of ", length));
      }
    }
  }
  EXPECT_EQ(darkroom_.stats().replaced_failed, 0U);
}

// Proves that files which end early are read as far as they go, or refused, and that those which
// can tell say so.
TEST_F(BadMediaTest, ReadsTornFiles) {
  const Sample samples[] = {
      {.seconds = 2, .movflags = "+faststart"},
      {.seconds = 2},
      {.format = "matroska", .seconds = 2},
      {.format = "avi", .video = "mpeg4", .audio = "libmp3lame", .seconds = 2},
      {.format = "mpegts", .seconds = 2},
      {.format = "flv", .seconds = 2, .sample_rate = 44'100},
      {.format = "mp3", .video = "", .audio = "libmp3lame", .seconds = 2},
      {.format = "flac", .video = "", .audio = "flac", .seconds = 2},
      {.format = "ogg", .video = "", .audio = "libopus", .seconds = 2},
      {.format = "wav", .video = "", .audio = "pcm_s16le", .seconds = 2},
  };
  for (const Sample& sample : samples) {
    const std::string file = MakeSample(sample);
    const std::string type = TypeOf(file);
    for (const size_t percent : {1, 5, 20, 50, 80, 99}) {
      const std::string torn = file.substr(0, std::max<size_t>(64, file.size() * percent / 100));
      ExpectHarmless(torn, type, StrCat(type, " at ", percent, " %"));
      const auto probe = ProbeAs(torn, type);
      const bool tells = type == "video/mp4" || type == "video/x-matroska" ||
                         type == "video/x-msvideo" || type == "audio/wav";
      if (probe.ok() && tells) {
        EXPECT_TRUE(probe->truncated) << type << " at " << percent;
        EXPECT_FALSE(probe->streams_already);
      }
    }
  }
  const std::string file = MakeSample(samples[0]);
  const auto half = MakeProxy(file.substr(0, file.size() / 2));
  ASSERT_TRUE(half.ok()) << half.error().message();
  EXPECT_TRUE(half->answer.truncated);
  EXPECT_LT(half->answer.duration_ms, 1'900);
  EXPECT_TRUE(Probe(half->bytes).ok());
  EXPECT_EQ(darkroom_.stats().replaced_failed, 0U);
}

std::string Element(std::string_view id, std::string_view content) {
  std::string element(id);
  element.push_back('\x01');
  for (int shift = 48; shift >= 0; shift -= 8) {
    element.push_back(static_cast<char>(content.size() >> shift));
  }
  return element + std::string(content);
}

std::string FourBytes(uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<char>(number >> shift));
  }
  return bytes;
}

// Proves that a film with ten thousand streams is refused, at once.
TEST_F(BadMediaTest, RefusesTooManyStreams) {
  std::string tracks;
  for (uint32_t i = 1; i <= 10'000; ++i) {
    tracks += Element(
        "\xAE", Element("\xD7", FourBytes(i)) + Element("\x73\xC5", FourBytes(i)) +
                    Element("\x83", "\x01") + Element("\x86", "V_MPEG4/ISO/AVC") +
                    Element("\xE0", Element("\xB0", "\x05\x01") + Element("\xBA", "\x02\xD0")));
  }
  const std::string file =
      Element("\x1A\x45\xDF\xA3", Element("\x42\x82", "matroska")) + "\x18\x53\x80\x67\x01" +
      std::string(7, '\xFF') +
      Element("\x15\x49\xA9\x66", Element("\x2A\xD7\xB1", FourBytes(1'000'000))) +
      Element("\x16\x54\xAE\x6B", tracks);
  ASSERT_EQ(TypeOf(file), "video/x-matroska");
  EXPECT_FALSE(Probe(file).ok());
  ExpectHarmless(file, "video/x-matroska", "streams");
  EXPECT_EQ(darkroom_.stats().replaced_failed, 0U);
}

void PutLittle(std::string& file, size_t at, uint32_t number) {
  for (size_t i = 0; i < 4; ++i) {
    file[at + i] = static_cast<char>(number >> (8 * i));
  }
}

// Proves that pictures of absurd sizes are not decoded.
TEST_F(BadMediaTest, RefusesHugePictures) {
  std::string file = MakeSample(
      {.format = "avi", .video = "mjpeg", .audio = "", .seconds = 0.2, .pixel_format = "yuvj420p"});
  const size_t header = file.find("strf");
  ASSERT_NE(header, std::string::npos);
  PutLittle(file, header + 12, 60'000);
  PutLittle(file, header + 16, 60'000);
  for (size_t at = file.find("\xFF\xC0\0\x11\x08"s); at != std::string::npos;
       at = file.find("\xFF\xC0\0\x11\x08"s, at + 1)) {
    file.replace(at + 5, 4, "\xEA\x60\xEA\x60");
  }
  ExpectHarmless(file, TypeOf(file), "huge");
  EXPECT_FALSE(MakePoster(file).ok());
  EXPECT_FALSE(MakeProxy(file).ok());
  EXPECT_FALSE(MakeFrames(file, 4).ok());
  EXPECT_EQ(darkroom_.stats().replaced_failed, 0U);
}

// Proves that a film which claims to be endless is made of what there is.
TEST_F(BadMediaTest, DisbelievesEndlessFilms) {
  std::string file = MakeSample({.seconds = 2, .movflags = "+faststart"});
  for (const char* box : {"mvhd", "mdhd"}) {
    for (size_t at = file.find(box); at != std::string::npos; at = file.find(box, at + 1)) {
      file.replace(at + 20, 4, "\x7F\xFF\xFF\xFF");
    }
  }
  ExpectHarmless(file, TypeOf(file), "endless");
  const auto proxy = MakeProxy(file);
  ASSERT_TRUE(proxy.ok()) << proxy.error().message();
  EXPECT_NEAR(static_cast<double>(proxy->answer.duration_ms), 2'000, 150);
}

std::string WavHeader(uint32_t rate, uint16_t channels, size_t bytes) {
  std::string header = "RIFF    WAVEfmt \x10\0\0\0\x01\0  rate    bl\x10\0data    "s;
  PutLittle(header, 4, static_cast<uint32_t>(bytes + 36));
  header[22] = static_cast<char>(channels);
  header[23] = static_cast<char>(channels >> 8);
  PutLittle(header, 24, rate);
  PutLittle(header, 28, rate * channels * 2);
  header[32] = static_cast<char>(channels * 2);
  header[33] = static_cast<char>((channels * 2) >> 8);
  PutLittle(header, 40, static_cast<uint32_t>(bytes));
  return header;
}

// Proves that sound which would become sixteen thousand times as long is refused.
TEST_F(BadMediaTest, RefusesAbsurdSound) {
  const std::string noise(100'000, 'n');
  for (const auto& [rate, channels] : {std::pair<uint32_t, uint16_t>{1, 1},
                                       {48'000, 65'535},
                                       {0xFFFFFFFF, 2},
                                       {0, 2},
                                       {48'000, 0}}) {
    const std::string file = WavHeader(rate, channels, noise.size()) + noise;
    ExpectHarmless(file, "audio/wav", StrCat(rate, " Hz"));
    EXPECT_FALSE(DecodeSpeech(file).ok()) << rate;
    EXPECT_FALSE(MakeWaveform(file, 10).ok()) << rate;
  }
  EXPECT_TRUE(DecodeSpeech(WavHeader(48'000, 2, noise.size()) + noise).ok());
  EXPECT_EQ(darkroom_.stats().replaced_failed, 0U);
}

// Proves that a helper whose time is over says so and lives on, and that a film of a known length
// gets the time that it needs.
TEST_F(BadMediaTest, GivesUpInTime) {
  Config config = HelperConfig();
  config.limits.wall_ms = 1'000;
  Darkroom hurried(config);
  ASSERT_TRUE(hurried.Prepare().ok());
  const std::string film =
      MakeSample({.video = "mpeg4", .width = 640, .height = 360, .seconds = 20, .frame_rate = 50});
  const MemoryFile input(film);
  const MemoryFile output;
  ProxyRequest request = {
      .input = input.number(), .media_type = TypeOf(film), .output = output.number()};
  const auto refused = hurried.MakeProxy(kAccount, request);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(KindOf(refused.error()), FailureKind::kOutOfTime);
  EXPECT_EQ(refused.error().message(), "The file took too long");
  EXPECT_EQ(hurried.stats().replaced_failed, 0U);
  EXPECT_EQ(hurried.stats().started, 1U);
  request.duration_ms = 20'000;
  const auto made = hurried.MakeProxy(kAccount, request);
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_NEAR(static_cast<double>(made->duration_ms), 20'000, 100);
}

// Proves that an output may be no larger than is allowed.
TEST_F(BadMediaTest, BoundsOutputs) {
  Config config = HelperConfig();
  config.limits.output_bytes = 20'000;
  Darkroom small(config);
  const std::string sound = MakeSample({.format = "flac", .video = "", .audio = "flac"});
  const auto said = TryAll(small, sound, "audio/flac");
  ASSERT_TRUE(said.back().has_value());
  EXPECT_EQ(KindOf(*said.back()), FailureKind::kOutput);
}

// Proves that files with some bytes changed never keep a helper from answering. The seed is fixed.
TEST_F(BadMediaTest, SurvivesChangedFiles) {
  constexpr int kRounds = 2'000;
  const std::string files[] = {
      MakeSample({.width = 64,
                  .height = 48,
                  .seconds = 0.4,
                  .keyframes_apart = 5,
                  .movflags = "+faststart"}),
      MakeSample(
          {.format = "matroska", .width = 64, .height = 48, .seconds = 0.4, .keyframes_apart = 5}),
      MakeSample({.format = "mp3", .video = "", .audio = "libmp3lame", .seconds = 0.4}),
      MakeSample({.format = "avi",
                  .video = "mpeg4",
                  .audio = "libmp3lame",
                  .width = 64,
                  .height = 48,
                  .seconds = 0.4}),
      MakeSample({.format = "ogg", .video = "", .audio = "libvorbis", .seconds = 0.4}),
  };
  Config config = HelperConfig();
  config.limits.wall_ms = 10'000;
  config.limits.cpu_seconds = 5;
  Darkroom darkroom(config);
  std::mt19937 random(11);
  const MemoryFile output;
  int done = 0;
  uint64_t short_of_memory = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::string file = files[static_cast<size_t>(round) % std::size(files)];
    const std::string type = TypeOf(file);
    const auto changes = 1 + random() % 8;
    // What describes the streams comes early in all of them.
    const size_t within = random() % 2 == 0 ? file.size() : std::min<size_t>(file.size(), 2'500);
    for (size_t i = 0; i < changes; ++i) {
      file[random() % within] = static_cast<char>(random() % 4 == 0 ? 0xFF : random());
    }
    const MemoryFile input(file);
    const int in = input.number();
    const int out = output.number();
    const auto check = [&](const auto& result) {
      if (result.ok()) {
        ++done;
        return;
      }
      // A length that is wrong may be one for which there is no memory.
      const FailureKind kind = KindOf(result.error());
      short_of_memory += kind == FailureKind::kOutOfMemory ? 1U : 0U;
      EXPECT_TRUE(IsPermanent(kind) || kind == FailureKind::kOutOfMemory)
          << round << ": " << FailureName(kind) << " " << result.error().message() << " "
          << result.error().note();
    };
    switch (round / static_cast<int>(std::size(files)) % 6) {
      case 0:
        check(darkroom.MakePoster(kAccount, {.input = in, .media_type = type, .output = out}));
        break;
      case 1:
        check(darkroom.MakeProxy(kAccount, {.input = in, .media_type = type, .output = out}));
        break;
      case 2:
        check(darkroom.Frames(kAccount, {.input = in, .media_type = type, .output = out}));
        break;
      case 3:
        check(darkroom.DecodeSpeech(kAccount, {.input = in, .media_type = type, .output = out}));
        break;
      case 4:
        check(darkroom.Waveform(kAccount, {.input = in, .media_type = type}));
        break;
      default:
        check(darkroom.ProbeMedia(kAccount, {.input = in, .media_type = type}));
    }
  }
  EXPECT_GT(done, kRounds / 4);
  EXPECT_LT(done, kRounds);
  EXPECT_EQ(darkroom.stats().replaced_failed, short_of_memory);
  EXPECT_LT(short_of_memory, 50U);
}

}  // namespace
}  // namespace tintype::darkroom::av
