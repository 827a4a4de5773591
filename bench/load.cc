// Runs one workload against a DynamoDB endpoint and prints what it measured as one line of JSON.
// bench/tables calls it.
//
//   bench_load ADDRESS PORT ACCESS-KEY-ID SECRET WORKLOAD CONNECTIONS ITEMS CALLS SECONDS
//   WARMUP-SECONDS SEED
//
// Ends with 1 when anything but a good answer came.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/strings.h"
#include "http_load.h"
#include "recording.h"
#include "workload.h"

namespace tintype::bench {
namespace {

int Main(const std::vector<std::string>& arguments) {
  if (arguments.size() != 11) {
    std::fprintf(stderr, "usage: see the top of bench/load.cc\n");
    return 2;
  }
  const auto number = [&arguments](size_t i) {
    return static_cast<size_t>(std::strtoull(arguments[i].c_str(), nullptr, 10));
  };
  const WorkloadOptions workload{
      .name = arguments[4], .items = number(6), .calls = number(7), .seed = number(10)};
  const LoadOptions options{.address = arguments[0],
                            .port = static_cast<uint16_t>(number(1)),
                            .connections = number(5),
                            .seconds = std::strtod(arguments[8].c_str(), nullptr),
                            .warmup_seconds = std::strtod(arguments[9].c_str(), nullptr),
                            .response_bytes_min = ResponseBytesMin(workload.name)};
  const std::vector<std::string> recording =
      Record(MakeCalls(workload), {.host = StrCat(arguments[0], ":", arguments[1]),
                                   .access_key_id = arguments[2],
                                   .secret = arguments[3]});
  const Result<LoadResult> result = RunLoad(recording, options);
  if (!result.ok()) {
    std::fprintf(stderr, "%s\n", result.error().message().c_str());
    return 1;
  }
  std::printf(
      "{\"sent\": %zu, \"seconds\": %.3f, \"ops_per_second\": %.0f, \"p50_us\": %.1f, "
      "\"p99_us\": %.1f}\n",
      result->sent, result->seconds, result->per_second(), result->PercentileUs(0.5),
      result->PercentileUs(0.99));
  return 0;
}

}  // namespace
}  // namespace tintype::bench

int main(int argc, char** argv) { return tintype::bench::Main({argv + 1, argv + argc}); }
