#pragma once

#include <vector>

#include "contexts/catalog/image.h"
#include "flows/media_keys.h"

namespace tintype::flows {

/// What is stored of a developed asset by its record, beside what there is of its edits.
std::vector<Size> StoredSizes(const contexts::catalog::Image& image);

}  // namespace tintype::flows
