#include <string_view>

#include "darkroom/av/operations.h"
#include "darkroom/av/output_file.h"
#include "darkroom/av/sound.h"

namespace tintype::darkroom::av {

Result<Speech> RunSpeech(const SpeechRequest& request, Input& input) {
  RETURN_IF_ERROR(Truncate(request.output));
  Speech speech;
  const auto write = [&](std::span<const int16_t> samples) -> Status {
    const std::string_view bytes(reinterpret_cast<const char*>(samples.data()),
                                 samples.size_bytes());
    RETURN_IF_ERROR(WriteAt(request.output, 2 * speech.samples, bytes));
    speech.samples += static_cast<int64_t>(samples.size());
    return OkStatus();
  };
  RETURN_IF_ERROR(DecodeSound(input, write));
  return speech;
}

}  // namespace tintype::darkroom::av
