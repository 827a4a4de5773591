#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/common/scan.h"
#include "contexts/common/tables.h"
#include "contexts/common/transaction.h"
#include "tables/language/blocking_database.h"

/// Media of every type and what was found in them: the tables so0050-{stack}-ingest, -analysis and
/// -face-indexer.
namespace tintype::contexts::analysis {

/// The document's five statuses, of a record as a whole and of each kind of analysis.
enum class MediaStatus { kNotStarted, kInProgress, kCompleted, kError, kSkipped };
std::string_view NameOf(MediaStatus status);

/// What the owner of an upload wants to have looked for.
struct AiOptions {
  bool celeb = true;
  bool face = true;
  bool label = true;
  bool transcribe = true;
};

/// One item of the ingest table.
struct Ingest {
  std::string uuid;
  int64_t timestamp_ms = 0;
  std::string type;  // video, audio, image or document.
  std::string bucket;
  std::string key;
  int64_t file_size = 0;
  std::string md5;  // In lower-case hexadecimal.
  AiOptions ai_options;
  std::string output_bucket;
  std::string output_prefix;
};

/// The document's word for the type of a medium: `image` of `image/jpeg`, and `document` of
/// whatever is neither image, video nor audio.
std::string_view MediaTypeOf(std::string_view mime_type);

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
};

/// One item of the analysis table.
struct Analysis {
  std::string uuid;
  int64_t timestamp_ms = 0;
  std::string type;
  std::string start_time;
  std::string end_time;
  std::vector<KindResult> kinds;
};

/// The kinds in the item of an analysis, whoever wrote it: the leaves of `data` that have a status.
/// Statuses that the document does not have read as NOT_STARTED.
std::vector<KindResult> KindsOf(const tables::Item& analysis);

/// The document's formula over all kinds that were not skipped; with nothing to do it is 100.
int64_t ProgressOf(const std::vector<KindResult>& kinds);
/// What the kinds add up to: an error if one failed, completed when all that were to be done are,
/// skipped when nothing was.
MediaStatus OverallOf(const std::vector<KindResult>& kinds);

/// Owns the three tables. Thread-safe; keeps nothing.
class AnalysisRecords {
 public:
  AnalysisRecords(std::string_view stack, tables::Database& database);

  static std::vector<ProductTable> Tables(std::string_view stack);

  /// The items as they are, for whoever shows them.
  Result<std::optional<tables::Item>> FindIngest(std::string_view uuid);
  Result<std::optional<tables::Item>> FindAnalysis(std::string_view uuid);

  /// The media that ingest and analysis records are about. For commands that look at all.
  Result<OwnersPage> ListIngestOwners(const std::optional<tables::Item>& after);
  Result<OwnersPage> ListAnalysisOwners(const std::optional<tables::Item>& after);

  Piece AddIngest(const Ingest& ingest) const;
  /// Refused with kNotFound when the record is gone.
  Piece SetIngestStatus(std::string_view uuid, MediaStatus status, int64_t progress) const;
  /// The same, with the place where the original is now.
  Piece MoveIngest(std::string_view uuid, std::string_view bucket, std::string_view key) const;
  Piece PutAnalysis(const Analysis& analysis) const;
  /// All records of a medium but its faces.
  Pieces Remove(std::string_view uuid) const;

 private:
  std::string ingest_table_;
  std::string analysis_table_;
  tables::BlockingDatabase database_;
};

}  // namespace tintype::contexts::analysis
