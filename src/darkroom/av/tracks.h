#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "darkroom/av/filter_chain.h"
#include "darkroom/av/input.h"
#include "darkroom/av/mp4_file.h"
#include "darkroom/av/orientation.h"

namespace tintype::darkroom::av {

/// Times since a film's beginning. One that cannot be is none: gaps of sound are filled with
/// silence, so that an absurd one would cost hours of it.
class TimeLine {
 public:
  explicit TimeLine(const Input& input);
  std::optional<int64_t> Since(int64_t time, AVRational base) const;

 private:
  int64_t start_us_;
  int64_t length_us_max_;
};

/// A stream on its way from a file into an MP4 file, whose muxer orders the packets.
class Track {
 public:
  Track(const Input& input, const TimeLine& times, const Mp4File& file, AVStream* in, AVStream* out)
      : input_(input), times_(times), file_(file), in_(in), out_(out) {}
  virtual ~Track() = default;
  Track(const Track&) = delete;
  Track& operator=(const Track&) = delete;
  virtual Status Take(AVPacket* packet) = 0;
  /// What is still within, when no packet comes any more.
  virtual Status Finish() = 0;
  virtual bool copied() const = 0;

  const AVStream* in() const { return in_; }
  const AVStream* out() const { return out_; }
  /// When the last packet ended, since the film's beginning.
  int64_t end_us() const { return end_us_; }
  bool wrote_any() const { return wrote_any_; }

 protected:
  /// A packet for the file, with times in `base`.
  Status Write(AVPacket* packet, AVRational base);

  const Input& input_;
  const TimeLine& times_;
  const Mp4File& file_;
  AVStream* const in_;
  AVStream* const out_;

 private:
  int64_t end_us_ = 0;
  bool wrote_any_ = false;
};

/// Of these three, `times` and `file` outlive the track.

/// The stream as it is.
Result<std::unique_ptr<Track>> CopyTrack(const Input& input, const TimeLine& times,
                                         const Mp4File& file, AVStream* in);
/// H.264, upright and no larger than `short_side` has it.
Result<std::unique_ptr<Track>> EncodeVideoTrack(const Input& input, const TimeLine& times,
                                                const Mp4File& file, AVStream* in, int short_side);
/// AAC, in stereo.
Result<std::unique_ptr<Track>> EncodeAudioTrack(const Input& input, const TimeLine& times,
                                                const Mp4File& file, AVStream* in);

}  // namespace tintype::darkroom::av
