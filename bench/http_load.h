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
  size_t answered = 0;               // Counted answers, at least one.
  double seconds = 0;                // From the end of the warm-up to the last counted answer.
  std::vector<uint32_t> latency_ns;  // Of each counted answer, ascending.

  double per_second() const { return static_cast<double>(answered) / seconds; }
  /// The latency that this part of the counted answers kept below, in microseconds.
  double PercentileUs(double part) const {
    return latency_ns[static_cast<size_t>(static_cast<double>(answered - 1) * part)] / 1000.0;
  }
};

/// Sends recorded requests over keep-alive connections, from one thread, as fast as they are
/// answered. Errors: kIo when a connection fails or an answer is no HTTP of a known length;
/// kInternal, with the first wrong answer, when any had another status than 200 or too short a
/// body; kValidation when there was nothing to send, or no answer after the warm-up.
Result<LoadResult> RunLoad(const std::vector<std::string>& recording, const LoadOptions& options);

}  // namespace tintype::bench
