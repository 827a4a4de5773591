#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/descriptor.h"

namespace tintype::http::rest {

/// A bound on the memory that the bytes of media take which lie nowhere as they are sent: those
/// that are kept ready and those on their way to clients. Thread-safe.
class MediaMemory {
 public:
  explicit MediaMemory(uint64_t bytes_max);

  uint64_t bytes_max() const { return bytes_max_; }
  uint64_t bytes_used() const { return *used_; }

  /// A part of it, which goes back when nobody has it any more. Null when there is not so much
  /// left.
  using Part = std::shared_ptr<const void>;
  Part Take(uint64_t bytes);

  /// The file with the part that it takes, both for as long as anybody has the file.
  static std::shared_ptr<const Descriptor> Hold(std::shared_ptr<const Descriptor> file, Part part);

 private:
  const uint64_t bytes_max_;
  const std::shared_ptr<std::atomic<uint64_t>> used_;  // Shared with the parts, which outlive it.
};

}  // namespace tintype::http::rest
