#include "darkroom/av/decode.h"

namespace tintype::darkroom::av {

Result<bool> DecodePacket(AVCodecContext* decoder, const AVPacket* packet, const Deadline& deadline,
                          const TakeDecoded& take) {
  if (avcodec_send_packet(decoder, packet) == AVERROR(ENOMEM)) {
    return OutOfMemory();
  }
  const Frame frame = NewFrame();
  while (true) {
    const int got = avcodec_receive_frame(decoder, frame.get());
    RETURN_IF_ERROR(deadline.Check());
    if (got == AVERROR(ENOMEM)) {
      return OutOfMemory();
    }
    if (got < 0) {
      return true;
    }
    frame->pts = frame->best_effort_timestamp;
    // An encoder would take it for an order to make the same kind of picture.
    frame->pict_type = AV_PICTURE_TYPE_NONE;
    ASSIGN_OR_RETURN(const bool more, take(frame.get()));
    if (!more) {
      return false;
    }
    av_frame_unref(frame.get());
  }
}

Status DecodeStream(Input& input, const AVStream* stream, AVCodecContext* decoder,
                    const TakeDecoded& take) {
  const Packet packet = NewPacket();
  while (true) {
    ASSIGN_OR_RETURN(const bool read, input.ReadPacket(packet.get()));
    if (read && packet->stream_index != stream->index) {
      continue;
    }
    ASSIGN_OR_RETURN(const bool more,
                     DecodePacket(decoder, read ? packet.get() : nullptr, input.deadline(), take));
    if (!read || !more) {
      return OkStatus();
    }
  }
}

Status DecodeKeyframe(Input& input, const AVStream* stream, AVCodecContext* decoder,
                      int packets_max, AVFrame* frame) {
  const Packet packet = NewPacket();
  av_frame_unref(frame);
  const auto keep = [&](AVFrame* decoded) -> Result<bool> {
    av_frame_unref(frame);
    av_frame_move_ref(frame, decoded);
    return false;
  };
  avcodec_flush_buffers(decoder);
  while (packets_max > 0 && frame->width == 0) {
    ASSIGN_OR_RETURN(const bool read, input.ReadPacket(packet.get()));
    if (!read) {
      break;
    }
    if (packet->stream_index != stream->index) {
      continue;  // Bounded by the deadline and the file's end.
    }
    --packets_max;
    if ((packet->flags & AV_PKT_FLAG_KEY) == 0) {
      continue;
    }
    ASSIGN_OR_RETURN(bool more, DecodePacket(decoder, packet.get(), input.deadline(), keep));
    if (more) {
      ASSIGN_OR_RETURN(more, DecodePacket(decoder, nullptr, input.deadline(), keep));
    }
    avcodec_flush_buffers(decoder);
  }
  return OkStatus();
}

}  // namespace tintype::darkroom::av
