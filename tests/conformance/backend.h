#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace tintype::conformance {

struct Answer {
  int status = 0;
  std::string body;
};

/// An endpoint to send cases to.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual Answer Call(std::string_view operation, std::string_view body) = 0;
  /// The path of the list of cases that it is known to fail (known_failures.h); empty if none.
  virtual std::string KnownFailures() const { return {}; }
};

/// Each test program links one implementation of this.
std::unique_ptr<Backend> StartBackend();

}  // namespace tintype::conformance
