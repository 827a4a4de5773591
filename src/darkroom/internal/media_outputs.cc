#include "darkroom/internal/media_outputs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/strings.h"
#include "darkroom/media_type.h"

namespace tintype::darkroom {
namespace {

Error NotAsSaid(std::string note) {
  return MakeFailure(FailureKind::kDied, "The helper wrote something else than it says")
      .WithNote(std::move(note));
}

/// Bytes of a file, fewer where it ends.
std::string ReadAt(int file, int64_t offset, size_t bytes_max) {
  std::string bytes(bytes_max, '\0');
  size_t read = 0;
  while (read < bytes.size()) {
    const ssize_t got = ::pread(file, bytes.data() + read, bytes.size() - read,
                                static_cast<off_t>(offset) + static_cast<off_t>(read));
    if (got <= 0) {
      break;
    }
    read += static_cast<size_t>(got);
  }
  bytes.resize(read);
  return bytes;
}

Status CheckBegins(int output, int64_t offset, std::string_view media_type) {
  const std::string_view begins_as = DetectMediaType(ReadAt(output, offset, kMediaTypeBytes));
  return begins_as == media_type
             ? OkStatus()
             : Status(NotAsSaid(StrCat("said ", media_type, ", wrote ", begins_as)));
}

Status CheckFrames(int output, const std::vector<MediaFrame>& frames) {
  RETURN_IF_ERROR(CheckOutputBytes(output, frames.back().offset + frames.back().bytes));
  for (const MediaFrame& frame : frames) {
    RETURN_IF_ERROR(CheckBegins(output, frame.offset, "image/webp"));
  }
  return OkStatus();
}

}  // namespace

Status CheckOutputBytes(int output, int64_t bytes) {
  struct stat status = {};
  if (::fstat(output, &status) != 0 || status.st_size != bytes) {
    return NotAsSaid(StrCat("said ", bytes, " bytes, wrote ", status.st_size));
  }
  return OkStatus();
}

Status CheckMediaOutput(const Request& request, const Reply& reply) {
  const int output = DescriptorsOf(request).back();
  if (const auto* poster = std::get_if<Poster>(&reply)) {
    RETURN_IF_ERROR(CheckOutputBytes(output, poster->bytes));
    return CheckBegins(output, 0, poster->media_type);
  }
  if (const auto* proxy = std::get_if<Proxy>(&reply)) {
    RETURN_IF_ERROR(CheckOutputBytes(output, proxy->bytes));
    return CheckBegins(output, 0, proxy->media_type);
  }
  if (const auto* waveform = std::get_if<MeasuredWaveform>(&reply)) {
    return CheckOutputBytes(output, waveform->bytes);
  }
  if (const auto* speech = std::get_if<Speech>(&reply)) {
    return CheckOutputBytes(output, 2 * speech->samples);
  }
  if (const auto* frames = std::get_if<Frames>(&reply)) {
    return CheckFrames(output, frames->frames);
  }
  return OkStatus();
}

Result<Waveform> ReadWaveform(int output, const MeasuredWaveform& measured) {
  const std::string bytes = ReadAt(output, 0, static_cast<size_t>(measured.bytes));
  if (bytes.size() != static_cast<size_t>(measured.bytes)) {
    return NotAsSaid("fewer peaks than it says");  // It has become shorter since it was checked.
  }
  Waveform waveform = {.duration_ms = measured.duration_ms, .peaks = {}};
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const auto low = static_cast<int8_t>(bytes[i]);
    const auto high = static_cast<int8_t>(bytes[i + 1]);
    if (low > high) {
      return NotAsSaid("peaks that are the wrong way round");
    }
    waveform.peaks.emplace_back(low, high);
  }
  return waveform;
}

}  // namespace tintype::darkroom
