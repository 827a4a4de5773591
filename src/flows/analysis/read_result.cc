#include "flows/analysis/read_result.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/strings.h"
#include "blobs/blob_store.h"
#include "contexts/analysis/analysis.h"
#include "contexts/analysis/kind_specs.h"
#include "flows/config.h"
#include "flows/media_keys.h"

namespace tintype::flows {
namespace {

using contexts::analysis::KindResult;
using contexts::analysis::MediaStatus;

constexpr uint64_t kResultBytesMax = uint64_t{32} << 20;

bool IsKnown(std::string_view kind) {
  return std::ranges::any_of(contexts::analysis::KindSpecs(), [&](const auto& spec) {
    KindResult result;
    result.path = spec.path;
    return NameOf(result) == kind;
  });
}

}  // namespace

Result<std::string> ReadAnalysisResult(const Uses<ConfigPart, BlobsPart, AnalysisPart>& parts,
                                       std::string_view id, std::string_view kind) {
  ASSIGN_OR_RETURN(const auto record, parts.analysis.FindKinds(id));
  // Other programs may have written kinds of their own, under any names.
  const bool is_there =
      record && IsKnown(kind) && std::ranges::any_of(record->kinds, [&](const KindResult& each) {
        return each.status == MediaStatus::kCompleted && NameOf(each) == kind;
      });
  if (!is_there) {
    return Error::NotFound("There is no result of this kind of analysis.");
  }
  // By its own key, whatever the record says: whoever can write that cannot have other files read.
  const blobs::BlobKey key{parts.config.images_bucket, AnalysisKey(id, kind)};
  ASSIGN_OR_RETURN(const auto blob, parts.blobs.Open(key));
  if (blob->bytes() > kResultBytesMax) {
    return Error::Corruption(StrCat(key.key, " is larger than any result."));
  }
  std::string json(static_cast<size_t>(blob->bytes()), '\0');
  ASSIGN_OR_RETURN(const size_t read, blob->Read(0, std::span<char>(json)));
  json.resize(read);
  return json;
}

}  // namespace tintype::flows
