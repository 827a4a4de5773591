#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/catalog/image.h"
#include "tables/language/values/value.h"

namespace tintype::pipeline {

/// What an analyzer found in a medium.
struct KindFinding {
  /// The blob that the record points at.
  std::string json;
  /// What the record itself says of it, such as `languageCode`.
  tables::Item details = {};
  /// Why there is nothing to be found in this medium, such as a language that the analyzer does not
  /// know: then the kind is skipped.
  std::optional<std::string> skipped = {};
};

/// Finds one kind of thing in media. There is a file for each.
struct Analyzer {
  /// As contexts::analysis::NameOf has it: `rekognition.label`.
  std::string kind;
  /// Why it cannot be done here, and what would change that; nothing if it can.
  std::function<std::optional<std::string>()> unavailable;
  /// What it takes for a medium at most, by estimate.
  std::function<std::chrono::milliseconds(const contexts::catalog::Image& image)> cost;
  /// Blocks. May be repeated. Errors: darkroom::IsPermanent tells whether another attempt makes
  /// sense; kNotFound when the medium was deleted meanwhile.
  std::function<Result<KindFinding>(const contexts::catalog::Image& image)> run;
};

/// All analyzers of this server. Immutable; thread-safe.
class Analyzers {
 public:
  explicit Analyzers(std::vector<Analyzer> all) : all_(std::move(all)) {}

  /// Null when there is none for that kind.
  const Analyzer* Find(std::string_view kind) const;
  /// Why this server cannot look for a kind; nothing if it can.
  std::optional<std::string> WhyUnavailable(std::string_view kind) const;

 private:
  std::vector<Analyzer> all_;
};

}  // namespace tintype::pipeline
