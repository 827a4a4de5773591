#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "darkroom/internal/child_process.h"
#include "darkroom/internal/helper_process.h"
#include "darkroom/limits.h"

namespace tintype::darkroom {

/// The program that helpers run.
struct HelperProgram {
  std::string path;
  /// A library that it loads when it starts; empty for one that needs none by name.
  std::string library;
  bool sandbox = true;
};

/// The process that all helpers are forked from: their program, with its libraries loaded, that has
/// never seen a file (protocol/template.h). It starts in a process group of its own, with an empty
/// environment, in "/", with no descriptor of ours but the socket and standard error, which it
/// gives up before its first helper, and with the limits that hold for each of them.
///
/// Used by one thread, except for Abandon. Its kernel kills it, and every helper that came from it,
/// when that thread ends, however that comes about; helpers outlive it otherwise.
class TemplateProcess {
 public:
  /// Starts the program. `generation` is for its helpers to carry. Errors are of the kind
  /// kNotRunning.
  static Result<std::unique_ptr<TemplateProcess>> Start(const HelperProgram& program,
                                                        const Limits& limits, int64_t generation);

  /// Waits until it has loaded its libraries and said so. kNotRunning when it does not.
  Status AwaitReady();

  /// Forks a helper, which is not ready yet. Errors are of the failure kind kNotRunning: the
  /// template is of no more use then, unless the error is kCannotFork. One that it forked and died
  /// before it said so stays, ended, until we end.
  Result<std::unique_ptr<HelperProcess>> Fork();

  /// Makes a running AwaitReady or Fork fail soon, and those to come. Any thread.
  void Abandon();

  /// Whether it still waits for orders. It may have been killed.
  bool IsWaiting() const;
  pid_t pid() const { return process_.pid(); }

 private:
  TemplateProcess(pid_t pid, Descriptor channel, const Limits& limits, int64_t generation)
      : process_(pid), channel_(std::move(channel)), limits_(limits), generation_(generation) {}

  Status Limit() const;

  ChildProcess process_;
  Descriptor channel_;
  Limits limits_;
  int64_t generation_;
};

}  // namespace tintype::darkroom
