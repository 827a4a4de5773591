#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/analysis/ai_options.h"
#include "contexts/analysis/kinds.h"
#include "contexts/common/scan.h"
#include "contexts/common/tables.h"
#include "contexts/common/transaction.h"
#include "tables/language/blocking_database.h"

/// Media of every type and what was found in them: the tables so0050-{stack}-ingest, -analysis and
/// -face-indexer.
namespace tintype::contexts::analysis {

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

/// What was found in the file of a medium, as the document has it.
struct MediaDetails {
  std::optional<double> duration;  // In seconds.
  /// The members of `data`: `video`, `audio`, `document`; empty ones are left out.
  tables::Item video;
  tables::Item audio;
  tables::Item document;
};

/// What a medium is, and what its owner wants to have looked for in it.
struct Wanted {
  std::string type;
  AiOptions options;
};

/// One item of the analysis table.
struct Analysis {
  std::string uuid;
  int64_t timestamp_ms = 0;
  std::string type;
  std::string start_time;
  std::string end_time;
  std::string execution_arn;
  std::vector<KindResult> kinds;
};

/// The kinds of a record as they were read, and the number by which a change of one of them tells
/// whether any has changed since.
struct KindsView {
  std::vector<KindResult> kinds;
  int64_t rev = 0;
};
/// Another part of the record was written since it was read: read it again.
inline constexpr Reason kRecordChanged{ErrorKind::kConditionFailed, "AnalysisChanged"};

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

  /// What is to be looked for in a medium. Errors: kNotFound when there is no ingest record.
  Result<Wanted> FindWanted(std::string_view uuid);

  Piece AddIngest(const Ingest& ingest) const;
  /// Refused with kNotFound when the record is gone.
  Piece SetIngestStatus(std::string_view uuid, MediaStatus status, int64_t progress) const;
  /// The same, with what was found in the file, in place of what was found before.
  Piece SetMediaDetails(std::string_view uuid, const MediaDetails& details, MediaStatus status,
                        int64_t progress) const;
  /// The same, with the place where the original is now.
  Piece MoveIngest(std::string_view uuid, std::string_view bucket, std::string_view key) const;
  /// The whole record, in place of one that there may have been, whatever it said.
  Piece PutAnalysis(const Analysis& analysis) const;
  Result<std::optional<KindsView>> FindKinds(std::string_view uuid);
  /// Some kinds of a record, with what all add up to then, and when they did; the others stay as
  /// they are. Refused with kRecordChanged when the record is not as it was seen, or is gone.
  /// REQUIRES: there are some, each once.
  Piece SetKinds(std::string_view uuid, KindsView seen, const std::vector<KindResult>& kinds,
                 std::string_view now) const;
  /// All records of a medium but its faces.
  Pieces Remove(std::string_view uuid) const;

 private:
  std::string ingest_table_;
  std::string analysis_table_;
  tables::BlockingDatabase database_;
};

}  // namespace tintype::contexts::analysis
