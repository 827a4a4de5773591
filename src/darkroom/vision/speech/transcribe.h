#pragma once

#include "base/result.h"
#include "darkroom/requests.h"
#include "darkroom/vision/loaded_models.h"

namespace tintype::darkroom::vision {

/// Writes what is said in a recording into the request's output, window by window: what is in
/// memory does not grow with the recording. Where nothing is said there are no segments.
Result<Transcribed> RunTranscribe(const TranscribeRequest& request, LoadedModels& models);

}  // namespace tintype::darkroom::vision
