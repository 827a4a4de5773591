#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/frame.h>
}

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "darkroom/failure.h"

namespace tintype::darkroom::av {

/// Frees what libav's functions of this kind take the address of.
template <auto Free>
struct FreedBy {
  template <typename T>
  void operator()(T* object) const {
    Free(&object);
  }
};
using Packet = std::unique_ptr<AVPacket, FreedBy<av_packet_free>>;
using Frame = std::unique_ptr<AVFrame, FreedBy<av_frame_free>>;
using CodecContext = std::unique_ptr<AVCodecContext, FreedBy<avcodec_free_context>>;

/// Options for what is to be opened; those that were not understood stay behind.
class Options {
 public:
  Options() = default;
  ~Options() { av_dict_free(&entries_); }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  void Set(const char* name, const char* value) { av_dict_set(&entries_, name, value, 0); }
  void Set(const char* name, int64_t value) { av_dict_set_int(&entries_, name, value, 0); }
  AVDictionary** entries() { return &entries_; }

 private:
  AVDictionary* entries_ = nullptr;
};

/// These end the process when there is no memory for a few hundred bytes.
Packet NewPacket();
Frame NewFrame();

/// The error that a negative result of libav stands for while `what` was done, in words for the one
/// whose file it is: out of memory, out of time, or else a file that is damaged.
Error FromAv(int code, std::string_view what);
/// The same as a status: well when `code` is not negative.
Status CheckAv(int code, std::string_view what);

/// Errors whose words do not come from libav.
Error Damaged(std::string_view what);
Error OutOfMemory();
Error OutOfTime();

}  // namespace tintype::darkroom::av
