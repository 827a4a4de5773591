#include "cli/commands/table.h"

#include <sys/stat.h>

#include <ctime>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/files.h"
#include "base/logging.h"
#include "base/strings.h"
#include "cli/admin/client.h"
#include "cli/audit/audited_commands.h"
#include "cli/audit/open_audit.h"
#include "cli/console/console.h"
#include "cli/settings/data_directory.h"
#include "tables/transfer/export_table.h"
#include "tables/transfer/import_table.h"

namespace tintype::cli {
namespace {

using tables::transfer::ExportOutcome;
using tables::transfer::ExportProgress;
using tables::transfer::ExportToRequest;
using tables::transfer::ImportFromRequest;
using tables::transfer::ImportOutcome;
using tables::transfer::ImportProgress;

constexpr int64_t kNoTime = -1;

/// Seconds since 1970 of a time such as 2030-01-31T12:00:00Z.
Result<int64_t> ParseTime(const std::string& text) {
  std::tm parts{};
  const char* end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end == nullptr || *end != '\0') {
    return Error::Validation(
        StrCat("--time: '", text, "' is not a time such as 2030-01-31T12:00:00Z"));
  }
  return static_cast<int64_t>(::timegm(&parts));
}

Result<AdminFields> Export(EmbeddedTables& tables, const AdminFields& arguments,
                           const ProgressReport& report, const Serving& serving) {
  ExportToRequest request;
  request.may_wait = serving;
  ASSIGN_OR_RETURN(request.table, arguments.Text("table"));
  ASSIGN_OR_RETURN(request.folder, arguments.Text("folder"));
  ASSIGN_OR_RETURN(const int64_t time_s, arguments.Number("time"));
  if (time_s != kNoTime) {
    request.time_ms = time_s * 1000;
  }
  ASSIGN_OR_RETURN(const ExportOutcome outcome,
                   ExportTableTo(tables.database(), tables.backups(), request, SystemClock(),
                                 [&report](const ExportProgress& progress) {
                                   return report({progress.recovering ? "recover" : "export",
                                                  progress.done_bytes, progress.total_bytes});
                                 }));
  return AdminFields{{"folder", outcome.folder},
                     {"items", outcome.items},
                     {"bytes", outcome.bytes},
                     {"files", outcome.files}};
}

Result<AdminFields> Import(EmbeddedTables& tables, const AdminFields& arguments,
                           const ProgressReport& report, const Serving& /*serving*/) {
  ImportFromRequest request;
  ASSIGN_OR_RETURN(request.table, arguments.Text("table"));
  ASSIGN_OR_RETURN(request.folder, arguments.Text("folder"));
  ASSIGN_OR_RETURN(
      const ImportOutcome outcome,
      ImportTableFrom(tables.database(), request, [&report](const ImportProgress& progress) {
        return report({"import", progress.done_bytes, progress.total_bytes});
      }));
  const ImportProgress& progress = outcome.progress;
  return AdminFields{{"created", outcome.created},
                     {"files", static_cast<int64_t>(outcome.files)},
                     {"items", progress.imported},
                     {"errors", progress.bad_lines},
                     {"first_error", progress.first_error}};
}

using Operation = Result<AdminFields> (*)(EmbeddedTables&, const AdminFields&,
                                          const ProgressReport&, const Serving&);

/// The server's own current directory means nothing to whoever asks.
AdminCommand CommandOf(EmbeddedTables& tables, Operation operation, Serving serving) {
  return [&tables, operation, serving = std::move(serving)](
             const AdminFields& arguments, const ProgressReport& report) -> Result<AdminFields> {
    ASSIGN_OR_RETURN(const std::string folder, arguments.Text("folder"));
    if (!folder.starts_with('/')) {
      return Error::Validation("'folder' must be an absolute path");
    }
    return operation(tables, arguments, report, serving);
  };
}

/// By the server that has the data directory open, else by this process.
Result<AdminFields> DoAnywhere(std::string_view command, const AdminMessage& message,
                               Operation operation, const ServeConfig& config,
                               const ProgressReport& report) {
  ASSIGN_OR_RETURN(const DataDirectory directory, OpenDataDirectory(config.data_dir));
  ASSIGN_OR_RETURN(std::optional<AdminClient> server, AdminClient::Connect(directory.path));
  if (server) {
    return server->Call(message, report);
  }
  // RocksDB creates its files for everyone to read.
  ::umask(077);
  ASSIGN_OR_RETURN(const auto tables, OpenEmbeddedTables(directory, config, command));
  ASSIGN_OR_RETURN(const auto audit, OpenAudit(config, directory, *tables));
  const AdminCommand here = [&](const AdminFields& arguments, const ProgressReport& progress) {
    return operation(*tables->embedded(), arguments, progress, [] { return true; });
  };
  return Audited(message.name, here, *audit)(message.fields, report);
}

}  // namespace

Status RunTableExport(const TableArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  int64_t time_s = kNoTime;
  if (!arguments.time.empty()) {
    const auto parsed = ParseTime(arguments.time);
    if (!parsed.ok()) {
      return console.Fail(parsed.error());
    }
    time_s = *parsed;
  }
  const auto fields = DoAnywhere(
      "table export",
      {"table-export",
       {{"table", arguments.table}, {"folder", AbsolutePath(arguments.folder)}, {"time", time_s}}},
      Export, config, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const int64_t items, fields->Number("items"));
  ASSIGN_OR_RETURN(const int64_t bytes, fields->Number("bytes"));
  ASSIGN_OR_RETURN(const std::string folder, fields->Text("folder"));
  return console.End(OkStatus(), *fields,
                     StrCat("exported ", items, " items, ",
                            FormatBytes(static_cast<uint64_t>(bytes)), ", to ", folder));
}

Status RunTableImport(const TableArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto fields = DoAnywhere(
      "table import",
      {"table-import", {{"table", arguments.table}, {"folder", AbsolutePath(arguments.folder)}}},
      Import, config, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const int64_t items, fields->Number("items"));
  ASSIGN_OR_RETURN(const int64_t errors, fields->Number("errors"));
  ASSIGN_OR_RETURN(const int64_t files, fields->Number("files"));
  ASSIGN_OR_RETURN(const std::string first_error, fields->Text("first_error"));
  Status status =
      console.End(OkStatus(), *fields, StrCat("imported ", items, " items from ", files, " files"));
  if (status.ok() && errors > 0) {
    return Error::Validation(
        StrCat(errors, " lines could not be imported, the first of them ", first_error));
  }
  return status;
}

AdminCommand TableExportCommand(EmbeddedTables& tables, Serving serving) {
  return CommandOf(tables, Export, std::move(serving));
}

AdminCommand TableImportCommand(EmbeddedTables& tables) {
  return CommandOf(tables, Import, [] { return true; });
}

}  // namespace tintype::cli
