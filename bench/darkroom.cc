// What the darkroom alone costs: makes every size of each given photo, as the server does, and
// tells wall and processor time. Run by bench/upload and bench/renditions.
//
//   bench_darkroom [-q QUALITY] [-e EFFORT] [-k FOLDER] [-w] [-a ACCOUNTS]
//                  HELPER SCRATCH PROCESSES PHOTO...
//
// -k keeps what is made there, as NUMBER-SIDE.webp. -w has each helper make a photo before the
// clock starts. -a has so many accounts take turns, which share no helper; default 1.

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/strings.h"
#include "darkroom/darkroom.h"
#include "flows/media_keys.h"
#include "flows/product.h"

namespace tintype {
namespace {

struct Options {
  std::string helper;
  std::string scratch;
  size_t processes = 1;
  std::vector<std::string> photos;
  int32_t quality = flows::ProductConfig().quality;
  int32_t effort = flows::ProductConfig().effort;
  /// Empty: nothing is kept.
  std::string keep;
  bool warm = false;
  size_t accounts = 1;
};

int Open(const std::string& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    std::perror(path.c_str());
    std::exit(1);
  }
  return descriptor;
}

int OpenOutput(const Options& options, size_t number, int32_t side) {
  return options.keep.empty()
             ? Open(options.scratch, O_TMPFILE | O_RDWR)
             : Open(StrCat(options.keep, "/", number, "-", side, ".webp"), O_CREAT | O_RDWR);
}

// Makes the sizes of a photo and tells their bytes.
int64_t Develop(darkroom::Darkroom& darkroom, const Options& options, size_t number) {
  const std::string& photo = options.photos[number];
  darkroom::DevelopRequest request;
  request.input = Open(photo, O_RDONLY);
  request.quality = options.quality;
  request.effort = options.effort;
  for (const flows::SizeSpec& spec : flows::kSizes) {
    if (spec.longest_side > 0) {
      request.sizes.push_back({std::string(spec.name), spec.longest_side,
                               OpenOutput(options, number, spec.longest_side)});
    }
  }
  const std::string account = StrCat("account", number % options.accounts);
  const auto developed = darkroom.Develop(account, request);
  if (!developed.ok()) {
    std::fprintf(stderr, "%s: %s\n", photo.c_str(),
                 std::string(developed.error().message()).c_str());
    std::exit(1);
  }
  ::close(request.input);
  for (const darkroom::SizeRequest& size : request.sizes) {
    ::close(size.output);
  }
  int64_t bytes = 0;
  for (const darkroom::Rendition& rendition : developed->renditions) {
    bytes += rendition.bytes;
  }
  return bytes;
}

void OnThreads(size_t count, const std::function<void()>& work) {
  std::vector<std::thread> threads;
  for (size_t i = 0; i < count; ++i) {
    threads.emplace_back(work);
  }
  for (std::thread& thread : threads) {
    thread.join();
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

void Run(const Options& options) {
  std::atomic<int64_t> bytes = 0;
  std::chrono::duration<double> wall{};
  {
    auto started = std::chrono::steady_clock::now();
    darkroom::Config config;
    config.helper_path = options.helper;
    config.processes_max = options.processes;
    darkroom::Darkroom darkroom(config);
    if (options.warm) {
      OnThreads(options.processes, [&] { Develop(darkroom, options, 0); });
      started = std::chrono::steady_clock::now();
    }
    std::atomic<size_t> next = 0;
    OnThreads(options.processes, [&] {
      for (size_t photo = next++; photo < options.photos.size(); photo = next++) {
        bytes += Develop(darkroom, options, photo);
      }
    });
    wall = std::chrono::steady_clock::now() - started;
  }  // The helpers have ended here, so that their time is counted.
  std::printf("{\"photos\": %zu, \"wall_s\": %.3f, \"cpu_s\": %.3f, \"bytes\": %lld}\n",
              options.photos.size(), wall.count(),
              CpuSeconds(RUSAGE_SELF) + CpuSeconds(RUSAGE_CHILDREN),
              static_cast<long long>(bytes.load()));
}

bool Parse(int argc, char** argv, Options& options) {
  for (int option = 0; (option = ::getopt(argc, argv, "q:e:k:wa:")) != -1;) {
    switch (option) {
      case 'q':
        options.quality = std::atoi(optarg);
        break;
      case 'e':
        options.effort = std::atoi(optarg);
        break;
      case 'k':
        options.keep = optarg;
        break;
      case 'w':
        options.warm = true;
        break;
      case 'a':
        options.accounts = std::max<size_t>(1, static_cast<size_t>(std::atoi(optarg)));
        break;
      default:
        return false;
    }
  }
  if (argc - optind < 4) {
    return false;
  }
  options.helper = argv[optind];
  options.scratch = argv[optind + 1];
  options.processes = static_cast<size_t>(std::atoi(argv[optind + 2]));
  options.photos = {argv + optind + 3, argv + argc};
  return true;
}

}  // namespace
}  // namespace tintype

int main(int argc, char** argv) {
  tintype::Options options;
  if (!tintype::Parse(argc, argv, options)) {
    std::fprintf(stderr,
                 "usage: bench_darkroom [-q QUALITY] [-e EFFORT] [-k FOLDER] [-w] [-a ACCOUNTS] "
                 "HELPER SCRATCH PROCESSES PHOTO...\n");
    return 2;
  }
  tintype::Run(options);
}
