#include <memory>

#include "cli/command_line/command.h"
#include "cli/commands/encrypt.h"
#include "cli/commands/import_folder.h"
#include "cli/commands/reanalyse.h"
#include "cli/commands/rebuild.h"
#include "cli/commands/recount.h"
#include "cli/commands/scrub.h"

namespace tintype::cli {
namespace {

constexpr const char* kScrubFooter = R"(
Reads every original and compares its checksum with what was uploaded, compares every photo's records in all
tables with each other and with the files, and changes nothing. Photos that are being worked on are left out. A
running server does it while it serves, and everything else goes first; without one, the command opens the data
directory itself.

Interrupted, it keeps what it has found: the same command goes on where it stopped. Each finding says what to
do next. Exit codes: 0 no findings, 1 findings, interrupted or failed, 2 wrong usage.

Examples
  tintype scrub
  tintype scrub --rate-mb 20
  tintype scrub --quick --json)";

constexpr const char* kImportFooter = R"(
Copies the photos in a folder and its subfolders into an account, as if the account had uploaded them. The
folder is not changed. Names that begin with a dot are skipped; symbolic links are not followed. Each imported
file is recorded by path, size and modification time, so running the same command again continues after an
interruption and imports files that are new. Photos that the account already has are not imported twice,
whatever their names.

A running server does the work and reads the folder itself. Without one, the command opens the data directory,
and the photos are developed when it is next served. Exit codes: 0 everything was imported, 1 some or all was
not, 2 wrong usage.

Examples
  tintype import folder /mnt/camera --user ada@example.com --dry-run
  tintype import folder /mnt/camera --user ada@example.com
  tintype import folder ~/Pictures/2024 --user ada@example.com --album 2024 --json)";

struct ImportCommandArguments {
  SettingValues flags;
  ImportArguments import;
};

void DescribeImport(CLI::App& app, Run& run) {
  CLI::App* import = app.add_subcommand("import", "Import photos from elsewhere.");
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
                   "The id of the album to add the photos to. It need not exist.")
      ->check(NotEmpty())
      ->option_text("ID");
  folder->add_flag(
      "--dry-run", arguments->import.dry_run,
      "Only say what would be imported. Files are not read as a whole, so duplicates are\n"
      "not found.");
  AddPhotoSettings(*folder, arguments->flags);
  folder->add_flag("--json", arguments->import.json, "Print one JSON object per line.");
  RunsWithPhotos(*folder, run, arguments,
                 [](const ImportCommandArguments& taken, const ServeConfig& config) {
                   return RunImportFolder(taken.import, config);
                 });
}

constexpr const char* kUsageFooter = R"(
Counts anew what each account stores: originals, edits and all renditions, as 'tintype users list' shows it and
quotas count it. The first start of a version that has quotas does this by itself. The server does it in the
background, over a restart too; nobody has to wait for it, and uploads go on. Without a server, it is queued until
one runs.
Exit codes: 0 done or queued, 1 failed, 2 wrong usage.

Examples
  tintype rebuild usage)";

constexpr const char* kRebuildFooter = R"(
Makes the renditions of photos and their edits again from the originals, and analyses the pictures again. Use
it after changing the quality, after an upgrade, or when files were lost. The server does it in the background,
a few photos at a time, after uploads and edits. Old renditions stay until they are replaced.

The command starts the rebuild and shows its progress. Interrupting the command does not stop the rebuild, nor
does a crash of the server: it continues at the next start. Running the same command again shows its progress,
or starts another rebuild once it has ended. 'tintype work purge rebuild-renditions --yes' cancels it. Without
a server, the rebuild is queued until one runs. A photo that cannot be rebuilt keeps its old renditions and is
listed with the reason by 'tintype work list'.
Exit codes: 0 done or queued, 1 failed or not all done, 2 wrong usage.

Examples
  tintype rebuild renditions --all --dry-run
  tintype rebuild renditions --all
  tintype rebuild renditions --user ada@example.com
  tintype rebuild renditions --missing
  tintype rebuild renditions --image 01ARZ3NDEKTSV4RRFFQ69G5FAV --image 01BX5ZZKBKACTAV9WEVGEMMVRZ)";

constexpr const char* kAnalysisFooter = R"(
Analyses photos that are there already: after models came ('tintype models list'), after one changed, or when
something failed. Kinds that were done stay as they are, unless --again is given; kinds that an upload's
aiOptions turned off stay skipped. The server does it in the background, behind everything else, over a restart
too; the command shows how many photos it has looked at, and interrupting it stops nothing.
'tintype work purge rebuild-analysis --yes' cancels it. Without a server, it is queued until one runs.
Exit codes: 0 done or queued, 1 failed, 2 wrong usage.

Examples
  tintype rebuild analysis
  tintype rebuild analysis --kind rekognition.label --again
  tintype rebuild analysis --image 01ARZ3NDEKTSV4RRFFQ69G5FAV --again)";

struct RebuildCommandArguments {
  SettingValues flags;
  RebuildArguments rebuild;
  RecountArguments recount;
  ReanalyseArguments reanalyse;
};

void DescribeRebuildAnalysis(CLI::App& rebuild, Run& run,
                             const std::shared_ptr<RebuildCommandArguments>& arguments) {
  CLI::App* analysis = rebuild.add_subcommand("analysis", "Analyse photos again.");
  analysis->footer(kAnalysisFooter);
  ReanalyseArguments& reanalyse = arguments->reanalyse;
  analysis
      ->add_option("--kind", reanalyse.kinds,
                   "Only this kind, such as rekognition.text. May be repeated.\nDefault: all")
      ->check(NotEmpty())
      ->option_text("KIND");
  analysis->add_option("--image", reanalyse.image, "Only the photo with this id.")
      ->check(NotEmpty())
      ->option_text("ID");
  analysis->add_flag("--again", reanalyse.again, "Also what was done already.");
  AddPhotoSettings(*analysis, arguments->flags);
  analysis->add_flag("--json", reanalyse.json, "Print one JSON object per line.");
  RunsWithPhotos(*analysis, run, arguments,
                 [](const RebuildCommandArguments& taken, const ServeConfig& config) {
                   return RunRebuildAnalysis(taken.reanalyse, config);
                 });
}

void DescribeRebuild(CLI::App& app, Run& run) {
  CLI::App* rebuild =
      app.add_subcommand("rebuild", "Make again what is derived, or count again what is stored.");
  rebuild->require_subcommand(1);
  CLI::App* renditions =
      rebuild->add_subcommand("renditions", "Make the renditions of photos again.");
  renditions->footer(kRebuildFooter);
  const auto arguments = std::make_shared<RebuildCommandArguments>();
  CLI::Option_group* which = renditions->add_option_group("which", "Which photos. One of:");
  // A choice is made or not: `--missing=false` would be none, which is not all.
  which->add_flag("--all", arguments->rebuild.all, "All photos of all accounts.")
      ->disable_flag_override();
  which
      ->add_option("--user", arguments->rebuild.user,
                   "All photos of one account, by its email or username.")
      ->check(NotEmpty())
      ->option_text("EMAIL");
  which
      ->add_option("--image", arguments->rebuild.images, "The photo with this id. May be repeated.")
      ->check(NotEmpty())
      ->option_text("ID");
  which->add_flag("--missing", arguments->rebuild.missing, "Photos that lack a rendition.")
      ->disable_flag_override();
  which->add_flag("--failed", arguments->rebuild.failed, "Photos that could not be developed.")
      ->disable_flag_override();
  which->require_option(1);
  renditions->add_flag("--dry-run", arguments->rebuild.dry_run,
                       "Only say how many photos it would be.");
  AddPhotoSettings(*renditions, arguments->flags);
  renditions->add_flag("--json", arguments->rebuild.json, "Print one JSON object per line.");
  RunsWithPhotos(*renditions, run, arguments,
                 [](const RebuildCommandArguments& taken, const ServeConfig& config) {
                   return RunRebuildRenditions(taken.rebuild, config);
                 });
  DescribeRebuildAnalysis(*rebuild, run, arguments);
  CLI::App* usage = rebuild->add_subcommand("usage", "Count again what accounts store.");
  usage->footer(kUsageFooter);
  AddPhotoSettings(*usage, arguments->flags);
  usage->add_flag("--json", arguments->recount.json, "Print one JSON object per line.");
  RunsWithPhotos(*usage, run, arguments,
                 [](const RebuildCommandArguments& taken, const ServeConfig& config) {
                   return RunRebuildUsage(taken.recount, config);
                 });
}

struct ScrubCommandArguments {
  SettingValues flags;
  ScrubArguments scrub;
};

void DescribeScrub(CLI::App& app, Run& run) {
  CLI::App* scrub = app.add_subcommand(
      "scrub", "Check that every photo is as it was uploaded, and all records fit together.");
  scrub->footer(kScrubFooter);
  const auto arguments = std::make_shared<ScrubCommandArguments>();
  scrub->add_flag("--quick", arguments->scrub.quick,
                  "Do not read the originals: compare only their lengths.");
  scrub->add_flag("--restart", arguments->scrub.restart,
                  "Begin again instead of continuing an interrupted scrub.");
  scrub
      ->add_option("--rate-mb", arguments->scrub.rate_mb,
                   "Read at most this many megabytes per second. 0: no limit.")
      ->check(CLI::Range(int64_t{0}, int64_t{1'000'000}))
      ->option_text("N");
  AddPhotoSettings(*scrub, arguments->flags);
  scrub->add_flag("--json", arguments->scrub.json, "Print one JSON object per line.");
  RunsWithPhotos(*scrub, run, arguments,
                 [](const ScrubCommandArguments& taken, const ServeConfig& config) {
                   return RunScrub(taken.scrub, config);
                 });
}

constexpr const char* kEncryptFooter = R"(
Encrypts the photos that lie in plain, and all that was made of them: those from before --blob-encryption was on. New
ones are encrypted as they come. A running server does it while it serves, and everything else goes first; without
one, the command opens the data directory itself. Each file is replaced as a whole: interrupted or killed at any
moment, nothing is lost, and the same command does the rest.

Deleted or replaced files may be readable from the free space of a disk for a while, as always; and backups from
before hold the photos in plain. Exit codes: 0 all are encrypted, 1 some are not, or interrupted, 2 wrong usage.

Examples
  tintype encrypt
  tintype encrypt --json)";

struct EncryptCommandArguments {
  SettingValues flags;
  EncryptArguments encrypt;
};

void DescribeEncrypt(CLI::App& app, Run& run) {
  CLI::App* encrypt = app.add_subcommand("encrypt", "Encrypt the photos that lie in plain.");
  encrypt->footer(kEncryptFooter);
  const auto arguments = std::make_shared<EncryptCommandArguments>();
  AddPhotoSettings(*encrypt, arguments->flags);
  encrypt->add_flag("--json", arguments->encrypt.json, "Print one JSON object per line.");
  RunsWithPhotos(*encrypt, run, arguments,
                 [](const EncryptCommandArguments& taken, const ServeConfig& config) {
                   return RunEncrypt(taken.encrypt, config);
                 });
}

}  // namespace

void DescribePhotos(CLI::App& app, Run& run) {
  DescribeImport(app, run);
  DescribeRebuild(app, run);
  DescribeScrub(app, run);
  DescribeEncrypt(app, run);
}

}  // namespace tintype::cli
