#include "views/records.h"

#include <optional>
#include <utility>

#include "views/images.h"

namespace tintype::views {
namespace {

Result<tables::Item> Present(Result<std::optional<tables::Item>> record) {
  ASSIGN_OR_RETURN(std::optional<tables::Item> item, std::move(record));
  if (!item) {
    return Error::NotFound("There is no such record yet.");
  }
  return *std::move(item);
}

}  // namespace

Result<tables::Item> FindMediaRecord(const Sources& sources, const Viewer& viewer,
                                     std::string_view id) {
  RETURN_IF_ERROR(CheckOwnImage(sources, viewer, id));
  return Present(sources.analysis.FindIngest(id));
}

Result<tables::Item> FindAnalysisRecord(const Sources& sources, const Viewer& viewer,
                                        std::string_view id) {
  RETURN_IF_ERROR(CheckOwnImage(sources, viewer, id));
  return Present(sources.analysis.FindAnalysis(id));
}

}  // namespace tintype::views
