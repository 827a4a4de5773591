// transcribe_files HELPER MODELS SIZE LANGUAGE FILE...: writes what is said in WAV files or bare
// samples, with what it took, a JSON object each. For `./dev bench speech`; LANGUAGE is - where it
// is to be found out.

#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "base/strings.h"
#include "darkroom/darkroom.h"
#include "darkroom/vision/speech/testing/speech_files.h"

namespace tintype::darkroom {
namespace {

/// What ended children have used, in seconds of processor time and megabytes at most.
struct Used {
  double cpu = 0;
  int64_t megabytes = 0;
};

Used UsedByHelpers() {
  rusage usage = {};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss / 1024};
}

int TranscribeAll(int argc, char** argv) {
  const std::string models = argv[2];
  const std::string size = argv[3];
  const std::string language = argv[4];
  double used_before = 0;
  for (int i = 5; i < argc; ++i) {
    const Recorded recorded = ReadRecording(argv[i]);
    Result<Transcript> transcript = Transcript();
    const auto began = std::chrono::steady_clock::now();
    {
      Darkroom vision(SpeechConfig(argv[1], models));
      transcript = TranscribeWith(vision, models, size, language == "-" ? "" : language, recorded);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    const Used used = UsedByHelpers();
    if (!transcript.ok()) {
      std::cerr << argv[i] << ": " << transcript.error().message() << " "
                << transcript.error().note() << "\n";
      return EXIT_FAILURE;
    }
    std::printf(
        "{\"file\":\"%s\",\"seconds\":%.3f,\"took\":%.3f,\"cpu\":%.3f,\"mb\":%ld,"
        "\"language\":\"%s\",\"languageConfidence\":%.3f,\"segments\":[",
        argv[i], static_cast<double>(transcript->duration_ms) / 1000, took.count(),
        used.cpu - used_before, static_cast<long>(used.megabytes), transcript->language.c_str(),
        transcript->language_confidence);
    used_before = used.cpu;
    const char* separator = "";
    for (const SpeechSegment& segment : transcript->segments) {
      std::string text;
      for (const char c : segment.text) {
        text += c == '"' || c == '\\' ? StrCat("\\", std::string(1, c)) : std::string(1, c);
      }
      std::printf("%s{\"begin\":%ld,\"end\":%ld,\"confidence\":%.3f,\"text\":\"%s\",\"words\":[",
                  separator, static_cast<long>(segment.begin_ms), static_cast<long>(segment.end_ms),
                  segment.confidence, text.c_str());
      separator = "";
      for (const SpeechWord& word : segment.words) {
        std::printf("%s[%ld,%ld]", separator, static_cast<long>(word.begin_ms),
                    static_cast<long>(word.end_ms));
        separator = ",";
      }
      std::printf("]}");
      separator = ",";
    }
    std::printf("]}\n");
    std::fflush(stdout);
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace tintype::darkroom

int main(int argc, char** argv) {
  if (argc < 6) {
    std::cerr << "usage: transcribe_files HELPER MODELS SIZE LANGUAGE FILE...\n";
    return EXIT_FAILURE;
  }
  return tintype::darkroom::TranscribeAll(argc, argv);
}
