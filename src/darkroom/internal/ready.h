#pragma once

#include "base/result.h"
#include "darkroom/internal/child_process.h"
#include "darkroom/protocol/messages.h"

namespace tintype::darkroom {

/// Waits until a template or a helper has said at the other end of `channel` that it can begin. If
/// it does not, it is ended. Errors are of the kind kNotRunning.
Result<Ready> AwaitReady(ChildProcess& process, int channel);

/// Whether the other end of `channel` is open and has said nothing.
bool IsQuiet(int channel);

}  // namespace tintype::darkroom
