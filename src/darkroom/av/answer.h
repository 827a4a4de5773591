#pragma once

#include <span>
#include <string_view>

#include "darkroom/protocol/messages.h"

namespace tintype::darkroom::av {

/// To be called once, before anything else of this room: has libav keep its words to itself, and
/// bounds what it takes at a time.
void StartLibraries();

/// Does what an order asks, with the descriptors that came along, which stay the caller's. Any
/// problem is answered as a Failure.
Reply AnswerOrder(std::string_view order, std::span<const int> descriptors);

}  // namespace tintype::darkroom::av
