#pragma once

#include <string>
#include <string_view>

#include "darkroom/darkroom.h"
#include "flows/product.h"
#include "models/model_files.h"
#include "pipeline/analysis/analyzer.h"

namespace tintype::pipeline {

/// What is said in videos and sounds, by Whisper, in the shape of Amazon Transcribe's results, and
/// beside it as WebVTT: `transcribe`. It takes the larger of its two models where that is there.
/// All of them must outlive it; `av` decodes the sound and `vision` hears.
Analyzer SpeechAnalyzer(flows::Product& product, darkroom::Darkroom& av, darkroom::Darkroom& vision,
                        models::ModelFiles& models);

/// The results in that shape. `model` is what heard it.
std::string TranscribeJson(const darkroom::Transcript& transcript, std::string_view job,
                           std::string_view model);
/// The same for the players of browsers.
std::string WebVtt(const darkroom::Transcript& transcript);
/// What the record says of it.
tables::Item TranscribeDetails(const darkroom::Transcript& transcript, std::string_view job);

/// A language as Amazon Transcribe names it, `ko-KR` of `ko`; those that it does not have as they
/// are.
std::string LocaleOf(std::string_view language);

}  // namespace tintype::pipeline
