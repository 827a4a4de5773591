#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tables/language/values/value.h"

/// The kinds of analysis in a record, each with a status of its own, and what they add up to.
namespace tintype::contexts::analysis {

/// The document's five statuses, of a record as a whole and of each kind of analysis.
enum class MediaStatus { kNotStarted, kInProgress, kCompleted, kError, kSkipped };
std::string_view NameOf(MediaStatus status);

/// One kind of analysis and what came of it.
struct KindResult {
  /// Where it stands in `data`, for example {"rekognition", "face"} or {"transcribe"}.
  std::vector<std::string> path;
  MediaStatus status = MediaStatus::kNotStarted;
  std::optional<std::string> output;  // s3://bucket/key of a JSON blob.
  std::optional<std::string> job_id;
  std::optional<std::string> start_time;  // ISO 8601.
  std::optional<std::string> end_time;
  /// What went wrong. Why it was skipped: `aiOptions` turned it off, the media type does not have
  /// it, or this installation has no model for it.
  std::optional<std::string> reason;
  /// What else the document has of this kind, such as `languageCode`. Written, never read.
  tables::Item details = {};
};
/// The path as one word: `rekognition.face`.
std::string NameOf(const KindResult& kind);

/// The kinds in the item of an analysis, whoever wrote it: the leaves of `data` that have a status.
/// Statuses that the document does not have read as NOT_STARTED.
std::vector<KindResult> KindsOf(const tables::Item& analysis);

/// The document's formula over all kinds that were not skipped; with nothing to do it is 100.
int64_t ProgressOf(const std::vector<KindResult>& kinds);
/// What the kinds add up to: an error if one failed, completed when all that were to be done are,
/// skipped when nothing was.
MediaStatus OverallOf(const std::vector<KindResult>& kinds);

/// The attributes of one kind, and of all of them as nested maps, by their paths of one or two
/// names.
tables::Item KindItem(const KindResult& kind);
tables::Item KindsItem(const std::vector<KindResult>& kinds);

}  // namespace tintype::contexts::analysis
