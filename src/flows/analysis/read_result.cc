#include "flows/analysis/read_result.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

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

std::string KeyOf(std::string_view id, MadeFile which) {
  switch (which) {
    case MadeFile::kWaveform:
      return WaveformKey(id);
    case MadeFile::kText:
      return TextKey(id);
    case MadeFile::kCaptions:
      break;
  }
  return CaptionsKey(id);
}

Result<std::string> ReadWhole(const Uses<ConfigPart, BlobsPart>& parts, std::string key) {
  const blobs::BlobKey blob_key{parts.config.images_bucket, std::move(key)};
  ASSIGN_OR_RETURN(const auto blob, parts.blobs.Open(blob_key));
  if (blob->bytes() > kResultBytesMax) {
    return Error::Corruption(StrCat(blob_key.key, " is larger than any result."));
  }
  std::string bytes(static_cast<size_t>(blob->bytes()), '\0');
  ASSIGN_OR_RETURN(const size_t read, blob->Read(0, std::span<char>(bytes)));
  bytes.resize(read);
  return bytes;
}

}  // namespace

Result<std::string> ReadMadeFile(const Uses<ConfigPart, BlobsPart>& parts, std::string_view id,
                                 MadeFile which) {
  Result<std::string> bytes = ReadWhole(parts, KeyOf(id, which));
  if (!bytes.ok() && bytes.error().kind() == ErrorKind::kNotFound) {
    return Error::NotFound("There is no such file of this medium.");
  }
  return bytes;
}

Result<std::string> ReadDocumentPage(const Uses<ConfigPart, BlobsPart>& parts, std::string_view id,
                                     int64_t page) {
  const Error missing =
      Error::NotFound(StrCat("There is no picture of that page. Of a document at most ",
                             kStoredPagesMax, " pages have one, the first is 1."));
  if (page < 1 || page > kStoredPagesMax) {
    return missing;
  }
  Result<std::string> bytes = ReadWhole(parts, PageKey(id, page));
  return !bytes.ok() && bytes.error().kind() == ErrorKind::kNotFound ? missing : bytes;
}

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
  return ReadWhole(parts, AnalysisKey(id, kind));
}

}  // namespace tintype::flows
