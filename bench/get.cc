// Asks for the targets that standard input lists, one a line, again and again over keep-alive
// connections, and prints what it measured as one line of JSON. bench/delivery and bench/resize
// call it.
//
//   bench_get ADDRESS PORT CONNECTIONS SECONDS WARMUP-SECONDS
//
// Ends with 1 when anything but status 200 came.

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "base/strings.h"
#include "http_load.h"

namespace tintype::bench {
namespace {

double PercentileUs(const std::vector<uint32_t>& ascending, double part) {
  const auto index = static_cast<size_t>(static_cast<double>(ascending.size() - 1) * part);
  return ascending[index] / 1000.0;
}

int Main(const std::vector<std::string>& arguments) {
  if (arguments.size() != 5) {
    std::fprintf(stderr, "usage: see the top of bench/get.cc\n");
    return 2;
  }
  const LoadOptions options{
      .address = arguments[0],
      .port = static_cast<uint16_t>(std::strtoul(arguments[1].c_str(), nullptr, 10)),
      .connections = std::strtoul(arguments[2].c_str(), nullptr, 10),
      .seconds = std::strtod(arguments[3].c_str(), nullptr),
      .from_the_start = true,
      .warmup_seconds = std::strtod(arguments[4].c_str(), nullptr)};
  std::vector<std::string> requests;
  for (std::string target; std::getline(std::cin, target);) {
    requests.push_back(StrCat("GET ", target, " HTTP/1.1\r\nHost: ", arguments[0], "\r\n\r\n"));
  }
  const Result<LoadResult> result = RunLoad(requests, options);
  if (!result.ok() || result->errors > 0 || result->answered == 0) {
    std::fprintf(stderr, "%s\n",
                 result.ok() ? result->first_error.c_str() : result.error().message().c_str());
    return 1;
  }
  std::printf("{\"answered\": %zu, \"per_second\": %.1f, \"p50_us\": %.1f, \"p99_us\": %.1f}\n",
              result->answered, static_cast<double>(result->answered) / result->seconds,
              PercentileUs(result->latency_ns, 0.5), PercentileUs(result->latency_ns, 0.99));
  return 0;
}

}  // namespace
}  // namespace tintype::bench

int main(int argc, char** argv) { return tintype::bench::Main({argv + 1, argv + argc}); }
