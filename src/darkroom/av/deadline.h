#pragma once

#include <cstdint>

#include "base/result.h"

namespace tintype::darkroom::av {

/// When an order has to be done. The server ends helpers that take longer; one that notices by
/// itself lives on. Asked at every read, every packet and every picture, since libav has loops of
/// its own.
class Deadline {
 public:
  /// `wall_ms` is what the server waits; a part of that is left for the answer.
  explicit Deadline(int64_t wall_ms);

  bool has_passed() const;
  /// kOutOfTime when it has passed.
  Status Check() const;

 private:
  int64_t at_ms_;
};

}  // namespace tintype::darkroom::av
