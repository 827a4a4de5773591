#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace tintype::bench {

struct LoadOptions {
  std::string address;  // IPv4.
  uint16_t port = 0;
  size_t connections = 1;  // Each has one request under way at a time.
  double seconds = 0;      // Stops then, or when the recording is at its end. 0: only the latter.
  bool from_the_start = false;  // Goes on at the recording's beginning when it is at its end.
  double warmup_seconds = 0;    // Answers before that are not counted, but must be right too.
  size_t response_bytes_min = 0;
};

struct LoadResult {
  size_t sent = 0;                   // Requests in all, the warm-up's included.
  size_t answered = 0;               // Counted answers.
  size_t errors = 0;                 // Any status but 200, or too short a body.
  std::string first_error;           // What the first of them said.
  double seconds = 0;                // From the end of the warm-up to the last counted answer.
  std::vector<uint32_t> latency_ns;  // Of each counted answer, ascending.
};

/// Sends recorded requests over keep-alive connections, from one thread, as fast as they are
/// answered. Errors: kIo when a connection fails or the answer is no HTTP of a known length.
Result<LoadResult> RunLoad(const std::vector<std::string>& recording, const LoadOptions& options);

}  // namespace tintype::bench
