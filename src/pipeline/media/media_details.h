#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contexts/analysis/analysis.h"
#include "contexts/catalog/image.h"
#include "darkroom/media_requests.h"

/// What the helper for films and sound found, as the documents, and players, have it.
namespace tintype::pipeline {

/// Nothing for what a file does not say.
std::optional<std::string> Given(const std::string& text);

contexts::analysis::MediaDetails DetailsOf(const darkroom::MediaProbe& probe);
contexts::catalog::Exif ExifOf(const darkroom::MediaProbe& probe);

/// In the format of the program audiowaveform, which players of waveforms read.
std::string WaveformJson(const darkroom::Waveform& waveform);

/// Where each of the pictures out of a video is in the file of all of them.
std::string FrameListJson(const std::vector<darkroom::MediaFrame>& frames);

}  // namespace tintype::pipeline
