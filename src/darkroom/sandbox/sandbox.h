#pragma once

#include "base/result.h"

namespace tintype::darkroom {

/// Leaves this process what decoding needs, and nothing else: memory, threads, clocks, the
/// descriptors that it has and those that come over `channel`. From then on the kernel refuses
/// every file by its name, and kills the process for a socket, another program or process, a
/// signal to anyone else, or any other system call that is not on the list in sandbox.cc.
///
/// It cannot be undone, and holds for all threads, those that run already included. Anything that
/// loads libraries or reads settings has to do so before.
///
/// Fails with kUnavailable, and a message that says why, where the kernel offers no such thing, and
/// in sanitizer builds, whose reports need what would be refused. The process is then as it was.
Status EnterSandbox(int channel);

}  // namespace tintype::darkroom
