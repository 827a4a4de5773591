#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "contexts/analysis/analysis.h"
#include "contexts/common/item.h"
#include "contexts/common/media_type.h"
#include "flows/config.h"
#include "flows/media_keys.h"
#include "flows/scrub/image_check.h"

/// The ingest and the analysis record of an image.
///
/// Faces are not looked at: nothing writes them yet.
namespace tintype::flows::scrub {
namespace {

using contexts::ItemReader;
using contexts::analysis::KindResult;
using contexts::analysis::MediaStatus;
using contexts::catalog::ProcessingStatus;

/// Notes an attribute that is not what it should be.
void CompareText(Inspection& at, std::string_view name, std::string_view text,
                 std::string_view expected) {
  if (text != expected) {
    at.FindDiffering(StrCat(name, " (", text, ", should be ", expected, ")"), at.RebuildIt());
  }
}
void CompareNumber(Inspection& at, std::string_view name, int64_t number, int64_t expected) {
  CompareText(at, name, StrCat(number), StrCat(expected));
}

/// The blob that `s3://bucket/key` names must be there.
Status NeedOutput(Inspection& at, const std::string& output) {
  constexpr std::string_view kScheme = "s3://";
  const size_t slash = output.find('/', kScheme.size());
  const bool is_address = output.starts_with(kScheme) && slash != std::string::npos;
  const std::string bucket =
      is_address ? output.substr(kScheme.size(), slash - kScheme.size()) : "";
  if (bucket != at.run.parts.config.images_bucket) {
    at.Find("missing-blob", StrCat(output, " (it is no file of the images bucket)"),
            at.RebuildIt());
    return OkStatus();
  }
  ++at.run.counts().files;
  const std::string key = output.substr(slash + 1);
  ASSIGN_OR_RETURN(const auto info, at.Head(key));
  if (!info || info->bytes == 0) {
    at.Find("missing-blob", info ? StrCat(key, " (it is empty)") : key, at.RebuildIt());
  }
  return OkStatus();
}

}  // namespace

Status CheckIngest(Inspection& at) {
  if (!at.subject.ingest) {
    at.Find("missing-record", "no ingest record", at.RestoreRecord());
    return OkStatus();
  }
  const contexts::catalog::Image& image = at.image();
  const ItemReader read(*at.subject.ingest);
  CompareText(at, "ingest.type", read.Text("type"), contexts::MediaTypeOf(image.mime_type));
  if (image.file_size > 0) {
    CompareNumber(at, "ingest.fileSize", read.Integer("fileSize"), image.file_size);
    CompareNumber(at, "ingest.data.checksum.fileSize",
                  read.Map("data").Map("checksum").Integer("fileSize"), image.file_size);
  }
  if (at.is_developed()) {
    CompareText(at, "ingest.bucket", read.Text("bucket"), at.run.parts.config.images_bucket);
    CompareText(at, "ingest.key", read.Text("key"), StoredKey(image.id, 0, Size::kOriginal));
    // What is to be played may still be made ready for that, or cannot be.
    const std::string_view type = contexts::MediaTypeOf(image.mime_type);
    const bool is_played = type == "video" || type == "audio";
    if (!is_played || image.media.playback != contexts::catalog::Playback::kNone) {
      CompareText(at, "ingest.overallStatus", read.Text("overallStatus"),
                  NameOf(MediaStatus::kCompleted));
      CompareNumber(at, "ingest.progress", read.Integer("progress"), 100);
    }
  } else if (image.processing_status == ProcessingStatus::kFailed) {
    CompareText(at, "ingest.overallStatus", read.Text("overallStatus"),
                NameOf(MediaStatus::kError));
  }
  return OkStatus();
}

Status CheckAnalysis(Inspection& at) {
  const contexts::catalog::Image& image = at.image();
  const bool is_over = at.is_developed() || image.processing_status == ProcessingStatus::kFailed;
  if (!at.subject.analysis) {
    if (is_over) {
      at.Find("missing-record", "no analysis record", at.RebuildIt());
    }
    return OkStatus();
  }
  const ItemReader read(*at.subject.analysis);
  const std::vector<KindResult> kinds = contexts::analysis::KindsOf(*at.subject.analysis);
  CompareText(at, "analysis.type", read.Text("type"), contexts::MediaTypeOf(image.mime_type));
  CompareText(at, "analysis.overallStatus", read.Text("overallStatus"),
              NameOf(contexts::analysis::OverallOf(kinds)));
  CompareNumber(at, "analysis.progress", read.Integer("progress"),
                contexts::analysis::ProgressOf(kinds));
  for (const KindResult& kind : kinds) {
    if (kind.output) {
      RETURN_IF_ERROR(NeedOutput(at, *kind.output));
    }
  }
  return OkStatus();
}

}  // namespace tintype::flows::scrub
