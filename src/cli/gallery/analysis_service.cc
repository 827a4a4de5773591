#include "cli/gallery/analysis_service.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/gallery/program_folder.h"
#include "darkroom/darkroom_metrics.h"
#include "pipeline/analysis/entity_analyzer.h"
#include "pipeline/analysis/key_phrase_analyzer.h"
#include "pipeline/analysis/label_analyzer.h"
#include "pipeline/analysis/moderation_analyzer.h"
#include "pipeline/analysis/sentiment_analyzer.h"
#include "pipeline/analysis/speech_analyzer.h"
#include "pipeline/analysis/text_analyzer.h"
#include "pipeline/analysis/vision_models.h"

namespace tintype::cli {
namespace {

darkroom::Config VisionConfig(const darkroom::Config& imaging, const models::ModelFiles& models) {
  darkroom::Config vision = imaging;
  vision.name = "vision helper";
  vision.helper_path = (ProgramFolder() / "tintype-vision").string();
  vision.library_path = models.PathOf(pipeline::kRuntimeLibrary);
  // Models stay with a helper while it works for an account; several helpers would each have them.
  vision.processes_max = 1;
  vision.idle_max = 1;
  vision.resident_bytes_max = int64_t{512} << 20;
  vision.limits.address_space_bytes =
      std::max(imaging.limits.address_space_bytes, int64_t{1536} << 20);
  return vision;
}

darkroom::Config HearingConfig(darkroom::Config vision) {
  vision.name = "speech helper";
  // Speech takes 0.9 GB, and address space beside that.
  vision.limits.address_space_bytes =
      std::max(vision.limits.address_space_bytes, int64_t{1792} << 20);
  return vision;
}

}  // namespace

std::string ModelsFolder(const std::string& named) {
  if (!named.empty()) {
    return std::filesystem::absolute(named).string();
  }
  const std::filesystem::path beside = ProgramFolder() / "models";
  std::error_code ignored;
  return (std::filesystem::is_directory(beside, ignored) ? beside
                                                         : ProgramFolder().parent_path() / "models")
      .string();
}

AnalysisService::AnalysisService(const ServeConfig& config, const darkroom::Config& darkroom,
                                 darkroom::Darkroom& av, flows::Product& product,
                                 metrics::Registry& registry)
    : models_(ModelsFolder(config.models_dir)),
      vision_(VisionConfig(darkroom, models_)),
      hearing_(HearingConfig(VisionConfig(darkroom, models_))),
      vision_metrics_(darkroom::CollectHelpers(registry, "analyse", vision_)),
      hearing_metrics_(darkroom::CollectHelpers(registry, "speech", hearing_)),
      analyzers_({pipeline::LabelAnalyzer(product, vision_, models_),
                  pipeline::ModerationAnalyzer(product, vision_, models_),
                  pipeline::TextAnalyzer(product, vision_, models_),
                  pipeline::SpeechAnalyzer(product, av, hearing_, models_),
                  pipeline::KeyPhraseAnalyzer(product), pipeline::EntityAnalyzer(product),
                  pipeline::SentimentAnalyzer(product, models_)}) {}

void AnalysisService::StartNoMore() {
  vision_.StartNoMore();
  hearing_.StartNoMore();
}

void AnalysisService::Stop() {
  vision_.Stop();
  hearing_.Stop();
}

}  // namespace tintype::cli
