#pragma once

#include <span>
#include <string_view>

#include "darkroom/pages/text_drawing.h"
#include "darkroom/protocol/messages.h"

namespace tintype::darkroom::pages {

/// Carries out an order; the descriptors stay the caller's.
Reply AnswerOrder(std::string_view bytes, std::span<const int> descriptors, TextDrawing& drawing);

}  // namespace tintype::darkroom::pages
