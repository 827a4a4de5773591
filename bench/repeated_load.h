#pragma once

#include <span>
#include <string>
#include <vector>

#include "http_load.h"

/// What the programs share that send the same few requests again and again (get.cc, lists.cc).
namespace tintype::bench {

/// From ADDRESS PORT CONNECTIONS SECONDS WARMUP-SECONDS. REQUIRES: that many arguments.
LoadOptions RepeatedLoad(std::span<const std::string> arguments);

/// The lines of standard input.
std::vector<std::string> LinesOfInput();

/// Sends the requests and prints what was measured as one line of JSON, or what went wrong. Returns
/// the program's exit code.
int PrintRepeatedLoad(const std::vector<std::string>& requests, const LoadOptions& options);

}  // namespace tintype::bench
