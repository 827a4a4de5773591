#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "darkroom/av/deadline.h"
#include "darkroom/av/libav.h"

namespace tintype::darkroom::av {

/// Microseconds as answers have times: none is before the beginning, or later than any film's.
int64_t ToMs(int64_t us);

/// A file of films or sound, taken apart by the one demuxer that its media type names. libav reads
/// it through us, and opens nothing else on its behalf: no playlist, no other file, no address.
///
/// Used by one thread. Lives as long as what was opened for its streams.
class Input {
 public:
  /// `file` is a regular one, which stays the caller's. Frames have at most `pixels_max`. Errors:
  /// kUnsupportedType, kCorrupt, kOutOfTime, kOutOfMemory.
  static Result<std::unique_ptr<Input>> Open(int file, std::string_view media_type,
                                             int64_t pixels_max, const Deadline& deadline);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  AVFormatContext* context() const { return context_; }
  /// The streams to be looked at and listened to; null where there is none that can be decoded.
  /// Covers are no films.
  AVStream* video() const { return video_; }
  AVStream* audio() const { return audio_; }
  /// Has the demuxer drop all other streams than these; either may be null.
  void Select(const AVStream* one, const AVStream* other = nullptr) const;

  /// 0 when unknown, or when no such film exists.
  int64_t duration_us() const;
  /// When it begins, as its streams count.
  int64_t start_us() const;
  int64_t size() const { return size_; }
  int64_t pixels_max() const { return pixels_max_; }
  const Deadline& deadline() const { return deadline_; }

  /// False at the end. Errors: kOutOfTime, kOutOfMemory.
  Result<bool> ReadPacket(AVPacket* packet);
  /// Whether the end came with an error.
  bool ended_early() const { return ended_early_; }
  /// To where a decoder can begin at or before that time, whose streams must be selected before;
  /// false where the file cannot do that.
  bool SeekBefore(int64_t time_us);
  /// To the beginning, by its bytes where nothing else helps.
  void Rewind();

  /// Bytes of the file at an offset, fewer where it ends.
  std::string Peek(int64_t offset, size_t bytes_max) const;

 private:
  Input(int file, int64_t pixels_max, const Deadline& deadline);

  Status OpenAs(std::string_view media_type);
  Status FindStreams();
  AVStream* BestStream(AVMediaType type) const;
  int Read(uint8_t* to, int bytes);
  int64_t Seek(int64_t offset, int whence);

  const int file_;
  const int64_t size_;
  const int64_t pixels_max_;
  const Deadline& deadline_;
  int64_t position_ = 0;
  int64_t bytes_read_ = 0;
  bool ended_early_ = false;
  AVIOContext* io_ = nullptr;
  AVFormatContext* context_ = nullptr;
  AVStream* video_ = nullptr;
  AVStream* audio_ = nullptr;
};

}  // namespace tintype::darkroom::av
