#include "darkroom/vision/speech/recording.h"

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <bit>

#include "darkroom/failure.h"
#include "darkroom/requests.h"

namespace tintype::darkroom::vision {
namespace {

constexpr size_t kPieceSamples = 320;
// The mean square of silence: 64 decibels below the loudest that there can be.
constexpr double kSilence = 20.0 * 20.0;

}  // namespace

static_assert(std::endian::native == std::endian::little);

Result<Recording> Recording::Open(int file) {
  // fstat is refused in the sandbox.
  const off_t end = ::lseek(file, 0, SEEK_END);
  if (end < kBytesPerSample) {
    return MakeFailure(FailureKind::kNotAnImage, "The recording is empty");
  }
  return Recording(file, end / kBytesPerSample);
}

Result<std::vector<int16_t>> Recording::Read(int64_t from, int64_t count) const {
  std::vector<int16_t> samples(static_cast<size_t>(std::clamp<int64_t>(count, 0, samples_ - from)));
  auto* const bytes = reinterpret_cast<char*>(samples.data());
  size_t read = 0;
  while (read < samples.size() * kBytesPerSample) {
    const ssize_t got =
        ::pread(file_, bytes + read, samples.size() * kBytesPerSample - read,
                static_cast<off_t>(from * kBytesPerSample + static_cast<int64_t>(read)));
    if (got <= 0) {
      return MakeFailure(FailureKind::kDied, "The recording cannot be read");
    }
    read += static_cast<size_t>(got);
  }
  return samples;
}

int64_t FirstAudible(std::span<const int16_t> samples) {
  for (size_t begin = 0; begin < samples.size(); begin += kPieceSamples) {
    const auto piece = samples.subspan(begin, std::min(kPieceSamples, samples.size() - begin));
    double squares = 0;
    for (const int16_t sample : piece) {
      squares += static_cast<double>(sample) * sample;
    }
    if (squares > kSilence * static_cast<double>(piece.size())) {
      return static_cast<int64_t>(begin);
    }
  }
  return static_cast<int64_t>(samples.size());
}

}  // namespace tintype::darkroom::vision
