#include "cli/commands/backup.h"

#include <limits>
#include <memory>
#include <string>

#include "cli/command_line/command.h"

namespace tintype::cli {
namespace {

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

/// What the commands take.
struct Arguments {
  SettingValues flags;
  BackupArguments backup;
  std::string restore_to;
};

int RunVerify(const Arguments& arguments) {
  const auto config = ResolveMasterKeyConfig(arguments.flags, ProcessEnvironment());
  return config.ok() ? Finish(RunBackupVerify(arguments.backup, *config))
                     : Fail(config.error(), kExitUsage);
}

}  // namespace

void DescribeBackup(CLI::App& app, Run& run) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* backup = app.add_subcommand("backup", "Back up the data directory; list, verify.");
  backup->require_subcommand(1);
  backup->footer(kBackupFooter);
  CLI::App* create = backup->add_subcommand("create", "Add a backup to a backup directory.");
  create
      ->add_option("--to", arguments->backup.directory,
                   "The backup directory, best on another disk. Created if absent.")
      ->required()
      ->option_text("DIR");
  create
      ->add_option("--keep", arguments->backup.keep,
                   "Then remove all but the newest N.\nDefault: all are kept")
      ->check(CLI::Range(uint32_t{1}, uint32_t{1'000'000}))
      ->option_text("N");
  AddSetting(*create, FindSetting("encryption"), arguments->flags);
  CLI::App* list = backup->add_subcommand("list", "Show the backups in a backup directory.");
  CLI::App* verify = backup->add_subcommand("verify", "Read a backup and name what is damaged.");
  CLI::App* restore = app.add_subcommand("restore", "Make a data directory from a backup.");
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
  restore->add_option("--data-dir", arguments->restore_to, "The data directory to make.")
      ->required()
      ->option_text("NEW");
  for (CLI::App* command : {create, list, verify, restore}) {
    command->add_flag("--json", arguments->backup.json, "One JSON object per line.");
  }

  RunsWithData(*create, run, arguments, [](const Arguments& taken, const ServeConfig& config) {
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
