#include "pipeline/analysis/entity_analyzer.h"

#include "pipeline/analysis/source_text.h"
#include "words/comprehend_json.h"
#include "words/entities.h"

namespace tintype::pipeline {

using contexts::catalog::Image;

Analyzer EntityAnalyzer(flows::Product& product) {
  Analyzer analyzer;
  analyzer.kind = "comprehend.entity";
  analyzer.unavailable = [] { return std::optional<std::string>(); };
  // The longest text takes a second at worst, and twice that on a busy machine.
  analyzer.cost = [](const Image& /*image*/) { return std::chrono::milliseconds(2'000); };
  analyzer.run = [&product](const Image& image) -> Result<KindFinding> {
    ASSIGN_OR_RETURN(const SourceText source, ReadSourceText(product, image));
    return KindFinding{
        words::EntitiesJson(words::FindEntities(source.text, source.language), source.language)};
  };
  return analyzer;
}

}  // namespace tintype::pipeline
