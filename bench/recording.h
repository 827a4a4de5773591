#pragma once

#include <string>
#include <vector>

#include "workload.h"

namespace tintype::bench {

struct RecordingOptions {
  std::string host;  // HOST:PORT, as in the Host header.
  std::string access_key_id;
  std::string secret;
};

/// The bytes of signed HTTP requests, one per call, so that the clock measures the server and not
/// the signing. They are valid for as long as the server lets clocks differ: send them within
/// minutes.
std::vector<std::string> Record(const std::vector<Call>& calls, const RecordingOptions& options);

}  // namespace tintype::bench
