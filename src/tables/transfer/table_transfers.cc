#include "tables/transfer/table_transfers.h"

#include <memory>
#include <optional>
#include <utility>

#include "base/json_text.h"
#include "base/logging.h"
#include "base/strings.h"
#include "crypto/digest.h"
#include "tables/language/await.h"
#include "tables/language/errors.h"
#include "tables/language/shutting_down.h"
#include "tables/transfer/import_table.h"
#include "tables/transfer/internal/export_files.h"
#include "tables/transfer/internal/export_names.h"
#include "tables/transfer/internal/paths.h"
#include "tables/wire/client_codec.h"

namespace tintype::tables::transfer {
namespace {

Error Interrupted() {
  return {ErrorKind::kUnavailable, "The server was stopped before it was finished"};
}

/// Texts that differ give digests that differ, wherever one ends and the next begins.
std::string DigestOf(std::initializer_list<std::string_view> texts) {
  std::string all;
  for (const std::string_view text : texts) {
    StrAppend(all, text.size(), ':', text);
  }
  return crypto::Sha256Hex(all);
}

std::string DigestOf(const ExportTableRequest& request) {
  return DigestOf({request.table_arn, request.time_ms ? std::to_string(*request.time_ms) : "",
                   request.bucket, request.prefix, request.bucket_owner.value_or("")});
}

std::string DigestOf(const ImportTableRequest& request) {
  return DigestOf({request.bucket, request.prefix, request.gzip ? "gzip" : "",
                   wire::EncodeRequest(CreateTableRequest{request.table, {}}),
                   request.bucket_owner.value_or("")});
}

template <typename Description>
void EndAs(Description& description, const Status& status, int64_t now_ms) {
  description.ended_ms = now_ms;
  description.status = status.ok() ? TransferStatus::kCompleted : TransferStatus::kFailed;
  if (status.ok()) {
    return;
  }
  // It may name files, whose names can be any bytes.
  description.failure_message = ValidUtf8(status.error().message());
  switch (status.error().kind()) {
    case ErrorKind::kNotFound:
      description.failure_code = "S3NoSuchBucket";
      break;
    case ErrorKind::kCorruption:
    case ErrorKind::kValidation:
    case ErrorKind::kLimitExceeded:
      description.failure_code = "ItemValidationError";
      break;
    case ErrorKind::kUnavailable:
      description.failure_code = "Interrupted";
      break;
    case ErrorKind::kIo:
      // Its message names files of the server, which are not for clients.
      description.failure_message = "A file could not be read or written; the log says why";
      [[fallthrough]];
    default:
      description.failure_code = "UnknownError";
  }
}

void EndAs(ExportDescription& description, const Result<ExportOutcome>& outcome, int64_t now_ms) {
  EndAs(description, outcome.ok() ? OkStatus() : Status(outcome.error()), now_ms);
  if (outcome.ok()) {
    description.manifest = outcome->manifest;
    description.item_count = outcome->items;
    description.billed_bytes = outcome->bytes;
  }
}

/// Whether a table was made by restoring another.
bool IsRestored(Database& database, const std::string& name) {
  const auto described = Await(database, &Database::DescribeTable, DescribeTableRequest{name});
  return described.ok() && described->table.restore.has_value();
}

/// Fails unless the table that was made for an import is still the one of its name. Clients may
/// have removed it since, and made another.
Status CheckTable(Database& database, const ImportDescription& import) {
  const std::string& name = import.table.name;
  const auto described = Await(database, &Database::DescribeTable, DescribeTableRequest{name});
  if (!described.ok() && described.error().kind() != ErrorKind::kNotFound) {
    return described.error();
  }
  if (!described.ok() || described->table.id != import.table_id) {
    return Error(tables::reasons::kTableNotFound,
                 StrCat("The table ", name, " that the import created was deleted before it ended",
                        described.ok() ? ", and there is another of that name now" : ""));
  }
  return OkStatus();
}

/// Removes the table that was made for an import, if nobody has written to it.
void RemoveUnused(Database& database, const ImportDescription& import) {
  ScanRequest scan;
  scan.table = import.table.name;
  scan.options.limit = 1;
  scan.options.consistent_read = true;
  const auto page = Await(database, &Database::Scan, scan);
  if (page.ok() && page->items.empty() && CheckTable(database, import).ok()) {
    Await(database, &Database::DeleteTable, DeleteTableRequest{import.table.name})
        .PermitUncheckedError();
  }
}

}  // namespace

Result<std::unique_ptr<TableTransfers>> TableTransfers::Start(TransferConfig config,
                                                              Database& database, Backups& backups,
                                                              const Clock& clock) {
  std::unique_ptr<TableTransfers> transfers(
      new TableTransfers(std::move(config), database, backups, clock));
  RETURN_IF_ERROR(transfers->Recover());
  return transfers;
}

TableTransfers::TableTransfers(TransferConfig config, Database& database, Backups& backups,
                               const Clock& clock)
    : config_(std::move(config)),
      database_(database),
      backups_(backups),
      clock_(clock),
      exports_(config_.records, config_.sealing),
      imports_(config_.records, config_.sealing) {}

void TableTransfers::Stop() {
  requests_.Stop();
  transfers_.Stop();
}

Status TableTransfers::Recover() {
  RETURN_IF_ERROR(exports_.Load());
  RETURN_IF_ERROR(imports_.Load());
  for (const auto& [id, record] : exports_.Unfinished()) {
    EndInterrupted(id, record);
  }
  for (auto [id, record] : imports_.Unfinished()) {
    EndAs(record.description, Interrupted(), clock_.NowMs());
    imports_.KeepEnded(id, record);
  }
  return RemoveScratchTables();
}

// The record may be older than the files: it could not be written at the end, or comes from a
// backup of the data directory.
void TableTransfers::EndInterrupted(const std::string& id, ExportRecord record) {
  ExportTask task;
  task.id = id;
  task.root = config_.root;
  task.description = record.description;
  Result<ExportOutcome> outcome = Interrupted();
  if (IsExportWhole(task)) {
    outcome = ReadExportOutcome(task);
    if (!outcome.ok()) {
      LogError("the outcome of an export is not known",
               {{"id", id}, {"reason", outcome.error().message()}});
    }
  } else {
    RemoveExportFiles(task);
  }
  EndAs(record.description, outcome, clock_.NowMs());
  exports_.KeepEnded(id, record);
}

// Those that a crash left, also of exports by commands, which leave no record. They are listed
// before the first request can make another, and removed by and by.
Status TableTransfers::RemoveScratchTables() {
  ListTablesRequest request;
  do {
    ASSIGN_OR_RETURN(const ListTablesResponse page,
                     Await(database_, &Database::ListTables, request));
    for (const std::string& name : page.names) {
      if (IsScratchTable(name) && IsRestored(database_, name)) {
        LogInfo("removing the table of an export that was not finished", {{"table", name}});
        transfers_.Add([this, name](bool stopping) {
          if (!stopping) {
            RemoveScratch(database_, name, [this] { return !transfers_.stopping(); });
          }
        });
      }
    }
    request.exclusive_start_name = page.last_evaluated_name;
  } while (request.exclusive_start_name);
  return OkStatus();
}

template <typename Response, typename Begin>
void TableTransfers::Submit(Begin begin, Done<Response> done) {
  // Shared, because work must be copyable and this is not.
  auto shared = std::make_shared<Done<Response>>(std::move(done));
  const bool added = requests_.Add([begin = std::move(begin), shared](bool stopping) {
    (*shared)(stopping ? Result<Response>(ShuttingDown()) : begin());
  });
  if (!added) {
    (*shared)(Error(ErrorKind::kOverloaded, "Too many requests to export or import at once"));
  }
}

void TableTransfers::ExportTableToPointInTime(ExportTableRequest request,
                                              Done<ExportResponse> done) {
  Submit<ExportResponse>([this, request = std::move(request)] { return BeginExport(request); },
                         std::move(done));
}

void TableTransfers::ImportTable(ImportTableRequest request, Done<ImportResponse> done) {
  Submit<ImportResponse>([this, request = std::move(request)] { return BeginImport(request); },
                         std::move(done));
}

void TableTransfers::DescribeExport(DescribeExportRequest request, Done<ExportResponse> done) {
  if (std::optional<ExportDescription> found = exports_.FindByArn(request.arn)) {
    done(ExportResponse{*std::move(found)});
  } else {
    done(Error(tables::reasons::kExportNotFound, StrCat("Export not found: ", request.arn)));
  }
}

void TableTransfers::DescribeImport(DescribeImportRequest request, Done<ImportResponse> done) {
  if (std::optional<ImportDescription> found = imports_.FindByArn(request.arn)) {
    done(ImportResponse{*std::move(found)});
  } else {
    done(Error(tables::reasons::kImportNotFound, StrCat("Import not found: ", request.arn)));
  }
}

void TableTransfers::ListExports(ListExportsRequest request, Done<ListExportsResponse> done) {
  done(exports_.List(request, &ListExportsResponse::exports));
}

void TableTransfers::ListImports(ListImportsRequest request, Done<ListImportsResponse> done) {
  done(imports_.List(request, &ListImportsResponse::imports));
}

Status TableTransfers::CheckWaiting() const {
  if (exports_.Unfinished().size() + imports_.Unfinished().size() < config_.waiting_max) {
    return OkStatus();
  }
  return Error::LimitExceeded(
      StrCat("Too many exports and imports are waiting; the limit is ", config_.waiting_max));
}

void TableTransfers::ForgetOld(int64_t now_ms) {
  exports_.ForgetOld(now_ms);
  imports_.ForgetOld(now_ms);
}

Result<ExportResponse> TableTransfers::BeginExport(const ExportTableRequest& request) {
  const int64_t now_ms = clock_.NowMs();
  ForgetOld(now_ms);
  ASSIGN_OR_RETURN(
      std::optional<ExportDescription> known,
      exports_.FindByToken({request.client_token, DigestOf(request), now_ms},
                           Error(tables::reasons::kExportConflict,
                                 "There was a conflict when processing the export request: the "
                                 "client token was used with other parameters")));
  if (known) {
    return ExportResponse{*std::move(known)};
  }
  RETURN_IF_ERROR(CheckWaiting());
  RETURN_IF_ERROR(CheckBucket(request.bucket));
  ASSIGN_OR_RETURN(const std::string prefix, NormalizePrefix(request.prefix));
  const std::string name = request.table_arn.substr(request.table_arn.rfind('/') + 1);
  const auto table = Await(database_, &Database::DescribeTable, DescribeTableRequest{name});
  if (!table.ok() || table->table.arn != request.table_arn) {
    return Error(tables::reasons::kTableNotFound, StrCat("Table not found: ", request.table_arn));
  }

  ExportTask task;
  task.id = NewTransferId(now_ms);
  task.root = config_.root;
  task.file_bytes = config_.file_bytes;
  task.table = WholeDefinition(table->table);
  task.table_bytes = table->table.size_bytes;
  task.source = ScratchTable(task.id);
  ASSIGN_OR_RETURN(const TableDescription scratch,
                   BeginSnapshot(backups_, {name, task.id, request.time_ms}));
  ExportDescription& description = task.description;
  description.arn = StrCat(request.table_arn, "/export/", task.id);
  description.table_arn = request.table_arn;
  description.table_id = table->table.id;
  description.time_ms =
      request.time_ms.value_or(scratch.restore ? scratch.restore->time_ms : now_ms);
  description.started_ms = now_ms;
  description.bucket = request.bucket;
  description.prefix = prefix;
  description.client_token = request.client_token;
  description.bucket_owner = request.bucket_owner;

  if (Status kept = exports_.Keep(task.id, ExportRecord{description, DigestOf(request)});
      !kept.ok()) {
    RemoveScratch(database_, task.source, [this] { return !requests_.stopping(); });
    return std::move(kept).error();
  }
  transfers_.Add([this, task](bool stopping) {
    if (!stopping) {
      DoExport(task);
    }
  });
  return ExportResponse{description};
}

void TableTransfers::DoExport(const ExportTask& task) {
  const auto outcome = RunExport(database_, task, clock_,
                                 [this](const ExportProgress&) { return !transfers_.stopping(); });
  RemoveScratch(database_, task.source, [this] { return !transfers_.stopping(); });
  // The next start tells how it ended.
  if (!outcome.ok() && transfers_.stopping()) {
    return;
  }
  ExportRecord record = exports_.Find(task.id).value();
  EndAs(record.description, outcome, clock_.NowMs());
  if (outcome.ok()) {
    LogInfo("table exported", {{"table", task.table.name},
                               {"folder", outcome->folder},
                               {"items", outcome->items},
                               {"ms", clock_.NowMs() - record.description.started_ms}});
  } else {
    LogError("a table could not be exported",
             {{"table", task.table.name}, {"reason", outcome.error().message()}});
  }
  exports_.KeepEnded(task.id, record);
}

Result<ImportResponse> TableTransfers::BeginImport(const ImportTableRequest& request) {
  const int64_t now_ms = clock_.NowMs();
  ForgetOld(now_ms);
  ASSIGN_OR_RETURN(std::optional<ImportDescription> known,
                   imports_.FindByToken(
                       {request.client_token, DigestOf(request), now_ms},
                       Error(tables::reasons::kImportConflict,
                             "There was a conflict when importing from the specified S3 source: "
                             "the client token was used with other parameters")));
  if (known) {
    return ImportResponse{*std::move(known)};
  }
  RETURN_IF_ERROR(CheckWaiting());
  RETURN_IF_ERROR(CheckBucket(request.bucket));
  ASSIGN_OR_RETURN(const std::string prefix, NormalizePrefix(request.prefix));
  ASSIGN_OR_RETURN(const TableResponse made,
                   Await(database_, &Database::CreateTable, CreateTableRequest{request.table, {}}));

  const std::string id = NewTransferId(now_ms);
  ImportRecord record{{}, DigestOf(request)};
  ImportDescription& description = record.description;
  description.arn = StrCat(made.table.arn, "/import/", id);
  description.table_arn = made.table.arn;
  description.table_id = made.table.id;
  description.table = request.table;
  description.bucket = request.bucket;
  description.prefix = prefix;
  description.gzip = request.gzip;
  description.client_token = request.client_token;
  description.started_ms = now_ms;
  description.bucket_owner = request.bucket_owner;

  if (Status kept = imports_.Keep(id, record); !kept.ok()) {
    RemoveUnused(database_, description);
    return std::move(kept).error();
  }
  transfers_.Add([this, id](bool stopping) {
    if (!stopping) {
      DoImport(id);
    }
  });
  return ImportResponse{description};
}

Status TableTransfers::ImportFiles(const std::string& id, ImportDescription& description) {
  RETURN_IF_ERROR(CheckTable(database_, description));
  const std::string folder = StrCat(config_.root, "/", description.bucket);
  auto files = ListSources(
      {folder, description.prefix, description.gzip ? SourceKind::kGzip : SourceKind::kPlain});
  if (!files.ok() && files.error().kind() == ErrorKind::kNotFound) {
    return Error::NotFound(StrCat("The specified bucket does not exist: ", description.bucket));
  }
  if (!files.ok()) {
    return std::move(files).error();
  }
  ImportProgress progress;
  const auto show = [&description](const ImportProgress& now) {
    description.processed_bytes = static_cast<int64_t>(now.done_bytes);
    description.processed_items = now.items;
    description.imported_items = now.imported;
    description.error_count = now.bad_lines;
  };
  Status imported = RunImport(
      database_, {description.table.name, description.table.keys, *files},
      [&](const ImportProgress& now) {
        show(now);
        imports_.Show(id, description);
        return !transfers_.stopping();
      },
      progress);
  show(progress);
  if (imported.ok() && progress.bad_lines > 0) {
    return Error::Validation(StrCat(
        "Some of the items failed validation checks, the first of them in ", progress.first_error));
  }
  return imported;
}

void TableTransfers::DoImport(const std::string& id) {
  ImportRecord record = imports_.Find(id).value();
  ImportDescription& description = record.description;
  Status imported = ImportFiles(id, description);
  if (!imported.ok() && transfers_.stopping()) {
    return;
  }
  // This is why, whatever else went wrong.
  if (Status same = CheckTable(database_, description); !same.ok()) {
    imported = std::move(same);
  }
  EndAs(description, imported, clock_.NowMs());
  if (imported.ok()) {
    LogInfo("table imported", {{"table", description.table.name},
                               {"items", description.imported_items},
                               {"errors", description.error_count},
                               {"ms", clock_.NowMs() - description.started_ms}});
  } else {
    LogError("a table could not be imported",
             {{"table", description.table.name}, {"reason", imported.error().message()}});
    // A table that has got nothing would only be in the way of the next attempt.
    if (description.imported_items == 0) {
      RemoveUnused(database_, description);
    }
  }
  imports_.KeepEnded(id, record);
}

}  // namespace tintype::tables::transfer
