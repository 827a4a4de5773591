#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "darkroom/av/input.h"

namespace tintype::darkroom::av {

/// Called with sound of one channel at kSpeechSampleRate, piece by piece.
using TakeSamples = std::function<Status(std::span<const int16_t>)>;

/// Decodes the sound of a file from its beginning. Where it begins later than the pictures there is
/// silence first, so that times are the file's. kUnsupportedType when there is no sound.
Status DecodeSound(Input& input, const TakeSamples& take);

}  // namespace tintype::darkroom::av
