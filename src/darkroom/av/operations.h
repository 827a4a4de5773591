#pragma once

#include "darkroom/av/input.h"
#include "darkroom/media_requests.h"

namespace tintype::darkroom::av {

// What can be asked, each in a file of its own. See darkroom/media_requests.h.

Result<MediaProbe> RunProbe(const ProbeMediaRequest& request, const Input& input);
Result<Poster> RunPoster(const PosterRequest& request, Input& input);
Result<MeasuredWaveform> RunWaveform(const WaveformRequest& request, Input& input);
Result<Frames> RunFrames(const FramesRequest& request, Input& input);
Result<Proxy> RunProxy(const ProxyRequest& request, Input& input);
Result<Speech> RunSpeech(const SpeechRequest& request, Input& input);

}  // namespace tintype::darkroom::av
