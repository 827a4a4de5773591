#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/strings.h"
#include "cli/command_line/command.h"

namespace tintype::cli {
namespace {

constexpr const char* kOverview =
    "Tintype: a photo gallery, and tables that speak DynamoDB, on your own machine.\n\n"
    "  tintype serve                     serve ./data; the first start creates it and a key\n"
    "  tintype keys create app           create an access key, as an AWS profile\n"
    "  tintype backup create --to DIR    back up the data directory, even while it is served\n"
    "  tintype restore DIR --data-dir D  create a data directory from a backup\n"
    "  tintype table export|import       copy a table to or from files of DynamoDB JSON\n"
    "  tintype import folder DIR         import the photos in a folder into an account\n"
    "  tintype rebuild renditions        make the renditions of all or some photos again\n"
    "  tintype scrub                     check that every photo has its files, and the reverse\n"
    "  tintype work list                 list background work that failed for good\n"
    "  tintype bench engine              measure how fast the tables are on this machine\n"
    "  tintype COMMAND --help            show the settings of a command, with examples\n";

/// What `tintype --version` prints.
constexpr const char* kVersion = "tintype " TINTYPE_VERSION;

int PrintHelp(const CLI::App& app) {
  // App::help would describe the command `help` instead.
  std::fputs(
      app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal).c_str(),
      stdout);
  return 0;
}

int PrintVersion() {
  std::printf("%s\n", kVersion);
  return 0;
}

/// The commands, wired so that parsing sets `run`.
void DescribeCommands(CLI::App& app, Run& run) {
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.set_version_flag("--version", kVersion, "Print the version and exit");
  DescribeServe(app, run);
  DescribeKeys(app, run);
  DescribeBackup(app, run);
  DescribeTable(app, run);
  DescribePhotos(app, run);
  DescribeWork(app, run);
  DescribeBench(app, run);
  app.add_subcommand("help", "Print this help.")->callback([&run, &app] {
    run = [&app] { return PrintHelp(app); };
  });
  app.add_subcommand("version", "Print the version.")->callback([&run] { run = PrintVersion; });
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
  if (command == &app && first == "jobs") {
    // Its name until edits were called jobs.
    return Error::Validation(
        "the command for background work is 'tintype work'; 'tintype work --help' says more.");
  }
  if (!command->get_subcommands({}).empty()) {
    return Error::Validation(
        StrCat("there is no command '", first, "'; '", name, " --help' lists them."));
  }
  return Error::Validation(
      StrCat("'", name, "' takes no '", first, "'; '", name, " --help' says what it takes."));
}

/// CLI11 takes whatever follows a flag as its value, even another flag: `--data-dir --help` would
/// name a directory.
Status CheckNoFlagIsAValue(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) {
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& value : option->results()) {
        if (value.starts_with("--") && command->get_option_no_throw(value) != nullptr) {
          return Error::Validation(
              StrCat(option->get_name(), " needs a value, but '", value, "' follows it."));
        }
      }
    }
    RETURN_IF_ERROR(CheckNoFlagIsAValue(*command));
  }
  return OkStatus();
}

int Main(int argc, char** argv) {
  CLI::App app(kOverview, "tintype");
  Run run;
  DescribeCommands(app, run);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Also how CLI11 reports --help and --version, with exit code 0.
    return error.get_exit_code() == 0 ? app.exit(error) : Fail(UsageError(app, error), kExitUsage);
  }
  if (const Status checked = CheckNoFlagIsAValue(app); !checked.ok()) {
    return Fail(checked.error(), kExitUsage);
  }
  return run();
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
