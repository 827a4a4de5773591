#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "base/result.h"

namespace tintype::cli {

struct CommandLimits {
  std::chrono::milliseconds time_max{30'000};
  size_t output_bytes_max = 4096;
};

/// Runs a command with /bin/sh and returns what it wrote to standard output. Its standard input is
/// empty, its standard error ours. Errors: kIo when it cannot be started, ends with another code
/// than 0 or by a signal, or goes beyond a limit, whereupon it is killed with everything it started
/// in its process group. No error tells what it wrote, which may be a secret.
Result<std::string> RunCommand(const std::string& command, const CommandLimits& limits);

}  // namespace tintype::cli
