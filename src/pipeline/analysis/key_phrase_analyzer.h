#pragma once

#include "flows/product.h"
#include "pipeline/analysis/analyzer.h"

namespace tintype::pipeline {

/// What the text of a medium is about, in the shape of Comprehend's DetectKeyPhrases:
/// `comprehend.keyphrase`. Without a text there are none. `product` must outlive it.
Analyzer KeyPhraseAnalyzer(flows::Product& product);

}  // namespace tintype::pipeline
