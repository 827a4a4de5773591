#pragma once

#include <span>
#include <string>

#include "darkroom/av/libav.h"
#include "darkroom/av/peaks.h"

namespace tintype::darkroom::av {

inline constexpr int kWaveformPictureWidth = 1600;
inline constexpr int kWaveformPictureHeight = 900;
inline constexpr size_t kWaveformPictureBars = 100;

/// A picture of a sound, as PNG: a bar for each of its parts, of which there are
/// kWaveformPictureBars. The loudest fills most of the height, so that soft sound is seen too.
Result<std::string> DrawWaveform(std::span<const Peaks::Range> peaks);

}  // namespace tintype::darkroom::av
