#pragma once

#include <cstdint>
#include <string>

#include "darkroom/av/input.h"

namespace tintype::darkroom::av {

/// Whether streams of that codec are decoded. libavcodec has five hundred decoders; what people's
/// cameras, phones and programs write needs some forty.
bool CanDecode(AVCodecID codec);

/// Their names, for libav's list of those that it may open by itself.
const std::string& DecoderNames();

enum class Skip : uint8_t {
  kNothing,
  kAllButKeyframes,  ///< Pictures that need others are not decoded.
};

/// A decoder for one of the input's streams, with one thread and all limits set. Errors:
/// kUnsupportedType, kTooLarge, kCorrupt, kOutOfMemory.
Result<CodecContext> OpenDecoder(const Input& input, const AVStream* stream,
                                 Skip skip = Skip::kNothing);

}  // namespace tintype::darkroom::av
