#include "darkroom/av/libav.h"

#include "base/check.h"
#include "base/strings.h"

namespace tintype::darkroom::av {

Packet NewPacket() {
  Packet packet(av_packet_alloc());
  CHECK(packet != nullptr);
  return packet;
}

Frame NewFrame() {
  Frame frame(av_frame_alloc());
  CHECK(frame != nullptr);
  return frame;
}

Error FromAv(int code, std::string_view what) {
  if (code == AVERROR(ENOMEM)) {
    return OutOfMemory();
  }
  if (code == AVERROR_EXIT) {
    return OutOfTime();
  }
  if (code == AVERROR_DECODER_NOT_FOUND || code == AVERROR_DEMUXER_NOT_FOUND ||
      code == AVERROR_PATCHWELCOME) {
    return MakeFailure(FailureKind::kUnsupportedType,
                       StrCat("The file is coded in a way that is not supported (", what, ")"));
  }
  char text[AV_ERROR_MAX_STRING_SIZE] = {};
  av_strerror(code, text, sizeof(text));
  return Damaged(StrCat(what, ": ", text));
}

Status CheckAv(int code, std::string_view what) {
  return code < 0 ? Status(FromAv(code, what)) : OkStatus();
}

Error Damaged(std::string_view what) {
  return MakeFailure(FailureKind::kCorrupt,
                     StrCat("The file is damaged and cannot be played (", what, ")"));
}

Error OutOfMemory() {
  return MakeFailure(FailureKind::kOutOfMemory, "The file needs more memory than is allowed");
}

Error OutOfTime() { return MakeFailure(FailureKind::kOutOfTime, "The file took too long"); }

}  // namespace tintype::darkroom::av
