#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace tintype::cli {

struct BenchEngineConfig {
  /// Where a scratch directory is made, and removed again.
  std::string scratch;
  /// Loaded before anything is measured.
  size_t items = 100'000;
  /// Under a random master key.
  bool encryption = true;
  bool json = false;
};

/// Measures the embedded engine alone, without HTTP: loads a table of images with one index, then
/// times reads and durable writes from one thread, and prints microseconds per operation.
Status BenchEngine(const BenchEngineConfig& config);

}  // namespace tintype::cli
