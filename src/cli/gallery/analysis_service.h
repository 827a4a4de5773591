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
  /// `darkroom` is how the helpers for pictures are set up. Both outlive it.
  AnalysisService(const ServeConfig& config, const darkroom::Config& darkroom,
                  flows::Product& product, metrics::Registry& registry);
  ~AnalysisService() { Stop(); }
  AnalysisService(const AnalysisService&) = delete;
  AnalysisService& operator=(const AnalysisService&) = delete;

  const pipeline::Analyzers& analyzers() const { return analyzers_; }

  /// As Darkroom has them.
  void StartNoMore() { vision_.StartNoMore(); }
  void Stop() { vision_.Stop(); }

 private:
  models::ModelFiles models_;
  darkroom::Darkroom vision_;
  metrics::Registration helpers_;
  pipeline::Analyzers analyzers_;
};

}  // namespace tintype::cli
