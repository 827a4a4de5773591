#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/error.h"
#include "base/result.h"

namespace tintype::darkroom {

/// The descriptor on which a helper program talks to the server.
inline constexpr int kHelperChannel = 3;
/// The arguments that a helper program may have: its helpers enter no sandbox; a library that it
/// loads first, by its path behind this.
inline constexpr char kWithoutSandbox[] = "--no-sandbox";
inline constexpr char kWithLibrary[] = "--library=";
struct HelperArguments {
  bool sandbox = true;
  std::string library;
};
HelperArguments ReadHelperArguments(int argc, char** argv);
/// What `ps -o comm` shows for a template, and for the helpers that it forks. At most 15 bytes.
inline constexpr char kTemplateName[] = "helper-template";
inline constexpr char kHelperName[] = "tintype-darkroo";

/// Makes the process that the server started its template: it says that it is ready, and from then
/// on forks a helper for whoever asks. Returns in each helper, whose channel is kHelperChannel, and
/// never in the template, which ends with the server.
///
/// A template has loaded its libraries, which is what takes time, and has seen no file: all that
/// helpers have in common is what was in memory before the first of them. They are not its children
/// but its siblings, so the server learns how they end, and they outlive it.
///
/// The process has one thread, or says that it has more and ends: helpers are forked without the
/// C library, so a lock that another thread holds at that moment would stay locked in them.
void BecomeTemplate();

/// The template is well, but there is no room for another process just now.
inline constexpr Reason kCannotFork{ErrorKind::kUnavailable, "CannotFork"};

/// Has the template at the other end of `channel` fork a helper that talks over `helper_end`, which
/// stays the caller's. Waits until `deadline_ms` of SteadyNowMs. The result is a child of this
/// process. kIo or kLimitExceeded when the template is of no more use; kCannotFork.
Result<pid_t> AskTemplate(int channel, int helper_end, int64_t deadline_ms);

}  // namespace tintype::darkroom
