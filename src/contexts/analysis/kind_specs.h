#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contexts/analysis/ai_options.h"
#include "contexts/analysis/kinds.h"

/// The kinds of analysis that there are, whoever does them.
namespace tintype::contexts::analysis {

struct KindSpec {
  std::vector<std::string> path;  // As in KindResult.
  std::string_view option;        // Of kAiOptions, by which it is turned off; empty: by none.
  std::vector<std::string_view> media_types;  // As MediaTypeOf has them.
  /// The name of the kind whose result it reads, and whose end it waits for; empty: none.
  std::string_view reads = {};
};

/// All of them, in the order of the record.
const std::vector<KindSpec>& KindSpecs();
/// What the darkroom finds while it develops an image.
inline constexpr std::string_view kImageProperties = "image.properties";

/// Whether a kind still has to wait for the end of the one that it reads, in a record with `kinds`.
/// One that has failed, or was skipped, has ended, and so has one that the record does not have.
bool Waits(const KindResult& kind, const std::vector<KindResult>& kinds);
/// The kinds of a record that read the one of that name.
std::vector<KindResult> ReadersOf(std::string_view name, const std::vector<KindResult>& kinds);

/// Why this installation cannot look for a kind, by its name; nothing if it can.
using WhyUnavailable = std::function<std::optional<std::string>(const std::string& name)>;

/// Every kind for a medium of that type: not started, or skipped with the reason. The reasons are
/// those of the errata: the type does not have it, `aiOptions` turned it off, or `unavailable` says
/// why there is no model for it.
std::vector<KindResult> PlanKinds(std::string_view media_type, const AiOptions& options,
                                  const WhyUnavailable& unavailable);

}  // namespace tintype::contexts::analysis
