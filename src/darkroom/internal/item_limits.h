#pragma once

#include "darkroom/limits.h"
#include "darkroom/protocol/messages.h"

namespace tintype::darkroom {

/// How long an item may take, given what items usually may. Most take no longer for a larger file;
/// of films and speech there may be hours.
ItemTime TimeFor(const Limits& usual, const Request& request);

}  // namespace tintype::darkroom
