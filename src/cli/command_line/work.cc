#include "cli/commands/work.h"

#include <memory>

#include "cli/command_line/command.h"

namespace tintype::cli {
namespace {

constexpr const char* kWorkFooter = R"(
Background work, such as developing a photo, is retried when it fails; after too many failures it is dead, and
its last error says why. Once the cause is fixed, replay it: it is tried again as if it were new. Purging
removes work without doing it and says what is lost; purging is refused where it would leave orphaned data
behind. The command asks a running server; without one, it opens the data directory itself.
Exit codes: 0 done, 1 not done or only in part, 2 wrong usage.

Examples
  tintype work list
  tintype work list --status delayed --limit 10
  tintype work show develop-01ARZ3NDEKTSV4RRFFQ69G5FAV
  tintype work replay develop-01ARZ3NDEKTSV4RRFFQ69G5FAV
  tintype work replay --all
  tintype work purge develop-01ARZ3NDEKTSV4RRFFQ69G5FAV            says what would be lost
  tintype work purge --all-dead --yes)";

struct WorkCommandArguments {
  SettingValues flags;
  WorkArguments work;
};

void DescribeList(CLI::App& list, WorkArguments& work) {
  list.add_option("--status", work.status, "pending, delayed, leased or dead.\nDefault: dead")
      ->check(CLI::IsMember({"pending", "delayed", "leased", "dead"}))
      ->option_text("STATE");
  list.add_option("--limit", work.limit, "How many to show at most, first come first.\nDefault: 50")
      ->check(CLI::Range(int64_t{1}, kWorkShownMax))
      ->option_text("N");
  list.add_option("--after", work.after, "Continue a list from where it said it ended.")
      ->option_text("PLACE");
}

}  // namespace

void DescribeWork(CLI::App& app, Run& run) {
  CLI::App* work = app.add_subcommand("work", "List, replay or purge background work.");
  work->require_subcommand(1);
  work->footer(kWorkFooter);
  const auto arguments = std::make_shared<WorkCommandArguments>();
  CLI::App* list = work->add_subcommand("list", "List the work in one state.");
  DescribeList(*list, arguments->work);
  CLI::App* show = work->add_subcommand("show", "Show everything known about one item of work.");
  show->add_option("id", arguments->work.id, "The id of the work, as 'tintype work list' shows it.")
      ->required()
      ->check(NotEmpty())
      ->option_text("ID");
  CLI::App* replay = work->add_subcommand("replay", "Try dead work again.");
  CLI::App* purge = work->add_subcommand("purge", "Remove work without doing it.");
  purge->add_flag("--yes", arguments->work.yes,
                  "Do it. Without this flag, only say what would be lost.");
  const auto add_which = [&](CLI::App& command, const char* all) {
    CLI::Option_group* which = command.add_option_group("which", "Which work. One of:");
    which
        ->add_option("id", arguments->work.id,
                     "The id of the work, as 'tintype work list' shows it.")
        ->check(NotEmpty())
        ->option_text("ID");
    which->add_flag(all, arguments->work.all, "All dead work.")->disable_flag_override();
    which->require_option(1);
  };
  add_which(*replay, "--all");
  add_which(*purge, "--all-dead");
  const auto runs = [&](CLI::App& command, auto action) {
    AddPhotoSettings(command, arguments->flags);
    command.add_flag("--json", arguments->work.json, "Print one JSON object per line.");
    RunsWithPhotos(command, run, arguments,
                   [action](const WorkCommandArguments& taken, const ServeConfig& config) {
                     return action(taken.work, config);
                   });
  };
  runs(*list, RunWorkList);
  runs(*show, RunWorkShow);
  runs(*replay, RunWorkReplay);
  runs(*purge, RunWorkPurge);
}

}  // namespace tintype::cli
