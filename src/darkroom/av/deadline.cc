#include "darkroom/av/deadline.h"

#include <algorithm>

#include "darkroom/av/libav.h"
#include "darkroom/protocol/channel.h"

namespace tintype::darkroom::av {

Deadline::Deadline(int64_t wall_ms)
    : at_ms_(SteadyNowMs() + wall_ms - std::min<int64_t>(wall_ms / 5, 2'000)) {}

bool Deadline::has_passed() const { return SteadyNowMs() > at_ms_; }

Status Deadline::Check() const { return has_passed() ? Status(OutOfTime()) : OkStatus(); }

}  // namespace tintype::darkroom::av
