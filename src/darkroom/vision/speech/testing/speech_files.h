#pragma once

#include <fcntl.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/descriptor.h"
#include "base/strings.h"
#include "darkroom/darkroom.h"
#include "darkroom/testing/memory_file.h"

// What tests of speech need beside the helper: recordings, and models that may be there.

namespace tintype::darkroom {

/// Samples as TranscribeRequest has them.
using Recorded = std::string;

/// The samples of a WAV file of 16 000 a second, or of a file that has nothing else.
inline Recorded ReadRecording(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  CHECK(file.good());
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!bytes.starts_with("RIFF")) {
    return bytes;
  }
  size_t at = 12;
  while (at + 8 <= bytes.size()) {
    uint32_t size = 0;
    std::memcpy(&size, &bytes[at + 4], sizeof(size));
    if (bytes.compare(at, 4, "data") == 0) {
      return bytes.substr(at + 8, size);
    }
    at += 8 + size;
  }
  return "";
}

inline Config SpeechConfig(const std::string& helper, const std::string& models) {
  Config config;
  config.name = "vision helper";
  config.helper_path = helper;
  config.library_path = StrCat(models, "/libonnxruntime.so.1");
  config.processes_max = 1;
  config.limits.address_space_bytes = int64_t{1792} << 20;
  config.sandbox = SandboxUse::kPreferred;  // Builds with a sanitizer have none.
  return config;
}

/// What a model of that size, `tiny` or `base`, hears.
inline Result<Transcript> TranscribeWith(Darkroom& vision, const std::string& models,
                                         std::string_view size, std::string_view language,
                                         const Recorded& recorded) {
  const auto open = [&](std::string_view name) {
    return Descriptor(::open(StrCat(models, "/", name).c_str(), O_RDONLY | O_CLOEXEC));
  };
  const MemoryFile input(recorded);
  const Descriptor encoder = open(StrCat("speech-", size, "-encoder.onnx"));
  const Descriptor decoder = open(StrCat("speech-", size, "-decoder.onnx"));
  const Descriptor vocabulary = open("speech-vocabulary.json");
  TranscribeRequest request;
  request.input = input.number();
  request.encoder = encoder.number();
  request.decoder = decoder.number();
  request.vocabulary = vocabulary.number();
  request.language = language;
  request.models = StrCat("speech ", size);
  return vision.Transcribe("ada", request);
}

}  // namespace tintype::darkroom
