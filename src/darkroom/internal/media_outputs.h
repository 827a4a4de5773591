#pragma once

#include "base/result.h"
#include "darkroom/protocol/messages.h"

namespace tintype::darkroom {

/// That a file which a helper was given to write to has as many bytes as the helper says. Their
/// meaning is up to those who read them.
Status CheckOutputBytes(int output, int64_t bytes);

/// The same of the output of a request about films and sound, and that it begins as what the helper
/// says it is. REQUIRES: CheckReply(request, reply).ok(), IsMediaRequest(request), and the reply is
/// no Failure.
Status CheckMediaOutput(const Request& request, const Reply& reply);

/// The peaks that a helper has put into the output. REQUIRES: CheckMediaOutput says that it is
/// well.
Result<Waveform> ReadWaveform(int output, const MeasuredWaveform& measured);

}  // namespace tintype::darkroom
