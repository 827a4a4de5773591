#include "contexts/analysis/analysis.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "contexts/common/item.h"

namespace tintype::contexts::analysis {
namespace {

using tables::Value;

std::string IngestTable(std::string_view stack) { return StrCat("so0050-", stack, "-ingest"); }
std::string AnalysisTable(std::string_view stack) { return StrCat("so0050-", stack, "-analysis"); }
std::string FaceTable(std::string_view stack) { return StrCat("so0050-", stack, "-face-indexer"); }

tables::Item RecordKey(std::string_view uuid) { return ItemBuilder().Text("uuid", uuid).Build(); }

Error NoSuchRecord() { return Error::NotFound("There is no such media record."); }

Result<std::optional<tables::Item>> FindRecord(tables::BlockingDatabase& database,
                                               const std::string& table, std::string_view uuid) {
  ASSIGN_OR_RETURN(
      auto response,
      database.GetItem(
          {.table = table, .key = RecordKey(uuid), .projection = {}, .consistent_read = true}));
  return std::move(response.item);
}

}  // namespace

std::string_view MediaTypeOf(std::string_view mime_type) {
  for (const std::string_view type : {"image", "video", "audio"}) {
    if (mime_type.starts_with(StrCat(type, "/"))) {
      return type;
    }
  }
  return "document";
}

AnalysisRecords::AnalysisRecords(std::string_view stack, tables::Database& database)
    : ingest_table_(IngestTable(stack)),
      analysis_table_(AnalysisTable(stack)),
      database_(database) {}

std::vector<ProductTable> AnalysisRecords::Tables(std::string_view stack) {
  constexpr auto kNumber = tables::Type::kNumber;
  tables::TableDefinition ingest = OnDemandTable(IngestTable(stack), KeyOf("uuid"),
                                                 {{"uuid"}, {"timestamp", kNumber}, {"type"}});
  ingest.global_indexes = {IndexOn("type-timestamp-index", KeyOf("type", "timestamp"))};

  tables::TableDefinition results = OnDemandTable(
      AnalysisTable(stack), KeyOf("uuid"), {{"uuid"}, {"overallStatus"}, {"timestamp", kNumber}});
  tables::IndexDefinition by_status =
      IndexOn("status-timestamp-index", KeyOf("overallStatus", "timestamp"));
  by_status.projection = {tables::IndexProjection::Kind::kInclude, {"uuid", "type", "progress"}};
  results.global_indexes = {std::move(by_status)};

  tables::TableDefinition faces =
      OnDemandTable(FaceTable(stack), KeyOf("uuid", "faceId"),
                    {{"uuid"}, {"faceId"}, {"collectionId"}, {"timestamp", kNumber}});
  faces.global_indexes = {
      IndexOn("collection-timestamp-index", KeyOf("collectionId", "timestamp"))};

  return {{std::move(ingest), {}}, {std::move(results), {}}, {std::move(faces), {}}};
}

Result<std::optional<tables::Item>> AnalysisRecords::FindIngest(std::string_view uuid) {
  return FindRecord(database_, ingest_table_, uuid);
}

Result<std::optional<tables::Item>> AnalysisRecords::FindAnalysis(std::string_view uuid) {
  return FindRecord(database_, analysis_table_, uuid);
}

Result<OwnersPage> AnalysisRecords::ListIngestOwners(const std::optional<tables::Item>& after) {
  return ScanOwners(database_, ingest_table_, after,
                    [](const ItemReader& read) { return read.OptionalText("uuid"); });
}

Result<OwnersPage> AnalysisRecords::ListAnalysisOwners(const std::optional<tables::Item>& after) {
  return ScanOwners(database_, analysis_table_, after,
                    [](const ItemReader& read) { return read.OptionalText("uuid"); });
}

Result<Wanted> AnalysisRecords::FindWanted(std::string_view uuid) {
  ASSIGN_OR_RETURN(const std::optional<tables::Item> ingest, FindIngest(uuid));
  if (!ingest) {
    return NoSuchRecord();
  }
  const ItemReader read(*ingest);
  return Wanted{read.Text("type"), AiOptions::FromItem(read.Map("input").Map("aiOptions").view())};
}

Piece AnalysisRecords::AddIngest(const Ingest& ingest) const {
  const tables::Item destination = ItemBuilder()
                                       .Text("bucket", ingest.output_bucket)
                                       .Text("prefix", ingest.output_prefix)
                                       .Build();
  const tables::Item input = ItemBuilder()
                                 .Map("destination", destination)
                                 .Map("aiOptions", ingest.ai_options.ToItem())
                                 .Build();
  const tables::Item checksum = ItemBuilder()
                                    .Text("algorithm", "md5")
                                    .Integer("fileSize", ingest.file_size)
                                    .Text("computed", ingest.md5)
                                    .Text("storeClass", "STANDARD")
                                    .Build();
  tables::Item item = ItemBuilder()
                          .Text("uuid", ingest.uuid)
                          .Integer("timestamp", ingest.timestamp_ms)
                          .Text("type", ingest.type)
                          .Text("bucket", ingest.bucket)
                          .Text("key", ingest.key)
                          .Integer("fileSize", ingest.file_size)
                          .Text("overallStatus", NameOf(MediaStatus::kNotStarted))
                          .Integer("progress", 0)
                          .Map("input", input)
                          .Map("data", ItemBuilder().Map("checksum", checksum).Build())
                          .Build();
  return PutPiece(ingest_table_, std::move(item));
}

Piece AnalysisRecords::SetIngestStatus(std::string_view uuid, MediaStatus status,
                                       int64_t progress) const {
  return UpdatePiece(
      ingest_table_, RecordKey(uuid),
      UpdateIf(
          "SET overallStatus = :status, progress = :progress", "attribute_exists(#uuid)",
          {{{"#uuid", "uuid"}},
           {{":status", Value::String(NameOf(status))}, {":progress", Value::Integer(progress)}}}),
      NoSuchRecord());
}

Piece AnalysisRecords::MoveIngest(std::string_view uuid, std::string_view bucket,
                                  std::string_view key) const {
  return UpdatePiece(
      ingest_table_, RecordKey(uuid),
      UpdateIf("SET #bucket = :bucket, #key = :key, overallStatus = :status, progress = :progress",
               "attribute_exists(#uuid)",
               {{{"#uuid", "uuid"}, {"#bucket", "bucket"}, {"#key", "key"}},
                {{":bucket", Value::String(bucket)},
                 {":key", Value::String(key)},
                 {":status", Value::String(NameOf(MediaStatus::kInProgress))},
                 // The original is safe; renditions and analysis are to come.
                 {":progress", Value::Integer(50)}}}),
      NoSuchRecord());
}

Piece AnalysisRecords::PutAnalysis(const Analysis& analysis) const {
  tables::Item item = ItemBuilder()
                          .Text("uuid", analysis.uuid)
                          .Integer("timestamp", analysis.timestamp_ms)
                          .Text("type", analysis.type)
                          .Text("overallStatus", NameOf(OverallOf(analysis.kinds)))
                          .Integer("progress", ProgressOf(analysis.kinds))
                          .Text("startTime", analysis.start_time)
                          .Text("endTime", analysis.end_time)
                          .Text("executionArn", analysis.execution_arn)
                          .Map("data", KindsItem(analysis.kinds))
                          .Integer("rev", 0)
                          .Build();
  return PutPiece(analysis_table_, std::move(item));
}

Result<std::optional<KindsView>> AnalysisRecords::FindKinds(std::string_view uuid) {
  ASSIGN_OR_RETURN(const std::optional<tables::Item> item, FindAnalysis(uuid));
  if (!item) {
    return std::optional<KindsView>();
  }
  return std::optional(KindsView{KindsOf(*item), ItemReader(*item).Integer("rev")});
}

Piece AnalysisRecords::SetKind(std::string_view uuid, KindsView seen, const KindResult& kind,
                               std::string_view now) const {
  const std::string& service = kind.path.front();
  const bool is_nested = kind.path.size() == 2;
  // A service that the record does not have yet needs its map first.
  const bool has_service = std::ranges::any_of(seen.kinds, [&](const KindResult& each) {
    return each.path.front() == service && each.path.size() == kind.path.size();
  });
  const auto same = std::ranges::find(seen.kinds, kind.path, &KindResult::path);
  if (same == seen.kinds.end()) {
    seen.kinds.push_back(kind);
  } else {
    *same = kind;
  }
  Bindings bindings{{{"#data", "data"},
                     {"#service", service},
                     {"#status", "overallStatus"},
                     {"#progress", "progress"},
                     {"#endTime", "endTime"},
                     {"#rev", "rev"},
                     {"#uuid", "uuid"}},
                    {{":status", Value::String(NameOf(OverallOf(seen.kinds)))},
                     {":progress", Value::Integer(ProgressOf(seen.kinds))},
                     {":now", Value::String(now)},
                     {":seen", Value::Integer(seen.rev)},
                     {":next", Value::Integer(seen.rev + 1)}}};
  std::string place = "#data.#service";
  tables::Item part = KindItem(kind);
  if (is_nested && has_service) {
    place += ".#kind";
    bindings.names.emplace("#kind", kind.path.back());
  } else if (is_nested) {
    part = ItemBuilder().Map(kind.path.back(), part).Build();
  }
  bindings.values.emplace(":part", Value::Map(part));
  // Records from before have no number.
  const std::string_view unchanged =
      seen.rev == 0 ? "attribute_exists(#uuid) AND (attribute_not_exists(#rev) OR #rev = :seen)"
                    : "#rev = :seen";
  if (seen.rev != 0) {
    bindings.names.erase("#uuid");
  }
  return UpdatePiece(analysis_table_, RecordKey(uuid),
                     UpdateIf(StrCat("SET ", place,
                                     " = :part, #status = :status, #progress = :progress, "
                                     "#endTime = :now, #rev = :next"),
                              unchanged, bindings),
                     Error(kRecordChanged, "The analysis record has changed meanwhile."));
}

Pieces AnalysisRecords::Remove(std::string_view uuid) const {
  Pieces pieces;
  pieces.push_back(DeletePiece(ingest_table_, RecordKey(uuid)));
  pieces.push_back(DeletePiece(analysis_table_, RecordKey(uuid)));
  return pieces;
}

}  // namespace tintype::contexts::analysis
