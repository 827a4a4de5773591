#include "cli/commands/backup.h"

#include <unistd.h>

#include <sys/stat.h>

#include <cstdio>
#include <ctime>
#include <limits>
#include <optional>
#include <utility>

#include "access/audit/audit_kinds.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/logging.h"
#include "base/strings.h"
#include "cli/admin/client.h"
#include "cli/admin/message.h"
#include "cli/audit/pending_acts.h"
#include "cli/backup/create.h"
#include "cli/backup/directory.h"
#include "cli/backup/restore.h"
#include "cli/backup/verify.h"
#include "cli/console/console.h"
#include "cli/console/progress.h"
#include "cli/master_key/master_key.h"
#include "cli/settings/blob_place.h"
#include "cli/settings/data_directory.h"
#include "crypto/secret_key.h"
#include "tables/language/errors.h"

namespace tintype::cli {
namespace {

int64_t Signed(uint64_t number) { return static_cast<int64_t>(number); }

AdminFields FieldsOf(const BackupOutcome& outcome) {
  return {{"id", Signed(outcome.id)},           {"files", Signed(outcome.files)},
          {"bytes", Signed(outcome.bytes)},     {"new_bytes", Signed(outcome.new_bytes)},
          {"removed", Signed(outcome.removed)}, {"master_key", outcome.master_key}};
}

Result<BackupOutcome> OutcomeOf(const AdminFields& fields) {
  BackupOutcome outcome;
  ASSIGN_OR_RETURN(const int64_t id, fields.Number("id"));
  outcome.id = static_cast<uint32_t>(id);
  for (const auto& [name, member] : {std::pair("files", &outcome.files),
                                     {"bytes", &outcome.bytes},
                                     {"new_bytes", &outcome.new_bytes},
                                     {"removed", &outcome.removed}}) {
    ASSIGN_OR_RETURN(const int64_t number, fields.Number(name));
    *member = static_cast<uint64_t>(number);
  }
  ASSIGN_OR_RETURN(outcome.master_key, fields.Text("master_key"));
  return outcome;
}

/// For when no server runs.
Result<BackupOutcome> CreateHere(const BackupRequest& request, const ServeConfig& config,
                                 const ProgressReport& report) {
  // RocksDB creates its files for everyone to read.
  ::umask(077);
  auto tables = OpenEmbeddedTables(DataDirectory{request.data_dir}, config, "backup");
  if (!tables.ok() && tables.error().Is(tables::reasons::kAlreadyOpen)) {
    return Error(tables::reasons::kAlreadyOpen,
                 StrCat("The data directory ", request.data_dir,
                        " is in use by a process that does not answer at its ", kAdminSocketName,
                        ". If it is a server that is just starting, try again."));
  }
  if (!tables.ok()) {
    return std::move(tables).error();
  }
  return CreateBackup(*(*tables)->embedded(), request, SystemClock(), report);
}

Result<BackupOutcome> CreateAnywhere(const BackupArguments& arguments, const ServeConfig& config,
                                     const ProgressReport& report) {
  ASSIGN_OR_RETURN(const DataDirectory directory, OpenDataDirectory(config.data_dir));
  const BackupRequest request{directory.path, AbsolutePath(arguments.directory), arguments.keep,
                              config.master_key.file};
  ASSIGN_OR_RETURN(std::optional<AdminClient> server, AdminClient::Connect(directory.path));
  if (!server) {
    ASSIGN_OR_RETURN(const BackupOutcome outcome, CreateHere(request, config, report));
    RETURN_IF_ERROR(RecordAct(
        directory, {std::string(access::audit::kBackUpDirectory), request.to, "backup create"}));
    return outcome;
  }
  ASSIGN_OR_RETURN(
      const AdminFields fields,
      server->Call({"backup", {{"to", request.to}, {"keep", Signed(request.keep)}}}, report));
  return OutcomeOf(fields);
}

/// The key that was named, else the one in the data directory, if there is one.
Result<VerifyKeys> FindKeys(const MasterKeyConfig& config) {
  if (!config.source.IsDefault()) {
    ASSIGN_OR_RETURN(crypto::SecretKey named, LoadNamedMasterKey(config.source));
    return VerifyKeys{std::move(named), true};
  }
  const auto beside =
      ReadMasterKeyFile(DataDirectory{config.data_dir}.master_key(), /*private_only=*/false);
  return beside.ok() ? VerifyKeys{*beside, false} : VerifyKeys{};
}

std::string FormatTime(int64_t ms) {
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  char text[32] = "";
  if (::gmtime_r(&seconds, &parts) != nullptr) {
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  }
  return text;
}

void PrintListed(const ListedBackup& backup, bool json) {
  if (!backup.manifest.ok()) {
    const std::string& why = backup.manifest.error().message();
    Console::Print(json ? FormatMessage({"backup", {{"id", Signed(backup.id)}, {"damage", why}}})
                        : StrCat(backup.id, "  damaged: ", why));
    return;
  }
  const BackupManifest& manifest = *backup.manifest;
  if (json) {
    Console::Print(FormatMessage({"backup",
                                  {{"id", Signed(manifest.id)},
                                   {"created", FormatTime(manifest.created_ms)},
                                   {"files", Signed(manifest.files.size())},
                                   {"bytes", Signed(manifest.bytes())},
                                   {"new_bytes", Signed(manifest.new_bytes)}}}));
    return;
  }
  std::printf("%-6u %-22s %8zu %12s %12s\n", manifest.id, FormatTime(manifest.created_ms).c_str(),
              manifest.files.size(), FormatBytes(manifest.bytes()).c_str(),
              FormatBytes(manifest.new_bytes).c_str());
}

/// Says which photos are not in a backup.
void AddPlaceOfPhotos(const DataDirectory& directory, std::string& text) {
  const auto place = FindBlobPlace(directory);
  if (place.ok() && *place && (*place)->s3) {
    StrAppend(text, "\nThe photos are not in it: they are ", DescribeBlobPlace(**place), ".");
  }
}

}  // namespace

Status RunBackupCreate(const BackupArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto outcome = CreateAnywhere(arguments, config, console.report());
  if (!outcome.ok()) {
    return console.Fail(outcome.error());
  }
  std::string text = StrCat(
      "backup ", outcome->id, " in ", arguments.directory, ": ", outcome->files, " files, ",
      FormatBytes(outcome->bytes), ", of which ", FormatBytes(outcome->new_bytes), " are new",
      outcome->removed == 0 ? "" : StrCat("; removed ", outcome->removed, " older"));
  if (!outcome->master_key.empty()) {
    StrAppend(text, "\nTo open it takes the master key ", outcome->master_key,
              ", which is not in it: keep a copy of that key in another place.");
  }
  AddPlaceOfPhotos(DataDirectory{config.data_dir}, text);
  return console.End(OkStatus(), FieldsOf(*outcome), text);
}

Status RunBackupList(const BackupArguments& arguments) {
  ASSIGN_OR_RETURN(const LockedBackupDirectory directory,
                   OpenBackupsForReading(AbsolutePath(arguments.directory)));
  ASSIGN_OR_RETURN(const std::vector<ListedBackup> backups, ListBackups(directory));
  if (!arguments.json) {
    std::printf("%-6s %-22s %8s %12s %12s\n", "id", "created", "files", "size", "new");
  }
  for (const ListedBackup& backup : backups) {
    PrintListed(backup, arguments.json);
  }
  return OkStatus();
}

Status RunBackupVerify(const BackupArguments& arguments, const MasterKeyConfig& config) {
  Console console(arguments.json);
  const auto keys = FindKeys(config);
  if (!keys.ok()) {
    return console.Fail(keys.error());
  }
  const auto outcome =
      VerifyBackup(AbsolutePath(arguments.directory), arguments.id, *keys, console.report());
  if (!outcome.ok()) {
    return console.Fail(outcome.error());
  }
  if (!outcome->damages.empty()) {
    for (const std::string& damage : outcome->damages) {
      console.PrintDamage(damage);
    }
    return console.Fail(Error::Corruption(
        StrCat("Backup ", outcome->id, " in ", arguments.directory,
               " is damaged: ", outcome->damages.size(), " of ", outcome->files, " files")));
  }
  return console.End(
      OkStatus(),
      {{"id", Signed(outcome->id)},
       {"files", Signed(outcome->files)},
       {"bytes", Signed(outcome->bytes)},
       {"tables_read", outcome->tables_read}},
      StrCat("backup ", outcome->id, " is whole: ", outcome->files, " files, ",
             FormatBytes(outcome->bytes),
             outcome->tables_read ? ""
                                  : "; its master key was not at hand, so the tables "
                                    "were compared with their checksums only"));
}

Status RunRestore(const BackupArguments& arguments, const std::string& data_dir) {
  Console console(arguments.json);
  const auto outcome = RestoreBackup(
      {AbsolutePath(arguments.directory), arguments.id, AbsolutePath(data_dir)}, console.report());
  if (!outcome.ok()) {
    return console.Fail(outcome.error());
  }
  AdminFields fields = {{"id", Signed(outcome->id)},
                        {"files", Signed(outcome->files)},
                        {"bytes", Signed(outcome->bytes)},
                        {"needs_master_key", !outcome->master_key.empty()},
                        {"master_key", outcome->master_key}};
  std::string text = StrCat("restored backup ", outcome->id, " to ", data_dir, ": ", outcome->files,
                            " files, ", FormatBytes(outcome->bytes));
  if (!outcome->master_key.empty()) {
    StrAppend(text, "\nStill needed: the master key ", outcome->master_key,
              ", which the directory had when it was backed up. Put it there as ",
              DataDirectory{data_dir}.master_key(), ", or name it with --master-key-file.");
  }
  const std::string credentials = DataDirectory{data_dir}.credentials();
  if (::access(credentials.c_str(), F_OK) != 0) {
    StrAppend(text, "\nThe first start makes a new root key, ", credentials,
              ": that of before is not in the backup.");
  }
  // The record's text is checked when the directory is served.
  const auto place = FindBlobPlace(DataDirectory{data_dir});
  if (place.ok() && *place && (*place)->s3) {
    const BucketNames& buckets = (*place)->buckets;
    fields.Set("needs_buckets", AdminFields::Texts{buckets.uploads, buckets.images});
    StrAppend(text, "\nStill needed: the photos, which are ", DescribeBlobPlace(**place),
              " and not in backups. Serve with ", BlobFlagsFor(**place),
              " and the access key for S3.");
  }
  return console.End(OkStatus(), fields, text);
}

AdminCommand BackupCommand(EmbeddedTables& tables, const ServeConfig& config) {
  return [&tables, &config](const AdminFields& arguments,
                            const ProgressReport& report) -> Result<AdminFields> {
    BackupRequest request;
    request.data_dir = config.data_dir;
    request.master_key_file = config.master_key.file;
    ASSIGN_OR_RETURN(request.to, arguments.Text("to"));
    ASSIGN_OR_RETURN(const int64_t keep, arguments.Number("keep"));
    // The server's own current directory means nothing to whoever asks.
    if (!request.to.starts_with('/') || keep < 0 || keep > std::numeric_limits<uint32_t>::max()) {
      return Error::Validation("'to' must be an absolute path, and 'keep' not negative");
    }
    request.to = AbsolutePath(request.to);
    request.keep = static_cast<uint32_t>(keep);
    ASSIGN_OR_RETURN(const BackupOutcome outcome,
                     CreateBackup(tables, request, SystemClock(), report));
    LogInfo("backup created", {{"to", request.to},
                               {"id", outcome.id},
                               {"bytes", outcome.bytes},
                               {"new_bytes", outcome.new_bytes}});
    return FieldsOf(outcome);
  };
}

}  // namespace tintype::cli
