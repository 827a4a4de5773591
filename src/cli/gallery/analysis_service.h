#pragma once

#include <memory>
#include <string>

#include "cli/settings/config.h"
#include "darkroom/darkroom.h"
#include "flows/product.h"
#include "metrics/registry.h"
#include "models/model_files.h"
#include "pipeline/analysis/analyzer.h"

namespace tintype::cli {

/// The folder with the models: the one that is named, or the one beside this program, or beside
/// its folder.
std::string ModelsFolder(const std::string& named);

/// What finds things in media: the models that are here, the helpers that run them, and the
/// analyzers, one for each kind. No helper is started before there is work.
class AnalysisService {
 public:
  /// `darkroom` is how the helpers for pictures are set up; `av` are those for sound. All of them
  /// outlive it.
  AnalysisService(const ServeConfig& config, const darkroom::Config& darkroom,
                  darkroom::Darkroom& av, flows::Product& product, metrics::Registry& registry);
  ~AnalysisService() { Stop(); }
  AnalysisService(const AnalysisService&) = delete;
  AnalysisService& operator=(const AnalysisService&) = delete;

  const pipeline::Analyzers& analyzers() const { return analyzers_; }

  /// As Darkroom has them.
  void StartNoMore();
  void Stop();

 private:
  models::ModelFiles models_;
  darkroom::Darkroom vision_;
  // The same program for speech alone, an hour of which takes minutes: pictures do not wait for it.
  darkroom::Darkroom hearing_;
  metrics::Registration vision_metrics_;
  metrics::Registration hearing_metrics_;
  pipeline::Analyzers analyzers_;
};

}  // namespace tintype::cli
