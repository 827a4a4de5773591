#include "contexts/analysis/analysis.h"

#include <algorithm>
#include <map>
#include <set>
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

/// The part of an update expression that sets kinds, each at its own place. A service that the
/// record does not have yet needs its map first, so its kinds are set as one.
class PartsUpdate {
 public:
  explicit PartsUpdate(const std::vector<KindResult>& before) {
    for (const KindResult& kind : before) {
      if (kind.path.size() == 2) {
        services_.insert(kind.path.front());
      }
    }
  }

  void Set(const KindResult& kind) {
    if (kind.path.size() == 1) {
      Add(kind.path.front(), "", Value::Map(KindItem(kind)));
    } else if (services_.contains(kind.path.front())) {
      Add(kind.path.front(), kind.path.back(), Value::Map(KindItem(kind)));
    } else {
      new_services_[kind.path.front()].Map(kind.path.back(), KindItem(kind));
    }
  }

  /// Once, at the end: what was set, with the names and values of the rest of the expression.
  Bindings Bind(Bindings bindings) {
    for (auto& [service, kinds] : new_services_) {
      Add(service, "", Value::Map(kinds.Build()));
    }
    bindings.names.merge(bindings_.names);
    bindings.values.merge(bindings_.values);
    return bindings;
  }
  /// Ends with a comma. REQUIRES: after Bind.
  const std::string& text() const { return text_; }

 private:
  void Add(const std::string& service, const std::string& kind, Value part) {
    const std::string number = StrCat(count_++);
    const std::string service_name = StrCat("#service", number);
    bindings_.names.emplace(service_name, service);
    StrAppend(text_, "#data.", service_name);
    if (!kind.empty()) {
      const std::string kind_name = StrCat("#kind", number);
      bindings_.names.emplace(kind_name, kind);
      StrAppend(text_, ".", kind_name);
    }
    const std::string value_name = StrCat(":part", number);
    bindings_.values.emplace(value_name, std::move(part));
    StrAppend(text_, " = ", value_name, ", ");
  }

  std::set<std::string> services_;
  std::map<std::string, ItemBuilder> new_services_;
  Bindings bindings_;
  std::string text_;
  int count_ = 0;
};

}  // namespace

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

Piece AnalysisRecords::SetMediaDetails(std::string_view uuid, const MediaDetails& details,
                                       MediaStatus status, int64_t progress) const {
  std::string sets = "SET overallStatus = :status, progress = :progress";
  std::string removes;
  Bindings bindings = {
      {{"#uuid", "uuid"}},
      {{":status", Value::String(NameOf(status))}, {":progress", Value::Integer(progress)}}};
  const auto set = [&](std::string_view path, std::string_view name, std::optional<Value> value) {
    // Some of the words are reserved in expressions.
    bindings.names.emplace(StrCat("#", name), name);
    if (value) {
      StrAppend(sets, ", ", path, "#", name, " = :", name);
      bindings.values.emplace(StrCat(":", name), *std::move(value));
    } else {
      StrAppend(removes, removes.empty() ? " REMOVE " : ", ", path, "#", name);
    }
  };
  const auto map = [](const tables::Item& item) {
    return item.empty() ? std::nullopt : std::optional(Value::Map(item));
  };
  bindings.names.emplace("#data", "data");
  set("", "duration",
      details.duration ? std::optional(DecimalValue(*details.duration)) : std::nullopt);
  set("#data.", "video", map(details.video));
  set("#data.", "audio", map(details.audio));
  set("#data.", "document", map(details.document));
  return UpdatePiece(ingest_table_, RecordKey(uuid),
                     UpdateIf(StrCat(sets, removes), "attribute_exists(#uuid)", bindings),
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

Piece AnalysisRecords::SetKinds(std::string_view uuid, KindsView seen,
                                const std::vector<KindResult>& kinds, std::string_view now) const {
  PartsUpdate parts(seen.kinds);
  for (const KindResult& kind : kinds) {
    parts.Set(kind);
    const auto same = std::ranges::find(seen.kinds, kind.path, &KindResult::path);
    if (same == seen.kinds.end()) {
      seen.kinds.push_back(kind);
    } else {
      *same = kind;
    }
  }
  Bindings bindings = parts.Bind({{{"#data", "data"},
                                   {"#status", "overallStatus"},
                                   {"#progress", "progress"},
                                   {"#endTime", "endTime"},
                                   {"#rev", "rev"}},
                                  {{":status", Value::String(NameOf(OverallOf(seen.kinds)))},
                                   {":progress", Value::Integer(ProgressOf(seen.kinds))},
                                   {":now", Value::String(now)},
                                   {":seen", Value::Integer(seen.rev)},
                                   {":next", Value::Integer(seen.rev + 1)}}});
  std::string_view unchanged = "#rev = :seen";
  if (seen.rev == 0) {
    // Records from before have no number.
    unchanged = "attribute_exists(#uuid) AND (attribute_not_exists(#rev) OR #rev = :seen)";
    bindings.names.emplace("#uuid", "uuid");
  }
  return UpdatePiece(analysis_table_, RecordKey(uuid),
                     UpdateIf(StrCat("SET ", parts.text(),
                                     "#status = :status, #progress = :progress, #endTime = :now, "
                                     "#rev = :next"),
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
