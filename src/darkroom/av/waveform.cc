#include <algorithm>
#include <string>

#include "darkroom/av/operations.h"
#include "darkroom/av/output_file.h"
#include "darkroom/av/peaks.h"
#include "darkroom/av/sound.h"

namespace tintype::darkroom::av {

Result<MeasuredWaveform> RunWaveform(const WaveformRequest& request, Input& input) {
  Peaks peaks(static_cast<size_t>(request.buckets));
  RETURN_IF_ERROR(DecodeSound(input, [&](std::span<const int16_t> samples) {
    peaks.Add(samples);
    return OkStatus();
  }));
  std::string bytes;
  for (const auto& [low, high] : peaks.Finish()) {
    bytes.push_back(static_cast<char>(low >> 8));
    bytes.push_back(static_cast<char>(high >> 8));
  }
  RETURN_IF_ERROR(Truncate(request.output));
  RETURN_IF_ERROR(WriteAt(request.output, 0, bytes));
  return MeasuredWaveform{.duration_ms = peaks.samples() * 1000 / kSpeechSampleRate,
                          .bytes = static_cast<int64_t>(bytes.size())};
}

}  // namespace tintype::darkroom::av
