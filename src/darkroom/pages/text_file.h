#pragma once

#include "base/result.h"
#include "darkroom/limits.h"
#include "darkroom/pages/text_drawing.h"
#include "darkroom/requests.h"

namespace tintype::darkroom::pages {

/// What of a text file is looked at; of a longer one the rest is left out.
inline constexpr int64_t kTextFileBytesMax = int64_t{16} << 20;

// The three orders for plain text and Markdown, which is shown as it is written.
Result<DocumentProbe> ProbeTextFile(const ProbeDocumentRequest& request);
Result<DocumentPage> DrawTextFile(const DocumentPageRequest& request, const PixelLimits& limits,
                                  TextDrawing& drawing);
Result<DocumentText> ReadTextFile(const DocumentTextRequest& request);

}  // namespace tintype::darkroom::pages
