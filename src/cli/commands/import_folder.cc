#include "cli/commands/import_folder.h"

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "cli/commands/account_named.h"
#include "cli/console/console.h"
#include "cli/console/interruption.h"
#include "contexts/catalog/catalog.h"
#include "imports/folder_source.h"
#include "imports/import.h"

namespace tintype::cli {
namespace {

using imports::ImportHost;
using imports::ImportProgress;
using imports::ImportRequest;
using imports::ImportResult;

/// A line for each.
std::string Lines(const AdminFields::Texts& texts) {
  std::string lines;
  for (const std::string& text : texts) {
    StrAppend(lines, OneLine(text), "\n");
  }
  return lines;
}

bool Report(const ProgressReport& report, const ImportRequest& request,
            const ImportProgress& progress) {
  if (progress.counting) {
    return report({"files found", progress.files_total, 0});
  }
  if (progress.developing_total > 0) {
    ProgressStep step;
    step.stage = "developing";
    step.done = progress.developed;
    step.total = progress.developing_total;
    step.unit = "photos";
    return report(step);
  }
  ProgressStep step;
  step.stage = request.dry_run ? "dry run" : "import";
  step.done = progress.bytes;
  step.total = progress.bytes_total;
  step.detail = StrCat(progress.files, " of ", progress.files_total, " files",
                       progress.waiting ? ", waiting for photos to be developed" : "");
  return report(step);
}

AdminFields FieldsOf(const ImportResult& result) {
  int64_t unsupported = 0;
  std::vector<std::string> types;
  for (const auto& [type, count] : result.unsupported) {
    unsupported += count;
    types.push_back(StrCat(type, " ", count));
  }
  AdminFields fields = {{"files", result.files},
                        {"imported", result.imported},
                        {"imported_bytes", result.imported_bytes},
                        {"known", result.known},
                        {"duplicates", result.duplicates},
                        {"restored", result.restored},
                        {"failed", result.failed},
                        {"unsupported", unsupported},
                        {"unsupported_types", StrJoin(types, ", ")},
                        {"unsupported_files", result.unsupported_files},
                        {"hidden", result.passed_over.hidden},
                        {"links", result.passed_over.links},
                        {"special", result.passed_over.special},
                        {"problems", result.problems},
                        {"damaged", result.damaged},
                        {"damaged_files", result.damaged_files},
                        {"undeveloped", result.undeveloped}};
  if (result.over_limit) {
    fields.Set("over_limit", *result.over_limit);
  }
  if (result.stopped) {
    fields.Set("stopped", result.stopped->message());
  }
  return fields;
}

Result<AdminFields> Import(const ProductHost& host, uint64_t file_bytes_max,
                           const AdminFields& arguments, const ProgressReport& report) {
  ImportRequest request;
  ASSIGN_OR_RETURN(const std::string folder, arguments.Text("folder"));
  ASSIGN_OR_RETURN(const std::string leave_out, arguments.Text("leave_out"));
  ASSIGN_OR_RETURN(request.dry_run, arguments.Flag("dry_run"));
  ASSIGN_OR_RETURN(const std::string user, arguments.Text("user"));
  ASSIGN_OR_RETURN(const std::string album, arguments.Text("album"));
  request.album_id = album.empty() ? std::nullopt : std::optional(album);
  request.file_bytes_max = file_bytes_max;
  if (!folder.starts_with('/')) {
    return Error::Validation("The folder's path must be absolute.");
  }
  contexts::catalog::DetailsChange details;
  details.album_id = request.album_id;
  RETURN_IF_ERROR(contexts::catalog::CheckDetails(details));
  ASSIGN_OR_RETURN(const flows::Account account, AccountNamed(host.product, user));
  const ImportHost import_host{host.has_workers, [&](const ImportProgress& progress) {
                                 return Report(report, request, progress);
                               }};
  imports::FolderSource source(folder, leave_out);
  ASSIGN_OR_RETURN(const ImportResult result,
                   imports::Import(host.product, account, source, request, import_host));
  AdminFields fields = FieldsOf(result);
  if (result.stopped && result.stopped->Is(contexts::people::kUploadLimitReached)) {
    // The person who runs this command can do something about it.
    fields.Set("stopped", StrCat("The upload limit of ", account.username,
                                 " is used up. 'tintype users limit ", account.username,
                                 " +NUMBER' gives more uploads, 'none' instead of the number takes "
                                 "the limit away; then run the import again, which continues."));
  }
  if (result.stopped && result.stopped->Is(contexts::intake::kQuotaExceeded)) {
    fields.Set("stopped", StrCat("There is no room left in the quota of ", account.username,
                                 ". 'tintype users quota ", account.username,
                                 " SIZE' gives more, 'none' instead of the size takes the quota "
                                 "away; then run the import again, which continues."));
  }
  return fields;
}

/// What came of it, for a person.
Result<std::string> Summary(const AdminFields& fields, bool dry_run) {
  ASSIGN_OR_RETURN(const int64_t files, fields.Number("files"));
  ASSIGN_OR_RETURN(const int64_t imported, fields.Number("imported"));
  ASSIGN_OR_RETURN(const int64_t bytes, fields.Number("imported_bytes"));
  ASSIGN_OR_RETURN(const int64_t known, fields.Number("known"));
  ASSIGN_OR_RETURN(const int64_t duplicates, fields.Number("duplicates"));
  ASSIGN_OR_RETURN(const int64_t restored, fields.Number("restored"));
  ASSIGN_OR_RETURN(const int64_t failed, fields.Number("failed"));
  ASSIGN_OR_RETURN(const int64_t unsupported, fields.Number("unsupported"));
  ASSIGN_OR_RETURN(const std::string types, fields.Text("unsupported_types"));
  ASSIGN_OR_RETURN(const AdminFields::Texts unsupported_files, fields.List("unsupported_files"));
  ASSIGN_OR_RETURN(const AdminFields::Texts problems, fields.List("problems"));
  ASSIGN_OR_RETURN(const int64_t damaged, fields.Number("damaged"));
  ASSIGN_OR_RETURN(const AdminFields::Texts damaged_files, fields.List("damaged_files"));
  ASSIGN_OR_RETURN(const int64_t undeveloped, fields.Number("undeveloped"));
  ASSIGN_OR_RETURN(const int64_t hidden, fields.Number("hidden"));
  ASSIGN_OR_RETURN(const int64_t links, fields.Number("links"));
  ASSIGN_OR_RETURN(const int64_t special, fields.Number("special"));
  std::string text;
  if (unsupported > 0) {
    StrAppend(text, "no photos:\n", Lines(unsupported_files));
  }
  if (failed > 0) {
    StrAppend(text, "not imported:\n", Lines(problems));
  }
  if (damaged > 0) {
    StrAppend(text, "imported, but damaged:\n", Lines(damaged_files));
  }
  StrAppend(text, files, " files: ", imported, dry_run ? " would be imported (" : " imported (",
            FormatBytes(static_cast<uint64_t>(bytes)), "), ", known, " imported before, ");
  if (!dry_run) {
    StrAppend(text, duplicates, " duplicates",
              restored > 0 ? StrCat(" (", restored, " came back from the trash)") : "", ", ");
  }
  StrAppend(text, unsupported, " of other types", types.empty() ? "" : StrCat(" (", types, ")"),
            ", ", failed, " failed");
  if (undeveloped > 0) {
    StrAppend(text, "\n", undeveloped, " of them are not developed yet");
  }
  if (const auto over_limit = fields.Number("over_limit"); over_limit.ok() && *over_limit > 0) {
    StrAppend(text, "\n", *over_limit,
              " of them would not fit the account's upload limit, unless they are duplicates; "
              "'tintype users limit' raises it");
  }
  if (hidden + links + special > 0) {
    StrAppend(text, "\npassed over: ", hidden, " hidden, ", links, " symbolic links, ", special,
              " special files");
  }
  return text;
}

/// Where the folder is, as the server sees it, and what of it is the server's own.
Result<AdminFields> RequestFor(const ImportArguments& arguments, const ServeConfig& config) {
  std::error_code failed;
  const std::string folder = std::filesystem::canonical(arguments.folder, failed).string();
  if (failed) {
    return Error::NotFound(StrCat("Cannot read ", arguments.folder, ": ", failed.message()));
  }
  if (!std::filesystem::is_directory(folder, failed)) {
    return Error::Validation(StrCat(arguments.folder, " is not a folder"));
  }
  const std::string data = std::filesystem::weakly_canonical(config.data_dir, failed).string();
  if (folder == data || folder.starts_with(data + "/")) {
    return Error::Validation(
        StrCat(arguments.folder, " is in the data directory, whose photos are imported already"));
  }
  return AdminFields{{"folder", folder},
                     {"leave_out", data},
                     {"user", arguments.user},
                     {"album", arguments.album},
                     {"dry_run", arguments.dry_run}};
}

}  // namespace

Status RunImportFolder(const ImportArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const Interruption interruption;
  const Result<AdminFields> request = RequestFor(arguments, config);
  if (!request.ok()) {
    return console.Fail(request.error());
  }
  const auto fields =
      DoOnProduct(config, {"import-folder", *request}, ImportFolderCommand(config.upload_bytes_max),
                  [show = console.report()](const ProgressStep& step) {
                    return show(step) && !Interruption::requested();
                  });
  if (!fields.ok()) {
    const Error& error = fields.error();
    return console.Fail(
        Interruption::requested() || error.kind() == ErrorKind::kUnavailable
            ? Error(ErrorKind::kUnavailable,
                    StrCat(Interruption::requested() ? "Interrupted" : error.message(),
                           ". The same command goes on where this one ended"))
            : error);
  }
  ASSIGN_OR_RETURN(const std::string text, Summary(*fields, arguments.dry_run));
  RETURN_IF_ERROR(console.End(OkStatus(), *fields, text));
  if (const auto stopped = fields->Text("stopped"); stopped.ok()) {
    return Error(ErrorKind::kUnavailable, StrCat("It ended before it was through: ", *stopped));
  }
  ASSIGN_OR_RETURN(const int64_t failed, fields->Number("failed"));
  return failed > 0 ? Status(Error::Io(StrCat(failed, " were not imported"))) : OkStatus();
}

ProductCommand ImportFolderCommand(uint64_t file_bytes_max) {
  // Shared by all calls: two runs would take each other's uploads for interrupted ones.
  const auto running = std::make_shared<std::atomic<bool>>(false);
  return [running, file_bytes_max](const ProductHost& host) -> AdminCommand {
    return [running, file_bytes_max, host](const AdminFields& arguments,
                                           const ProgressReport& report) -> Result<AdminFields> {
      if (running->exchange(true)) {
        return Error::InUse("Another import is in progress. Try again when it has ended.");
      }
      Result<AdminFields> result = Import(host, file_bytes_max, arguments, report);
      *running = false;
      return result;
    };
  };
}

}  // namespace tintype::cli
