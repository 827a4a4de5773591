#include <memory>

#include "cli/command_line/command.h"
#include "cli/commands/import_folder.h"
#include "cli/commands/jobs.h"
#include "cli/commands/rebuild.h"
#include "cli/commands/scrub.h"

namespace tintype::cli {
namespace {

constexpr const char* kScrubFooter = R"(
Looks at every image's records in all tables and at every file in 'blobs', and changes nothing. What a worker
is at is left out. A server that runs does it while it serves; else the data directory is opened for it.
Exit codes: 0 everything fits, 1 something does not, 2 wrong usage.)";

constexpr const char* kJobsFooter = R"(
What is done in the background, such as developing a photo, is tried again when it fails, and is dead when it
has failed too often; its last error says why. Once the cause is mended, replaying has it tried as if new.
Purging takes work out without its being done, and says what goes with it; what would leave something behind
that nobody owns is refused. A server that runs is asked; else the data directory is opened.
Exit codes: 0 done, 1 not done or not all of it, 2 wrong usage.

Examples
  tintype jobs list
  tintype jobs list --status delayed --limit 10
  tintype jobs show develop-01ARZ3NDEKTSV4RRFFQ69G5FAV
  tintype jobs replay develop-01ARZ3NDEKTSV4RRFFQ69G5FAV
  tintype jobs replay --all
  tintype jobs purge develop-01ARZ3NDEKTSV4RRFFQ69G5FAV            says what would be lost
  tintype jobs purge --all-dead --yes)";

constexpr const char* kImportFooter = R"(
Copies the photos in a folder and everything below it into an account, as uploads of hers. The folder is not
changed. Names that begin with a dot are passed over, symbolic links are not followed. What is imported is
recorded by its path, size and time of change: the same command goes on where one was interrupted, and takes
what is new. Photos that the account has, whatever their names, are not taken twice.

A server that runs does the work and reads the folder itself; else the data directory is opened, and photos
are developed when it is served next. Exit codes: 0 everything was imported, 1 some or all was not, 2 wrong
usage.

Examples
  tintype import folder /mnt/camera --user ada@example.com --dry-run
  tintype import folder /mnt/camera --user ada@example.com
  tintype import folder ~/Pictures/2024 --user ada@example.com --album 2024 --json)";

/// For what must not be left out by accident: an empty variable of a script is no name.
CLI::Validator NotEmpty() {
  return CLI::Validator([](const std::string& text) { return text.empty() ? "it is empty" : ""; },
                        "");
}

struct ImportCommandArguments {
  SettingValues flags;
  ImportArguments import;
};

void DescribeImport(CLI::App& app, Run& run) {
  CLI::App* import = app.add_subcommand("import", "Bring photos in from elsewhere.");
  import->require_subcommand(1);
  CLI::App* folder = import->add_subcommand("folder", "Import the photos in a folder and below.");
  folder->footer(kImportFooter);
  const auto arguments = std::make_shared<ImportCommandArguments>();
  folder->add_option("folder", arguments->import.folder, "The folder.")
      ->required()
      ->option_text("DIR");
  folder->add_option("--user", arguments->import.user, "The account's email or username.")
      ->required()
      ->check(NotEmpty())
      ->option_text("EMAIL");
  folder
      ->add_option("--album", arguments->import.album,
                   "The id of the album to put them into. Albums are not made beforehand: one that "
                   "no photo has yet\nbegins with these.")
      ->check(NotEmpty())
      ->option_text("ID");
  folder->add_flag("--dry-run", arguments->import.dry_run,
                   "Only tell what would be imported. Files are not read as a whole, so that "
                   "duplicates are not\nfound.");
  AddPhotoSettings(*folder, arguments->flags);
  folder->add_flag("--json", arguments->import.json, "One JSON object per line.");
  RunsWithPhotos(*folder, run, arguments,
                 [](const ImportCommandArguments& taken, const ServeConfig& config) {
                   return RunImportFolder(taken.import, config);
                 });
}

constexpr const char* kRebuildFooter = R"(
Makes the renditions of photos anew from their originals, those of edits too, and looks again at what is in
the pictures: for after a change of quality, a new version, or files that were lost. It is done by the server
in the background, a few at a time and behind uploads and edits. What there is stays until it is replaced.

The command starts it and shows how far it is. Interrupting it, or a crash of the server, does not stop the
rebuild; the same command shows how it goes on, and begins anew when it has ended. 'tintype jobs purge
rebuild-renditions --yes' gives it up. Without a server it is queued, and done when one runs. What cannot be
rebuilt is dead in 'tintype jobs list', says why, and keeps the renditions that it had.
Exit codes: 0 done or queued, 1 failed or not all done, 2 wrong usage.

Examples
  tintype rebuild renditions --all --dry-run
  tintype rebuild renditions --all
  tintype rebuild renditions --user ada@example.com
  tintype rebuild renditions --missing
  tintype rebuild renditions --image 01ARZ3NDEKTSV4RRFFQ69G5FAV --image 01BX5ZZKBKACTAV9WEVGEMMVRZ)";

struct RebuildCommandArguments {
  SettingValues flags;
  RebuildArguments rebuild;
};

void DescribeRebuild(CLI::App& app, Run& run) {
  CLI::App* rebuild = app.add_subcommand("rebuild", "Make anew what follows from originals.");
  rebuild->require_subcommand(1);
  CLI::App* renditions = rebuild->add_subcommand("renditions", "Make renditions anew.");
  renditions->footer(kRebuildFooter);
  const auto arguments = std::make_shared<RebuildCommandArguments>();
  CLI::Option_group* which = renditions->add_option_group("which", "Of which photos.");
  // A choice is made or not: `--missing=false` would be none, which is not all.
  which->add_flag("--all", arguments->rebuild.all, "All there are, of everybody.")
      ->disable_flag_override();
  which->add_option("--user", arguments->rebuild.user, "All of an account: its email or username.")
      ->check(NotEmpty())
      ->option_text("EMAIL");
  which->add_option("--image", arguments->rebuild.images, "The one of this id. May be repeated.")
      ->check(NotEmpty())
      ->option_text("ID");
  which->add_flag("--missing", arguments->rebuild.missing, "Those that lack a rendition.")
      ->disable_flag_override();
  which->add_flag("--failed", arguments->rebuild.failed, "Those that could not be developed.")
      ->disable_flag_override();
  which->require_option(1);
  renditions->add_flag("--dry-run", arguments->rebuild.dry_run, "Only tell how many it would be.");
  AddPhotoSettings(*renditions, arguments->flags);
  renditions->add_flag("--json", arguments->rebuild.json, "One JSON object per line.");
  RunsWithPhotos(*renditions, run, arguments,
                 [](const RebuildCommandArguments& taken, const ServeConfig& config) {
                   return RunRebuildRenditions(taken.rebuild, config);
                 });
}

struct ScrubCommandArguments {
  SettingValues flags;
  ScrubArguments scrub;
};

void DescribeScrub(CLI::App& app, Run& run) {
  CLI::App* scrub = app.add_subcommand(
      "scrub", "Check that every record has its blobs, and every blob its record.");
  scrub->footer(kScrubFooter);
  const auto arguments = std::make_shared<ScrubCommandArguments>();
  AddPhotoSettings(*scrub, arguments->flags);
  scrub->add_flag("--json", arguments->scrub.json, "One JSON object per line.");
  RunsWithPhotos(*scrub, run, arguments,
                 [](const ScrubCommandArguments& taken, const ServeConfig& config) {
                   return RunScrub(taken.scrub, config);
                 });
}

struct JobsCommandArguments {
  SettingValues flags;
  JobsArguments jobs;
};

void DescribeJobsList(CLI::App& list, JobsArguments& jobs) {
  list.add_option("--status", jobs.status, "pending, delayed, leased or dead.\nDefault: dead")
      ->check(CLI::IsMember({"pending", "delayed", "leased", "dead"}))
      ->option_text("STATE");
  list.add_option("--limit", jobs.limit,
                  "Show at most so many, of those that come first.\n"
                  "Default: 50")
      ->check(CLI::Range(int64_t{1}, kJobsShownMax))
      ->option_text("N");
  list.add_option("--after", jobs.after, "Go on where a list ended, as it said.")
      ->option_text("PLACE");
}

void DescribeJobs(CLI::App& app, Run& run) {
  CLI::App* jobs =
      app.add_subcommand("jobs", "Show work in the background; have it tried again, or purge it.");
  jobs->require_subcommand(1);
  jobs->footer(kJobsFooter);
  const auto arguments = std::make_shared<JobsCommandArguments>();
  CLI::App* list = jobs->add_subcommand("list", "Show work in one state.");
  DescribeJobsList(*list, arguments->jobs);
  CLI::App* show = jobs->add_subcommand("show", "Show all that is known of one piece of work.");
  show->add_option("id", arguments->jobs.id, "The id of the work, as the list shows it.")
      ->required()
      ->check(NotEmpty())
      ->option_text("ID");
  CLI::App* replay = jobs->add_subcommand("replay", "Try dead work again.");
  CLI::App* purge = jobs->add_subcommand("purge", "Take work out that is not to be done.");
  purge->add_flag("--yes", arguments->jobs.yes,
                  "Do it. Without, it only tells what would be lost.");
  const auto add_which = [&](CLI::App& command, const char* all) {
    CLI::Option_group* which = command.add_option_group("which", "What it is about.");
    which->add_option("id", arguments->jobs.id, "The id of the work, as the list shows it.")
        ->check(NotEmpty())
        ->option_text("ID");
    which->add_flag(all, arguments->jobs.all, "Everything that is dead.")->disable_flag_override();
    which->require_option(1);
  };
  add_which(*replay, "--all");
  add_which(*purge, "--all-dead");
  const auto runs = [&](CLI::App& command, auto action) {
    AddPhotoSettings(command, arguments->flags);
    command.add_flag("--json", arguments->jobs.json, "One JSON object per line.");
    RunsWithPhotos(command, run, arguments,
                   [action](const JobsCommandArguments& taken, const ServeConfig& config) {
                     return action(taken.jobs, config);
                   });
  };
  runs(*list, RunJobsList);
  runs(*show, RunJobsShow);
  runs(*replay, RunJobsReplay);
  runs(*purge, RunJobsPurge);
}

}  // namespace

void DescribePhotos(CLI::App& app, Run& run) {
  DescribeImport(app, run);
  DescribeRebuild(app, run);
  DescribeScrub(app, run);
  DescribeJobs(app, run);
}

}  // namespace tintype::cli
