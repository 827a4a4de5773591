#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "tables/language/values/value.h"

namespace tintype::contexts::analysis {

/// What can be looked for in a medium, by the names that `aiOptions` has: the document's first.
inline constexpr std::array<std::string_view, 9> kAiOptions = {"celeb",      "face",       "label",
                                                               "transcribe", "keyphrase",  "entity",
                                                               "sentiment",  "moderation", "text"};

/// What the owner of an upload wants to have looked for: everything unless they say otherwise.
class AiOptions {
 public:
  AiOptions() { wanted_.set(); }

  /// From a list such as `face,label`, from `all` or from `none`. Errors: kValidation, naming what
  /// is unknown.
  static Result<AiOptions> Parse(std::string_view text);
  /// From the map in a record. What it does not say is wanted, as it is by default.
  static AiOptions FromItem(tables::MapView item);

  /// REQUIRES: `name` is one of kAiOptions.
  bool Wants(std::string_view name) const;
  /// The text that Parse reads.
  std::string Text() const;
  tables::Item ToItem() const;

  bool operator==(const AiOptions&) const = default;

 private:
  std::bitset<kAiOptions.size()> wanted_;
};

}  // namespace tintype::contexts::analysis
