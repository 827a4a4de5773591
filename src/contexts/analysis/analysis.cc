#include "contexts/analysis/analysis.h"

#include <algorithm>
#include <array>
#include <cmath>
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

tables::Item KindItem(const KindResult& kind) {
  return ItemBuilder()
      .Text("status", NameOf(kind.status))
      .MaybeText("output", kind.output)
      .MaybeText("jobId", kind.job_id)
      .MaybeText("startTime", kind.start_time)
      .MaybeText("endTime", kind.end_time)
      .MaybeText("reason", kind.reason)
      .Build();
}

constexpr std::array<std::string_view, 5> kStatusNames = {"NOT_STARTED", "IN_PROGRESS", "COMPLETED",
                                                          "ERROR", "SKIPPED"};

KindResult KindFromMap(std::vector<std::string> path, const ItemReader& read) {
  KindResult kind;
  kind.path = std::move(path);
  const auto* const status = std::ranges::find(kStatusNames, read.Text("status"));
  kind.status = status == kStatusNames.end()
                    ? MediaStatus::kNotStarted
                    : static_cast<MediaStatus>(status - kStatusNames.begin());
  kind.output = read.OptionalText("output");
  kind.job_id = read.OptionalText("jobId");
  kind.start_time = read.OptionalText("startTime");
  kind.end_time = read.OptionalText("endTime");
  kind.reason = read.OptionalText("reason");
  return kind;
}

/// The kinds as nested maps, by their paths of one or two names.
tables::Item KindsItem(const std::vector<KindResult>& kinds) {
  ItemBuilder services;
  for (auto kind = kinds.begin(); kind != kinds.end();) {
    const std::string& service = kind->path.front();
    if (kind->path.size() == 1) {
      services.Map(service, KindItem(*kind++));
      continue;
    }
    ItemBuilder of_service;
    for (; kind != kinds.end() && kind->path.front() == service; ++kind) {
      of_service.Map(kind->path.back(), KindItem(*kind));
    }
    services.Map(service, of_service.Build());
  }
  return services.Build();
}

Result<std::optional<tables::Item>> FindRecord(tables::BlockingDatabase& database,
                                               const std::string& table, std::string_view uuid) {
  ASSIGN_OR_RETURN(
      auto response,
      database.GetItem(
          {.table = table, .key = RecordKey(uuid), .projection = {}, .consistent_read = true}));
  return std::move(response.item);
}

}  // namespace

std::string_view NameOf(MediaStatus status) { return kStatusNames[static_cast<size_t>(status)]; }

std::vector<KindResult> KindsOf(const tables::Item& analysis) {
  std::vector<KindResult> kinds;
  const ItemReader data = ItemReader(analysis).Map("data");
  for (const auto& [service, value] : data.view()) {
    const ItemReader of_service = data.Map(service);
    if (of_service.Has("status")) {
      kinds.push_back(KindFromMap({std::string(service)}, of_service));
      continue;
    }
    for (const auto& [name, kind] : of_service.view()) {
      const ItemReader leaf = of_service.Map(name);
      if (leaf.Has("status")) {
        kinds.push_back(KindFromMap({std::string(service), std::string(name)}, leaf));
      }
    }
  }
  return kinds;
}

std::string_view MediaTypeOf(std::string_view mime_type) {
  for (const std::string_view type : {"image", "video", "audio"}) {
    if (mime_type.starts_with(StrCat(type, "/"))) {
      return type;
    }
  }
  return "document";
}

int64_t ProgressOf(const std::vector<KindResult>& kinds) {
  const auto count = [&](auto&& predicate) {
    return static_cast<double>(std::ranges::count_if(kinds, predicate));
  };
  const double total = count([](const KindResult& k) { return k.status != MediaStatus::kSkipped; });
  const double completed =
      count([](const KindResult& k) { return k.status == MediaStatus::kCompleted; });
  return total == 0 ? 100 : std::lround(completed / total * 100);
}

MediaStatus OverallOf(const std::vector<KindResult>& kinds) {
  const auto any = [&](MediaStatus status) {
    return std::ranges::any_of(kinds, [&](const KindResult& k) { return k.status == status; });
  };
  if (any(MediaStatus::kInProgress) ||
      (any(MediaStatus::kNotStarted) && any(MediaStatus::kCompleted))) {
    return MediaStatus::kInProgress;
  }
  if (any(MediaStatus::kNotStarted)) {
    return MediaStatus::kNotStarted;
  }
  if (any(MediaStatus::kError)) {
    return MediaStatus::kError;
  }
  return any(MediaStatus::kCompleted) ? MediaStatus::kCompleted : MediaStatus::kSkipped;
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

Piece AnalysisRecords::AddIngest(const Ingest& ingest) const {
  const tables::Item destination = ItemBuilder()
                                       .Text("bucket", ingest.output_bucket)
                                       .Text("prefix", ingest.output_prefix)
                                       .Build();
  const tables::Item options = ItemBuilder()
                                   .Bool("celeb", ingest.ai_options.celeb)
                                   .Bool("face", ingest.ai_options.face)
                                   .Bool("label", ingest.ai_options.label)
                                   .Bool("transcribe", ingest.ai_options.transcribe)
                                   .Build();
  const tables::Item input =
      ItemBuilder().Map("destination", destination).Map("aiOptions", options).Build();
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
                          .Map("data", KindsItem(analysis.kinds))
                          .Build();
  return PutPiece(analysis_table_, std::move(item));
}

Pieces AnalysisRecords::Remove(std::string_view uuid) const {
  Pieces pieces;
  pieces.push_back(DeletePiece(ingest_table_, RecordKey(uuid)));
  pieces.push_back(DeletePiece(analysis_table_, RecordKey(uuid)));
  return pieces;
}

}  // namespace tintype::contexts::analysis
