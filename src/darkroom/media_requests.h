#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "darkroom/gps_position.h"

namespace tintype::darkroom {

// What can be asked about films and sound; the helper is tintype-av. What requests.h says about
// descriptors holds here too. `media_type` is the file's, as DetectMediaType has it: the helper
// reads the file as that and as nothing else. All texts in answers are valid UTF-8 without control
// characters, empty where the file has none. Times are milliseconds from the file's beginning.

/// The pictures of a film.
struct MediaStreamVideo {
  /// As they are shown: upright, with square pixels.
  int32_t width = 0;
  int32_t height = 0;
  /// Pictures in a second; 0 when unknown.
  double frame_rate = 0;
  /// In a second; 0 when unknown.
  int64_t bit_rate = 0;
  /// "h264", and so on as libavcodec calls them.
  std::string codec;
  std::string profile;       ///< "High".
  std::string level;         ///< "4.0".
  std::string pixel_format;  ///< "yuv420p".
  std::string color_space;   ///< "bt709".
  /// What the stored pictures are turned by, clockwise: 0, 90, 180 or 270.
  int32_t rotation = 0;
  /// With more light than screens usually have (PQ or HLG).
  bool hdr = false;
};

struct MediaStreamAudio {
  int32_t channels = 0;
  int32_t sample_rate = 0;
  /// In a second; 0 when unknown.
  int64_t bit_rate = 0;
  /// "aac".
  std::string codec;
  std::string profile;   ///< "LC".
  std::string language;  ///< ISO 639.
};

/// What a file of films or sound is. It has pictures or sound that can be decoded, or both.
struct MediaProbe {
  /// As DetectMediaType has it.
  std::string container;
  /// 0 when unknown. What the file says, so it may be wrong.
  int64_t duration_ms = 0;
  /// In a second, of the whole file; 0 when unknown.
  int64_t bit_rate = 0;
  std::optional<MediaStreamVideo> video;
  std::optional<MediaStreamAudio> audio;
  /// Whether a picture comes with it, as with music.
  bool has_cover = false;
  std::string title;
  std::string artist;
  std::string album;
  /// ISO 8601; with an offset, or Z, where the file has one.
  std::string taken_at;
  std::string camera_make;
  std::string camera_model;
  std::optional<GpsPosition> place;
  /// What an Apple device calls a live photo and its film alike.
  std::string content_identifier;
  /// Whether it ends before it should, where that can be seen.
  bool truncated = false;
  /// Whether it plays nearly everywhere as it is: MP4 with its index in front, H.264 of 8 bits
  /// and 4:2:0 with at most 1280 x 720 pixels, AAC or no sound, 6 Mb/s or less; of sound alone
  /// MP3, or AAC in MP4 with its index in front.
  bool streams_already = false;
};
inline constexpr size_t kMediaTextBytesMax = 512;
inline constexpr size_t kMediaNameBytesMax = 64;

struct ProbeMediaRequest {
  int input = -1;
  std::string media_type = {};
};

/// Where a poster came from.
enum class PosterSource : uint8_t {
  kFrame,     ///< A picture of the film that is not black, upright, in sRGB.
  kCover,     ///< The picture that comes with the file, as it is there.
  kWaveform,  ///< Its sound, drawn.
};

/// Asks for a picture that stands for the file: of a film one of its own, else its cover, else its
/// sound, drawn.
struct PosterRequest {
  int input = -1;
  std::string media_type = {};
  /// Of a picture of a film, 16 to 16383. A cover comes as it is.
  int32_t longest_side = 2048;
  int output = -1;
};

struct Poster {
  int32_t width = 0;
  int32_t height = 0;
  /// When it is to be seen in the film.
  int64_t time_ms = 0;
  int64_t bytes = 0;
  /// "image/jpeg" or "image/png".
  std::string media_type;
  PosterSource source = PosterSource::kFrame;
};

/// Asks how loud the sound is, over its length.
struct WaveformRequest {
  int input = -1;
  std::string media_type = {};
  /// Into how many equal parts the sound is divided, 1 to 4000.
  int32_t buckets = 1000;
  /// Made by Darkroom::Waveform.
  int output = -1;
  /// From the probe, to allow time for it; 0 when unknown.
  int64_t duration_ms = 0;
};
inline constexpr int32_t kWaveformBucketsMax = 4000;

/// The helper's answer: how much of the output is bytes of peaks, two for each bucket.
struct MeasuredWaveform {
  int64_t duration_ms = 0;
  int64_t bytes = 0;
};

struct Waveform {
  /// As it was decoded.
  int64_t duration_ms = 0;
  /// The lowest and the highest sample of each bucket, -128 to 127.
  std::vector<std::pair<int8_t, int8_t>> peaks;
};

/// Asks for pictures of a film that show what is in it: the first one, those where another scene
/// begins, and where there are few of these, others at even distances. WebP, one after the other
/// in the output.
struct FramesRequest {
  int input = -1;
  std::string media_type = {};
  /// 1 to 64.
  int32_t count_max = 16;
  /// 16 to 16383.
  int32_t longest_side = 1024;
  int output = -1;
  /// From the probe, to allow time for it; 0 when unknown.
  int64_t duration_ms = 0;
};
inline constexpr int32_t kFramesMax = 64;

struct MediaFrame {
  int64_t time_ms = 0;
  int32_t width = 0;
  int32_t height = 0;
  /// Where its file is in the output.
  int64_t offset = 0;
  int64_t bytes = 0;
};

/// By their times.
struct Frames {
  std::vector<MediaFrame> frames = {};
};

/// Asks for a version that browsers play: MP4 with its index in front, H.264 and AAC. A track that
/// is fit already is copied. Of sound alone the same without pictures.
struct ProxyRequest {
  int input = -1;
  std::string media_type = {};
  /// A regular file that is open for reading too.
  int output = -1;
  /// The longest side is at most 16 / 9 of it; 16 to 2160.
  int32_t short_side = 720;
  /// From the probe; the time that it may take grows with it. 0 when unknown.
  int64_t duration_ms = 0;
};
inline constexpr int32_t kProxyShortSideMax = 2160;

struct Proxy {
  /// 0 without pictures.
  int32_t width = 0;
  int32_t height = 0;
  int64_t duration_ms = 0;
  int64_t bytes = 0;
  bool video_copied = false;
  bool audio_copied = false;
  /// The file ended before it should; this is what there was.
  bool truncated = false;
  /// "video/mp4" or "audio/mp4".
  std::string media_type;
};

/// Asks for the sound as those who recognise speech want it: 16 kHz, one channel, 16 bits with a
/// sign, little-endian. It begins when the file does, with silence where its sound begins later.
struct SpeechRequest {
  int input = -1;
  std::string media_type = {};
  int output = -1;
  /// From the probe, to allow time for it; 0 when unknown.
  int64_t duration_ms = 0;
};
inline constexpr int32_t kSpeechSampleRate = 16'000;

struct Speech {
  int64_t samples = 0;
};

}  // namespace tintype::darkroom
