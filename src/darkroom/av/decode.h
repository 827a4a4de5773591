#pragma once

#include <functional>

#include "darkroom/av/input.h"

namespace tintype::darkroom::av {

/// Called with each decoded frame, whose pts is the best that is known of its time, in the stream's
/// time base; AV_NOPTS_VALUE when nothing is. Returns whether there should be more.
using TakeDecoded = std::function<Result<bool>(AVFrame*)>;

/// Sends a packet to a decoder, or its end when that is null, and hands out what comes of it. A
/// packet that makes no sense is passed over: what comes behind may be well. The result is whether
/// there should be more.
Result<bool> DecodePacket(AVCodecContext* decoder, const AVPacket* packet, const Deadline& deadline,
                          const TakeDecoded& take);

/// Decodes a stream from where the input is, until `take` has enough or the input ends.
Status DecodeStream(Input& input, const AVStream* stream, AVCodecContext* decoder,
                    const TakeDecoded& take);

/// Decodes the next keyframe of a stream alone, within so many packets. The frame is empty when
/// there is none. The others' decoding would need those that follow: a decoder holds a picture back
/// until it knows that none comes before it.
Status DecodeKeyframe(Input& input, const AVStream* stream, AVCodecContext* decoder,
                      int packets_max, AVFrame* frame);

}  // namespace tintype::darkroom::av
