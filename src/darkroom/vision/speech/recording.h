#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace tintype::darkroom::vision {

/// The samples in a file, of which only what is asked for is in memory.
class Recording {
 public:
  /// `file` stays open as long as this object is there. Errors: kNotAnImage of this room's
  /// failures.
  static Result<Recording> Open(int file);

  int64_t samples() const { return samples_; }
  /// From one sample on; fewer at the end. Errors: the file cannot be read.
  Result<std::vector<int16_t>> Read(int64_t from, int64_t count) const;

 private:
  Recording(int file, int64_t samples) : file_(file), samples_(samples) {}
  int file_;
  int64_t samples_;
};

/// Where something can be heard at first, in samples: at a piece of 20 milliseconds that is no
/// silence. As many as there are if nothing can.
int64_t FirstAudible(std::span<const int16_t> samples);

}  // namespace tintype::darkroom::vision
