// What the darkroom alone costs: makes every size of each given photo, as the server does, and
// tells wall and processor time. Run by bench/upload.
//
//   bench_darkroom HELPER SCRATCH PROCESSES PHOTO...

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "darkroom/darkroom.h"
#include "flows/media_keys.h"
#include "flows/product.h"

namespace tintype {
namespace {

int Open(const std::string& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    std::perror(path.c_str());
    std::exit(1);
  }
  return descriptor;
}

void Develop(darkroom::Darkroom& darkroom, const std::string& photo, const std::string& scratch) {
  const flows::ProductConfig product;
  darkroom::DevelopRequest request;
  request.input = Open(photo, O_RDONLY);
  request.quality = product.quality;
  request.effort = product.effort;
  for (const flows::SizeSpec& spec : flows::kSizes) {
    if (spec.longest_side > 0) {
      request.sizes.push_back(
          {std::string(spec.name), spec.longest_side, Open(scratch, O_TMPFILE | O_RDWR)});
    }
  }
  const auto developed = darkroom.Develop(request);
  if (!developed.ok()) {
    std::fprintf(stderr, "%s: %s\n", photo.c_str(),
                 std::string(developed.error().message()).c_str());
    std::exit(1);
  }
  ::close(request.input);
  for (const darkroom::Size& size : request.sizes) {
    ::close(size.output);
  }
}

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double CpuSeconds(int of) {
  rusage usage{};
  ::getrusage(of, &usage);
  return Seconds(usage.ru_utime) + Seconds(usage.ru_stime);
}

void Run(const std::string& helper, const std::string& scratch, size_t processes,
         const std::vector<std::string>& photos) {
  const auto started = std::chrono::steady_clock::now();
  {
    darkroom::Config config;
    config.helper_path = helper;
    config.processes_max = processes;
    darkroom::Darkroom darkroom(config);
    std::atomic<size_t> next = 0;
    std::vector<std::thread> threads;
    for (size_t i = 0; i < processes; ++i) {
      threads.emplace_back([&] {
        for (size_t photo = next++; photo < photos.size(); photo = next++) {
          Develop(darkroom, photos[photo], scratch);
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
  }  // The helpers have ended here, so that their time is counted.
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
  std::printf("{\"photos\": %zu, \"wall_s\": %.3f, \"cpu_s\": %.3f}\n", photos.size(), wall.count(),
              CpuSeconds(RUSAGE_SELF) + CpuSeconds(RUSAGE_CHILDREN));
}

}  // namespace
}  // namespace tintype

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: bench_darkroom HELPER SCRATCH PROCESSES PHOTO...\n");
    return 2;
  }
  tintype::Run(argv[1], argv[2], static_cast<size_t>(std::atoi(argv[3])), {argv + 4, argv + argc});
}
