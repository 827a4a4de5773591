#include "access/policy/internal/pattern_set.h"

#include <algorithm>

namespace tintype::access::internal {
namespace {

bool ShorterOrLess(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

void PatternSet::Add(Pattern pattern) {
  if (pattern.matches_all()) {
    all_ = true;
  } else if (pattern.literal() != nullptr && !pattern.ignores_case()) {
    const std::string& text = *pattern.literal();
    literals_.insert(std::upper_bound(literals_.begin(), literals_.end(), text, ShorterOrLess),
                     text);
  } else {
    patterns_.push_back(std::move(pattern));
  }
}

bool PatternSet::Matches(std::string_view text, RequestValues& values) const {
  return all_ || std::binary_search(literals_.begin(), literals_.end(), text, ShorterOrLess) ||
         std::ranges::any_of(patterns_,
                             [&](const Pattern& pattern) { return pattern.Matches(text, values); });
}

bool PatternSet::LacksValue(RequestValues& values) const {
  return std::ranges::any_of(patterns_,
                             [&](const Pattern& pattern) { return pattern.LacksValue(values); });
}

void PatternSet::AddKeys(uint32_t& keys) const {
  for (const Pattern& pattern : patterns_) {
    pattern.AddKeys(keys);
  }
}

}  // namespace tintype::access::internal
