#pragma once

#include "darkroom/av/input.h"

namespace tintype::darkroom::av {

/// Whether the file is shorter than it says itself, by the sizes in MP4, Matroska, AVI and WAV.
bool EndsEarly(const Input& input, std::string_view media_type);

/// Whether a file of MP4's kind has its index before its samples, so that it can be played while it
/// comes in.
bool HasIndexInFront(const Input& input);

/// Files that MP4's boxes make: MP4, QuickTime, 3GP.
bool IsOfBoxes(std::string_view media_type);

}  // namespace tintype::darkroom::av
