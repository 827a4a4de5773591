#include "cli/commands/backup.h"

#include <limits>
#include <memory>
#include <string>

#include "cli/command_line/command.h"

namespace tintype::cli {
namespace {

constexpr const char* kBackupFooter = R"(
A backup holds the whole data directory as of one moment, except for the master key: keep that elsewhere,
since a backup cannot be read without it. A running server makes the backup while it serves. The first backup
in a directory copies everything, later ones only what has changed. Each backup is complete by itself: removing
older ones (--keep) does not harm newer ones.

'verify' reads every byte of a backup and names damaged files. With the master key, from the settings or from
--data-dir, it also decrypts the tables. Exit codes: 0 done, 1 failed or damaged, 2 wrong usage.

Examples
  tintype backup create --to /mnt/disk/tintype --keep 14
  tintype backup list /mnt/disk/tintype
  tintype backup verify /mnt/disk/tintype
  tintype restore /mnt/disk/tintype --data-dir ./restored)";

constexpr const char* kRestoreFooter = R"(
The new data directory must not exist yet, or be empty; it appears once everything is in it and checked.

To serve it you also need things that no backup holds; the command says at its end which of them:
  the master key    that the directory had when it was backed up. Put it into the new directory as
                    'master.key', or pass it with --master-key-file.
  photos on S3      They stay in their buckets. Serve the new directory with the same --blobs, and a key for S3.

Examples
  tintype restore /mnt/disk/tintype --data-dir ./restored
  tintype restore /mnt/disk/tintype --id 12 --data-dir ./restored
  tintype serve --data-dir ./restored --master-key-file /safe/master.key)";

/// What the commands take.
struct BackupCommandArguments {
  SettingValues flags;
  BackupArguments backup;
  std::string restore_to;
};

int RunVerify(const BackupCommandArguments& arguments) {
  const auto config = ResolveMasterKeyConfig(arguments.flags, ProcessEnvironment());
  return config.ok() ? Finish(RunBackupVerify(arguments.backup, *config))
                     : Fail(config.error(), kExitUsage);
}

}  // namespace

void DescribeBackup(CLI::App& app, Run& run) {
  const auto arguments = std::make_shared<BackupCommandArguments>();
  CLI::App* backup =
      app.add_subcommand("backup", "Back up the data directory; list and verify backups.");
  backup->require_subcommand(1);
  backup->footer(kBackupFooter);
  CLI::App* create = backup->add_subcommand("create", "Add a backup to a backup directory.");
  create
      ->add_option("--to", arguments->backup.directory,
                   "The backup directory, best on another disk. Created if it does not exist.")
      ->required()
      ->option_text("DIR");
  create
      ->add_option("--keep", arguments->backup.keep,
                   "Afterwards, remove all backups but the newest N.\nDefault: keep all")
      ->check(CLI::Range(uint32_t{1}, uint32_t{1'000'000}))
      ->option_text("N");
  AddSetting(*create, FindSetting("encryption"), arguments->flags);
  CLI::App* list = backup->add_subcommand("list", "List the backups in a backup directory.");
  CLI::App* verify = backup->add_subcommand("verify", "Check a backup and name damaged files.");
  CLI::App* restore = app.add_subcommand(
      "restore", "Create a data directory from a backup; serving it takes the master key, too.");
  restore->footer(kRestoreFooter);
  for (CLI::App* command : {list, verify, restore}) {
    command->add_option("directory", arguments->backup.directory, "The backup directory.")
        ->required()
        ->option_text("DIR");
  }
  for (CLI::App* command : {verify, restore}) {
    command->add_option("--id", arguments->backup.id, "Which backup.\nDefault: the newest")
        ->check(CLI::Range(uint32_t{1}, std::numeric_limits<uint32_t>::max()))
        ->option_text("N");
  }
  for (CLI::App* command : {create, verify}) {
    for (const char* name :
         {"data-dir", "master-key-file", "master-key-file-mode", "master-key-command"}) {
      AddSetting(*command, FindSetting(name), arguments->flags);
    }
    AddConfigSetting(*command, arguments->flags);
  }
  restore->add_option("--data-dir", arguments->restore_to, "The data directory to create.")
      ->required()
      ->option_text("NEW");
  for (CLI::App* command : {create, list, verify, restore}) {
    command->add_flag("--json", arguments->backup.json, "Print one JSON object per line.");
  }

  RunsWithData(*create, run, arguments,
               [](const BackupCommandArguments& taken, const ServeConfig& config) {
                 return RunBackupCreate(taken.backup, config);
               });
  list->callback([&run, arguments] {
    run = [arguments] { return Finish(RunBackupList(arguments->backup)); };
  });
  verify->callback([&run, arguments] { run = [arguments] { return RunVerify(*arguments); }; });
  restore->callback([&run, arguments] {
    run = [arguments] { return Finish(RunRestore(arguments->backup, arguments->restore_to)); };
  });
}

}  // namespace tintype::cli
