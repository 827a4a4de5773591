#pragma once

#include <csignal>

namespace tintype::cli {

/// Turns SIGINT and SIGTERM into something a thread can wait for, instead of a handler that may do
/// next to nothing. Also ignores SIGPIPE: a client that hangs up is an error code of a write; and
/// stops ignoring SIGCHLD, should a parent have made it so.
///
/// REQUIRES: made before any other thread, which then all inherit the blocked signals. One per
/// process.
class StopSignal {
 public:
  StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// Blocks until one of the signals comes, and returns which. From then on the next one ends the
  /// process at once, with exit code 128 + its number.
  int Wait();

 private:
  sigset_t signals_;
};

}  // namespace tintype::cli
