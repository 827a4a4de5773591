#include "metrics/process.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/files.h"
#include "base/numbers.h"

namespace tintype::metrics {
namespace {

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  size_t begin = 0;
  while ((begin = text.find_first_not_of(" \n", begin)) != std::string_view::npos) {
    const size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

/// The line of a process in /proc, from its third word on: the second, the program's name, may
/// contain anything.
std::vector<std::string> StatWords() {
  const auto text = ReadFile("/proc/self/stat");
  if (!text.ok()) {
    return {};
  }
  return Words(std::string_view(*text).substr(text->rfind(')') + 1));
}

/// One of StatWords, by its number in proc(5).
std::optional<uint64_t> StatWord(const std::vector<std::string>& words, size_t number) {
  constexpr size_t kFirst = 3;
  return number - kFirst < words.size() ? ParseInteger<uint64_t>(words[number - kFirst])
                                        : std::nullopt;
}

/// When the machine was started, in seconds since the Unix epoch.
std::optional<uint64_t> BootTime() {
  const auto text = ReadFile("/proc/stat");
  constexpr std::string_view kName = "\nbtime ";
  const size_t found = text.ok() ? text->find(kName) : std::string::npos;
  if (found == std::string::npos) {
    return std::nullopt;
  }
  const auto words = Words(std::string_view(*text).substr(found + kName.size(), 32));
  return words.empty() ? std::nullopt : ParseInteger<uint64_t>(words.front());
}

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

std::optional<uint64_t> OpenDescriptors() {
  std::error_code error;
  std::filesystem::directory_iterator entries("/proc/self/fd", error);
  uint64_t count = 0;
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    ++count;
  }
  // One of them is the folder's own.
  return error || count == 0 ? std::nullopt : std::optional(count - 1);
}

void Show(Samples& out) {
  const std::vector<std::string> words = StatWords();
  const auto page_bytes = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  if (const auto pages = StatWord(words, 24)) {
    out.Gauge("tintype_process_resident_memory_bytes", "Memory of this process that is in use.")
        .Sample({}, *pages * page_bytes);
  }
  if (const auto threads = StatWord(words, 20)) {
    out.Gauge("tintype_process_threads", "Threads of this process.").Sample({}, *threads);
  }
  const auto started_ticks = StatWord(words, 22);
  const auto boot_s = BootTime();
  if (started_ticks && boot_s) {
    const auto ticks_per_s = static_cast<double>(::sysconf(_SC_CLK_TCK));
    out.Gauge("tintype_process_start_time_seconds",
              "When this process was started, in seconds since the Unix epoch.")
        .Sample({},
                static_cast<double>(*boot_s) + static_cast<double>(*started_ticks) / ticks_per_s);
  }
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) == 0) {
    out.Counter("tintype_process_cpu_seconds_total",
                "Processor time of this process, without its helpers.")
        .Sample({}, Seconds(usage.ru_utime) + Seconds(usage.ru_stime));
  }
  if (const auto open = OpenDescriptors()) {
    out.Gauge("tintype_process_open_descriptors", "Files and sockets that this process has open.")
        .Sample({}, *open);
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    out.Gauge("tintype_process_open_descriptors_limit",
              "Files and sockets that this process may have open.")
        .Sample({}, static_cast<uint64_t>(limit.rlim_cur));
  }
}

}  // namespace

Registration CollectProcess(Registry& registry) { return registry.Collect(Show); }

}  // namespace tintype::metrics
