#pragma once

#include <string_view>

#include "base/result.h"
#include "tables/language/values/value.h"
#include "views/sources.h"

/// The records of Media2Cloud about one of the viewer's images, as the tables have them.
namespace tintype::views {

// Errors: kNotFound when the image is gone, in the trash or another's, or the record is not there.
Result<tables::Item> FindMediaRecord(const Sources& sources, const Viewer& viewer,
                                     std::string_view id);
Result<tables::Item> FindAnalysisRecord(const Sources& sources, const Viewer& viewer,
                                        std::string_view id);

}  // namespace tintype::views
