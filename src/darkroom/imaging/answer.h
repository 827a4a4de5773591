#pragma once

#include <span>
#include <string_view>

#include "darkroom/protocol/messages.h"

namespace tintype::darkroom {

/// To be called once, before anything else of this room: starts libvips with every loader that is
/// not meant for files from strangers switched off, and has all libraries keep their warnings to
/// themselves. False when libvips does not start.
bool StartLibraries();

/// Does what an order asks, with the descriptors that came along, which stay the caller's. Any
/// problem is answered as a Failure.
Reply AnswerOrder(std::string_view order, std::span<const int> descriptors);

}  // namespace tintype::darkroom
