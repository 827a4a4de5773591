#pragma once

#include <string>
#include <vector>

#include "contexts/backlog/work.h"

/// Tags that an image had, as the input of work: once a record is changed or gone, only the work
/// knows which postings may be left of it.
namespace tintype::flows {

/// As many as keep the item far from what a table takes, however often a record is changed before
/// the work is done.
inline constexpr size_t kWorkTagsMax = 500;

/// Adds those that are not there yet, up to kWorkTagsMax in all. REQUIRES: they have postings
/// (PostedTags).
void AddWorkTags(contexts::backlog::Work& work, const std::vector<std::string>& tags);

std::vector<std::string> WorkTags(const contexts::backlog::Work& work);

}  // namespace tintype::flows
