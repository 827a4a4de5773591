#pragma once

#include "base/result.h"
#include "darkroom/limits.h"
#include "darkroom/requests.h"

namespace tintype::darkroom::pages {

/// Has poppler set up, with the tables that it reads, and draws a page with all the fonts that it
/// looks for by itself: what libraries put off until they are used is done before a helper is
/// forked. Keeps poppler's files and fonts (KeptFiles), and seals them. Once, by the template.
void StartPoppler();

// The three orders for PDF. Errors: kNotAnImage for what is no PDF, kUnsupportedType for one that
// needs a password, kCorrupt for one without pages.
Result<DocumentProbe> ProbePdf(const ProbeDocumentRequest& request);
Result<DocumentPage> DrawPdf(const DocumentPageRequest& request, const PixelLimits& limits);
Result<DocumentText> ReadPdf(const DocumentTextRequest& request);

}  // namespace tintype::darkroom::pages
