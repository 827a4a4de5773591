#pragma once

namespace tintype::cli {

/// Notices SIGINT and SIGTERM while it exists, for a long command that is to end well: the command
/// asks now and then. A second signal ends the process as if this were not there. One at a time,
/// because signals are the process's.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  static bool requested();
};

}  // namespace tintype::cli
