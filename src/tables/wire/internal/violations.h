#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tintype::tables::wire {

/// Collects broken constraints into the one message in which DynamoDB reports them. Not
/// thread-safe.
class Violations {
 public:
  /// `value` is already quoted, or `null`, or empty to leave it out.
  void Add(std::string_view value, std::string_view path, std::string_view constraint);

  bool empty() const { return lines_.empty(); }
  /// DynamoDB stops counting at ten.
  bool full() const { return lines_.size() >= 10; }
  /// OK, or "2 validation errors detected: ...; ...".
  Status ToStatus() const;

 private:
  std::vector<std::string> lines_;
};

/// A message in the words in which one broken constraint is reported. Since 2026, DynamoDB reports
/// more than constraints in this way.
std::string AsOneViolation(std::string_view message);

}  // namespace tintype::tables::wire
