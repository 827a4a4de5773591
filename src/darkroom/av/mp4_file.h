#pragma once

#include <cstdint>
#include <memory>

#include "darkroom/av/libav.h"

namespace tintype::darkroom::av {

/// An MP4 file that is written to a descriptor, which is open for reading too: its index is moved
/// to the front in the end.
class Mp4File {
 public:
  enum class Kind : uint8_t {
    kFilm,
    kSound,  ///< With the brand of files without pictures (M4A).
  };
  /// `output` stays the caller's; its content is replaced.
  static Result<std::unique_ptr<Mp4File>> Create(int output, Kind kind);
  ~Mp4File();
  Mp4File(const Mp4File&) = delete;
  Mp4File& operator=(const Mp4File&) = delete;

  AVFormatContext* context() const { return context_; }
  Result<AVStream*> AddStream() const;
  /// Once all streams are there and described.
  Status Begin() const;
  /// Takes what is in the packet, whose times are in its stream's time base.
  Status Write(AVPacket* packet) const;
  /// kOutput when not everything could be written.
  Status Finish() const;
  int64_t bytes() const { return end_; }

 private:
  struct Reading;

  explicit Mp4File(int output) : output_(output) {}
  Status Open(Kind kind);
  int WriteBytes(const uint8_t* from, int bytes);
  int64_t Seek(int64_t offset, int whence);
  Status CheckWritten(int result) const;

  const int output_;
  int64_t position_ = 0;
  int64_t end_ = 0;
  AVFormatContext* context_ = nullptr;
};

}  // namespace tintype::darkroom::av
