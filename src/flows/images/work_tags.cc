#include "flows/images/work_tags.h"

#include <algorithm>
#include <string_view>

#include "base/strings.h"

namespace tintype::flows {
namespace {

// One entry of the input per tag, because a tag may hold any separator.
constexpr std::string_view kTagPrefix = "tag#";

}  // namespace

void AddWorkTags(contexts::backlog::Work& work, const std::vector<std::string>& tags) {
  std::vector<std::string> known = WorkTags(work);
  for (const std::string& tag : tags) {
    if (known.size() < kWorkTagsMax && std::ranges::find(known, tag) == known.end()) {
      work.input.emplace(StrCat(kTagPrefix, known.size()), tag);
      known.push_back(tag);
    }
  }
}

std::vector<std::string> WorkTags(const contexts::backlog::Work& work) {
  std::vector<std::string> tags;
  for (const auto& [name, text] : work.input) {
    if (name.starts_with(kTagPrefix)) {
      tags.push_back(text);
    }
  }
  return tags;
}

}  // namespace tintype::flows
