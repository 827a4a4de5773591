#include "repeated_load.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace tintype::bench {

LoadOptions RepeatedLoad(std::span<const std::string> arguments) {
  return {.address = arguments[0],
          .port = static_cast<uint16_t>(std::strtoul(arguments[1].c_str(), nullptr, 10)),
          .connections = std::strtoul(arguments[2].c_str(), nullptr, 10),
          .seconds = std::strtod(arguments[3].c_str(), nullptr),
          .from_the_start = true,
          .warmup_seconds = std::strtod(arguments[4].c_str(), nullptr)};
}

std::vector<std::string> LinesOfInput() {
  std::vector<std::string> lines;
  for (std::string line; std::getline(std::cin, line);) {
    lines.push_back(line);
  }
  return lines;
}

int PrintRepeatedLoad(const std::vector<std::string>& requests, const LoadOptions& options) {
  const Result<LoadResult> result = RunLoad(requests, options);
  if (!result.ok()) {
    std::fprintf(stderr, "%s\n", result.error().message().c_str());
    return 1;
  }
  std::printf("{\"answered\": %zu, \"per_second\": %.1f, \"p50_us\": %.1f, \"p99_us\": %.1f}\n",
              result->answered, result->per_second(), result->PercentileUs(0.5),
              result->PercentileUs(0.99));
  return 0;
}

}  // namespace tintype::bench
