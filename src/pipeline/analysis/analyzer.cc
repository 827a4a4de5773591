#include "pipeline/analysis/analyzer.h"

#include <algorithm>

namespace tintype::pipeline {

const Analyzer* Analyzers::Find(std::string_view kind) const {
  const auto found = std::ranges::find(all_, kind, &Analyzer::kind);
  return found == all_.end() ? nullptr : &*found;
}

std::optional<std::string> Analyzers::WhyUnavailable(std::string_view kind) const {
  const Analyzer* const analyzer = Find(kind);
  return analyzer == nullptr ? "This installation has no model for it." : analyzer->unavailable();
}

}  // namespace tintype::pipeline
