#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/strings.h"
#include "cli/backlog.h"
#include "cli/backup.h"
#include "cli/bench_engine.h"
#include "cli/keys.h"
#include "cli/master_key/rotate.h"
#include "cli/scrub.h"
#include "cli/serve.h"
#include "cli/settings/config.h"
#include "cli/table.h"

namespace tintype::cli {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

constexpr const char* kOverview =
    "Tintype: your photos, and tables that speak DynamoDB, on your own machine.\n\n"
    "  tintype serve                     serve ./data; the first start creates it, and a key\n"
    "  tintype keys create app           another access key, as an AWS profile\n"
    "  tintype backup create --to DIR    copy the data directory, also while served\n"
    "  tintype restore DIR --data-dir D  make a data directory from a backup\n"
    "  tintype table export|import       a table to or from files of DynamoDB JSON\n"
    "  tintype scrub                     whether every photo has its files, and every file a "
    "photo\n"
    "  tintype backlog list              work in the background that was given up\n"
    "  tintype bench engine              how fast the tables are on this machine\n"
    "  tintype COMMAND --help            the settings of a command, with examples\n";

constexpr const char* kServeFooter = R"(
Every setting can also stand in the environment (--data-dir is TINTYPE_DATA_DIR) or in tintype.toml
(data-dir = "./data"). A flag wins over the environment, the environment over the file. A relative
path counts from the current directory, also one that stands in a file elsewhere.

The root key of a new data directory is generated, unless TINTYPE_ROOT_ACCESS_KEY_ID and
TINTYPE_ROOT_SECRET_ACCESS_KEY give it; with _FILE appended they name files that hold the values.

Examples
  tintype serve
  tintype serve --data-dir /srv/tintype --dynamodb-address 0.0.0.0:8000
  tintype serve --dynamodb-address 127.0.0.1:0     a free port; see the line 'dynamodb HOST:PORT'
  tintype serve --dynamodb-address 0.0.0.0:8000 --tls-certificate server.pem --tls-key server.key

  export AWS_SHARED_CREDENTIALS_FILE=data/credentials
  aws --endpoint-url http://127.0.0.1:8000 dynamodb list-tables

When it is ready, the first lines of standard output are 'http HOST:PORT', 'dynamodb HOST:PORT',
'metrics HOST:PORT' and 'ready'. Logs go to standard error. SIGINT or SIGTERM stops it once what it
has accepted is answered; a second signal stops it at once, and loses nothing that was answered.

Exit codes: 0 stopped as asked, 1 failed, 2 wrong usage or settings, 3 the disk failed while serving,
128+N ended by signal N.)";

constexpr const char* kKeysFooter = R"(
Access keys live in the data directory's file 'credentials', which AWS clients read as it is. A running
server notices a change within a second.

The master key, which the tables are encrypted under, is another matter: 'rotate-master' replaces it while
the server is stopped, without rewriting the tables.

Examples
  tintype keys list
  tintype keys create app
  tintype keys delete app
  tintype keys rotate-master
  tintype keys rotate-master --new-master-key-file /srv/secrets/tintype.key
  AWS_SHARED_CREDENTIALS_FILE=data/credentials AWS_PROFILE=app aws ...)";

constexpr const char* kBackupFooter = R"(
A backup holds the whole data directory as of one moment, but for the master key: keep that elsewhere,
or the backup cannot be read. It is made by the server while that runs, without stopping anything.
The first backup to a directory copies everything, later ones what has changed since. Each of them is
whole: older ones can go (--keep) without harm to newer ones.

'verify' reads every byte of a backup and names what is damaged. With the master key, from the settings
or from --data-dir, it also decrypts the tables. Exit codes: 0 done, 1 failed or damaged, 2 wrong usage.

Examples
  tintype backup create --to /mnt/disk/tintype --keep 14
  tintype backup list /mnt/disk/tintype
  tintype backup verify /mnt/disk/tintype
  tintype restore /mnt/disk/tintype --data-dir ./restored)";

constexpr const char* kRestoreFooter = R"(
The new data directory must not exist yet, or be empty; it appears once everything is in it and checked.
Serving it takes the master key that the backed-up directory had.

Examples
  tintype restore /mnt/disk/tintype --data-dir ./restored
  tintype restore /mnt/disk/tintype --id 12 --data-dir ./restored
  tintype serve --data-dir ./restored)";

constexpr const char* kRotateFooter = R"(
The server must be stopped. No table is rewritten: what is encrypted under the master key is the small file
'tables/KEYS', with the keys that the tables' files use. Files written from now on use a new one of those.
Killed at any moment, it leaves a key in its place that opens the tables. --master-key-file and the like
name the key that is in use. A backup is opened with the master key of its time: keep the old one as long.

Examples
  tintype keys rotate-master
  tintype keys rotate-master --new-master-key-file /srv/secrets/tintype.key      moves the key out
  tintype keys rotate-master --master-key-file old.key --new-master-key-file new.key)";

constexpr const char* kTableFooter = R"(
An export is laid out as DynamoDB's own exports to S3 are, below DIR/AWSDynamoDB: gzip files with a line of
JSON per item, and manifests with their checksums. 'table.json' beside them is ours: how to create the table.
A table with point-in-time recovery is exported as of one moment, --time or now; one without is read while
it changes, as a Scan does, unless no server runs. The files are not encrypted.

An import reads all *.json and *.json.gz files in DIR, also those of an export from AWS. Items with keys
that the table has replace its items. A table that does not exist is created from 'table.json'. Lines that
cannot be imported are counted and passed over; then the exit code is 1.

Examples
  tintype table export --table photos --to /mnt/disk/photos
  tintype table export --table photos --to /mnt/disk/photos --time 2030-01-31T12:00:00Z
  tintype table import --table photos-copy --from /mnt/disk/photos)";

constexpr const char* kBenchFooter = R"(
It works in a scratch directory that it removes again; no running server is touched.

Examples
  tintype bench engine
  tintype bench engine --items 1000000 --scratch-dir /srv --json)";

/// Adds `--name` for a setting. The text is only collected here: what wins over what is decided in
/// config.cc, because CLI11 would let a file win over the environment.
void AddSetting(CLI::App& command, const Setting& setting, SettingValues& flags) {
  std::string help(setting.help);
  if (!setting.fallback.empty()) {
    StrAppend(help, "\nDefault: ", setting.fallback);
  }
  command
      .add_option_function<std::string>(
          StrCat("--", setting.name),
          [&flags, name = std::string(setting.name)](const std::string& value) {
            flags[name] = value;
          },
          help)
      ->option_text(std::string(setting.value_hint));
}

constexpr Setting kConfigSetting{"config", "FILE", "tintype.toml, if there is one",
                                 "The file to read settings from."};

constexpr const char* kScrubFooter = R"(
Looks at every image's records in all tables and at every file in 'blobs', and changes nothing. What a worker
is at is left out. A server that runs does it while it serves; else the data directory is opened for it.
Exit codes: 0 everything fits, 1 something does not, 2 wrong usage.)";

constexpr const char* kBacklogFooter = R"(
What is done in the background, such as developing a photo, is tried again when it fails, and is dead when it
has failed too often; its last error says why. Once the cause is mended, replaying has it tried as if new.
A server that runs is asked; else the data directory is opened.

Examples
  tintype backlog list
  tintype backlog list --status delayed
  tintype backlog replay develop-01ARZ3NDEKTSV4RRFFQ69G5FAV
  tintype backlog replay --all)";

/// What the command line asked for.
struct Invocation {
  SettingValues flags;
  std::string profile;
  BackupArguments backup;
  std::string restore_to;
  TableArguments table;
  ScrubArguments scrub;
  BacklogArguments backlog;
  std::string new_master_key_file;
  BenchEngineConfig bench{.scratch = std::filesystem::temp_directory_path().string()};
};

/// What `tintype --version` prints.
constexpr const char* kVersion = "tintype " TINTYPE_VERSION;

/// `tintype backup` and `tintype restore`.
void DescribeBackupCommands(CLI::App& app, Invocation& invocation) {
  CLI::App* backup = app.add_subcommand("backup", "Back up the data directory; list, verify.");
  backup->require_subcommand(1);
  backup->footer(kBackupFooter);
  CLI::App* create = backup->add_subcommand("create", "Add a backup to a backup directory.");
  create
      ->add_option("--to", invocation.backup.directory,
                   "The backup directory, best on another disk. Created if absent.")
      ->required()
      ->option_text("DIR");
  create
      ->add_option("--keep", invocation.backup.keep,
                   "Then remove all but the newest N.\nDefault: all are kept")
      ->check(CLI::Range(uint32_t{1}, uint32_t{1'000'000}))
      ->option_text("N");
  AddSetting(*create, FindSetting("encryption"), invocation.flags);
  CLI::App* list = backup->add_subcommand("list", "Show the backups in a backup directory.");
  CLI::App* verify = backup->add_subcommand("verify", "Read a backup and name what is damaged.");
  CLI::App* restore = app.add_subcommand("restore", "Make a data directory from a backup.");
  restore->footer(kRestoreFooter);
  for (CLI::App* command : {list, verify, restore}) {
    command->add_option("directory", invocation.backup.directory, "The backup directory.")
        ->required()
        ->option_text("DIR");
  }
  for (CLI::App* command : {verify, restore}) {
    command->add_option("--id", invocation.backup.id, "Which backup.\nDefault: the newest")
        ->check(CLI::Range(uint32_t{1}, std::numeric_limits<uint32_t>::max()))
        ->option_text("N");
  }
  for (CLI::App* command : {create, verify}) {
    for (const char* name :
         {"data-dir", "master-key-file", "master-key-file-mode", "master-key-command"}) {
      AddSetting(*command, FindSetting(name), invocation.flags);
    }
    AddSetting(*command, kConfigSetting, invocation.flags);
  }
  restore->add_option("--data-dir", invocation.restore_to, "The data directory to make.")
      ->required()
      ->option_text("NEW");
  for (CLI::App* command : {create, list, verify, restore}) {
    command->add_flag("--json", invocation.backup.json, "One JSON object per line.");
  }
}

/// `tintype table`.
void DescribeTableCommands(CLI::App& app, Invocation& invocation) {
  CLI::App* table = app.add_subcommand("table", "Export a table to files, import one from files.");
  table->require_subcommand(1);
  table->footer(kTableFooter);
  CLI::App* out = table->add_subcommand("export", "Write a table's items to files.");
  CLI::App* in = table->add_subcommand("import", "Write the items in files to a table.");
  out->add_option("--to", invocation.table.folder, "The folder to export to. Created if absent.")
      ->required()
      ->option_text("DIR");
  out->add_option("--time", invocation.table.time,
                  "The moment whose items to export, which takes point-in-time recovery, such as\n"
                  "2030-01-31T12:00:00Z.\nDefault: now")
      ->option_text("TIME");
  in->add_option("--from", invocation.table.folder, "The folder to import from.")
      ->required()
      ->option_text("DIR");
  for (CLI::App* command : {out, in}) {
    command->add_option("--table", invocation.table.table, "The table's name.")
        ->required()
        ->option_text("NAME");
    for (const char* name : {"data-dir", "encryption", "master-key-file", "master-key-file-mode",
                             "master-key-command"}) {
      AddSetting(*command, FindSetting(name), invocation.flags);
    }
    AddSetting(*command, kConfigSetting, invocation.flags);
    command->add_flag("--json", invocation.table.json, "One JSON object per line.");
  }
}

/// `tintype scrub`.
void DescribeScrubCommand(CLI::App& app, Invocation& invocation) {
  CLI::App* scrub = app.add_subcommand(
      "scrub", "Check that every record has its blobs, and every blob its record.");
  scrub->footer(kScrubFooter);
  for (const char* name : {"data-dir", "encryption", "master-key-file", "master-key-file-mode",
                           "master-key-command"}) {
    AddSetting(*scrub, FindSetting(name), invocation.flags);
  }
  AddSetting(*scrub, kConfigSetting, invocation.flags);
  scrub->add_flag("--json", invocation.scrub.json, "One JSON object per line.");
}

/// `tintype backlog`.
void DescribeBacklogCommands(CLI::App& app, Invocation& invocation) {
  CLI::App* backlog =
      app.add_subcommand("backlog", "Show work in the background; have it tried again.");
  backlog->require_subcommand(1);
  backlog->footer(kBacklogFooter);
  CLI::App* list = backlog->add_subcommand("list", "Show work in one state.");
  list->add_option("--status", invocation.backlog.status,
                   "pending, delayed, leased or dead.\nDefault: dead")
      ->check(CLI::IsMember({"pending", "delayed", "leased", "dead"}))
      ->option_text("STATE");
  CLI::App* replay = backlog->add_subcommand("replay", "Try dead work again.");
  CLI::Option_group* which = replay->add_option_group("which", "What is to be tried again.");
  which->add_option("id", invocation.backlog.id, "The id of the work, as the list shows it.")
      ->option_text("ID");
  which->add_flag("--all", invocation.backlog.all, "Everything that is dead.");
  which->require_option(1);
  for (CLI::App* command : {list, replay}) {
    for (const char* name : {"data-dir", "encryption", "master-key-file", "master-key-file-mode",
                             "master-key-command"}) {
      AddSetting(*command, FindSetting(name), invocation.flags);
    }
    AddSetting(*command, kConfigSetting, invocation.flags);
    command->add_flag("--json", invocation.backlog.json, "One JSON object per line.");
  }
}

/// `tintype keys`.
void DescribeKeysCommands(CLI::App& app, Invocation& invocation) {
  CLI::App* keys =
      app.add_subcommand("keys", "List, create and delete access keys; replace the master key.");
  keys->require_subcommand(1);
  keys->footer(kKeysFooter);
  CLI::App* list = keys->add_subcommand("list", "Show profiles and access key ids.");
  CLI::App* create = keys->add_subcommand("create", "Create a key and print it.");
  create->add_option("profile", invocation.profile, "The name of its profile.")->required();
  CLI::App* remove = keys->add_subcommand("delete", "Delete a key.");
  remove->add_option("key", invocation.profile, "Its profile or access key id.")->required();
  CLI::App* rotate =
      keys->add_subcommand("rotate-master", "Replace the key that the tables are encrypted under.");
  rotate
      ->add_option(
          "--new-master-key-file", invocation.new_master_key_file,
          "Where the new key is, or is to be created. Needed when the key in use is not the\n"
          "data directory's own.\nDefault: 'master.key' in the data directory is replaced")
      ->option_text("FILE");
  for (const char* name : {"master-key-file", "master-key-file-mode", "master-key-command"}) {
    AddSetting(*rotate, FindSetting(name), invocation.flags);
  }
  rotate->footer(kRotateFooter);
  for (CLI::App* command : {keys, list, create, remove, rotate}) {
    AddSetting(*command, FindSetting("data-dir"), invocation.flags);
    AddSetting(*command, kConfigSetting, invocation.flags);
  }
  AddSetting(*create, FindSetting("region"), invocation.flags);
}

/// The commands, wired so that parsing fills `invocation`.
void DescribeCommands(CLI::App& app, Invocation& invocation) {
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.set_version_flag("--version", kVersion, "Print the version and exit");

  CLI::App* serve = app.add_subcommand("serve", "Serve the data directory until stopped.");
  for (const Setting& setting : ServeSettings()) {
    AddSetting(*serve, setting, invocation.flags);
  }
  AddSetting(*serve, kConfigSetting, invocation.flags);
  serve->footer(kServeFooter);

  DescribeKeysCommands(app, invocation);

  DescribeBackupCommands(app, invocation);

  DescribeTableCommands(app, invocation);

  DescribeScrubCommand(app, invocation);

  DescribeBacklogCommands(app, invocation);

  CLI::App* bench = app.add_subcommand("bench", "Measure the speed of this machine.");
  bench->require_subcommand(1);
  CLI::App* engine = bench->add_subcommand("engine", "Measure the tables alone, without HTTP.");
  engine
      ->add_option("--items", invocation.bench.items,
                   "How many to load before, about 1 KB each on disk.\nDefault: 100000")
      ->check(CLI::Range(size_t{1}, size_t{1'000'000'000}))
      ->option_text("N");
  engine
      ->add_option("--scratch-dir", invocation.bench.scratch,
                   "Where to work.\nDefault: the system's temporary directory")
      ->option_text("DIR");
  engine->add_flag("!--no-encryption", invocation.bench.encryption,
                   "Plain files, to see what encryption costs.");
  engine->add_flag("--json", invocation.bench.json, "One JSON object per line.");
  engine->footer(kBenchFooter);

  app.add_subcommand("help", "Print this.");
  app.add_subcommand("version", "Print the version.");
}

/// What is wrong with a command line, and where to read what would be right.
Error UsageError(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = &app;
  std::string name = "tintype";
  while (command->remaining().empty() && !command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    StrAppend(name, " ", command->get_name());
  }
  const std::vector<std::string> unknown = command->remaining();
  if (unknown.empty()) {
    return Error::Validation(StrCat(error.what(), "; '", name, " --help' says more."));
  }
  // CLI11 would rather complain that a command is missing than name the one that does not exist.
  const std::string& first = unknown.front();
  if (first.starts_with('-')) {
    return Error::Validation(
        StrCat("'", name, "' has no flag '", first, "'; '", name, " --help' lists them."));
  }
  if (!command->get_subcommands({}).empty()) {
    return Error::Validation(
        StrCat("there is no command '", first, "'; '", name, " --help' lists them."));
  }
  return Error::Validation(
      StrCat("'", name, "' takes no '", first, "'; '", name, " --help' says what it takes."));
}

/// REQUIRES: it is none of the commands that need other settings.
Status RunKeys(const CLI::App& keys, const std::string& profile, const KeysConfig& config) {
  if (keys.got_subcommand("list")) {
    return ListKeys(config.data_dir);
  }
  if (keys.got_subcommand("create")) {
    return CreateKey(config.data_dir, profile, config.region);
  }
  return DeleteKey(config.data_dir, profile);
}

int Fail(const Error& error, int code) {
  std::fprintf(stderr, "tintype: %s\n", error.message().c_str());
  if (!error.note().empty()) {
    std::fprintf(stderr, "tintype: %s\n", error.note().c_str());
  }
  return code;
}

int Finish(const Status& status) { return status.ok() ? 0 : Fail(status.error(), kExitFailed); }

int RunBackup(const CLI::App& backup, const Invocation& invocation) {
  if (backup.got_subcommand("list")) {
    return Finish(RunBackupList(invocation.backup));
  }
  if (backup.got_subcommand("verify")) {
    const auto config = ResolveMasterKeyConfig(invocation.flags, ProcessEnvironment());
    return config.ok() ? Finish(RunBackupVerify(invocation.backup, *config))
                       : Fail(config.error(), kExitUsage);
  }
  const auto config = ResolveTablesConfig(invocation.flags, ProcessEnvironment());
  return config.ok() ? Finish(RunBackupCreate(invocation.backup, *config))
                     : Fail(config.error(), kExitUsage);
}

int RunTable(const CLI::App& table, const Invocation& invocation) {
  const auto config = ResolveTablesConfig(invocation.flags, ProcessEnvironment());
  if (!config.ok()) {
    return Fail(config.error(), kExitUsage);
  }
  return Finish(table.got_subcommand("export") ? RunTableExport(invocation.table, *config)
                                               : RunTableImport(invocation.table, *config));
}

int RunScrubCommand(const Invocation& invocation) {
  const auto config = ResolveTablesConfig(invocation.flags, ProcessEnvironment());
  return config.ok() ? Finish(RunScrub(invocation.scrub, *config))
                     : Fail(config.error(), kExitUsage);
}

int RunBacklog(const CLI::App& backlog, const Invocation& invocation) {
  const auto config = ResolveTablesConfig(invocation.flags, ProcessEnvironment());
  if (!config.ok()) {
    return Fail(config.error(), kExitUsage);
  }
  return Finish(backlog.got_subcommand("list") ? RunBacklogList(invocation.backlog, *config)
                                               : RunBacklogReplay(invocation.backlog, *config));
}

int Main(int argc, char** argv) {
  CLI::App app(kOverview, "tintype");
  Invocation invocation;
  DescribeCommands(app, invocation);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Also how CLI11 reports --help and --version, with exit code 0.
    return error.get_exit_code() == 0 ? app.exit(error) : Fail(UsageError(app, error), kExitUsage);
  }
  if (app.got_subcommand("help")) {
    // App::help would describe the command `help` instead.
    std::fputs(
        app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal).c_str(),
        stdout);
    return 0;
  }
  if (app.got_subcommand("version")) {
    std::printf("%s\n", kVersion);
    return 0;
  }
  if (app.got_subcommand("bench")) {
    return Finish(BenchEngine(invocation.bench));
  }
  if (app.got_subcommand("restore")) {
    return Finish(RunRestore(invocation.backup, invocation.restore_to));
  }
  if (app.got_subcommand("backup")) {
    return RunBackup(*app.get_subcommand("backup"), invocation);
  }
  if (app.got_subcommand("table")) {
    return RunTable(*app.get_subcommand("table"), invocation);
  }
  if (app.got_subcommand("scrub")) {
    return RunScrubCommand(invocation);
  }
  if (app.got_subcommand("backlog")) {
    return RunBacklog(*app.get_subcommand("backlog"), invocation);
  }
  if (app.got_subcommand("serve")) {
    const auto config = ResolveServeConfig(invocation.flags, ProcessEnvironment());
    return config.ok() ? Finish(Serve(*config)) : Fail(config.error(), kExitUsage);
  }
  if (app.get_subcommand("keys")->got_subcommand("rotate-master")) {
    auto config = ResolveMasterKeyConfig(invocation.flags, ProcessEnvironment());
    return config.ok()
               ? Finish(RotateMaster({std::move(config->data_dir), std::move(config->source),
                                      invocation.new_master_key_file}))
               : Fail(config.error(), kExitUsage);
  }
  const auto config = ResolveKeysConfig(invocation.flags, ProcessEnvironment());
  return config.ok() ? Finish(RunKeys(*app.get_subcommand("keys"), invocation.profile, *config))
                     : Fail(config.error(), kExitUsage);
}

}  // namespace
}  // namespace tintype::cli

int main(int argc, char** argv) {
  try {
    return tintype::cli::Main(argc, argv);
  } catch (const std::exception& error) {
    // Ours are values; what arrives here is a library out of memory or a bug.
    std::fprintf(stderr, "tintype: %s\n", error.what());
    return 1;
  }
}
