#include <sys/prctl.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/strings.h"
#include "cli/command_line/command.h"
#include "cli/command_line/guess.h"

namespace tintype::cli {
namespace {

constexpr const char* kOverview =
    "Tintype: a photo gallery, and tables that speak DynamoDB, on your own machine.\n\n"
    "  tintype serve                     serve ./data; the first start creates it and a key\n"
    "  tintype keys create app           create an access key, as an AWS profile\n"
    "  tintype users list                list, make, invite, limit and delete accounts\n"
    "  tintype backup create --to DIR    back up the data directory, even while it is served\n"
    "  tintype restore DIR --data-dir D  create a data directory from a backup\n"
    "  tintype table export|import       copy a table to or from files of DynamoDB JSON\n"
    "  tintype import folder DIR         import the photos in a folder into an account\n"
    "  tintype rebuild renditions        make the renditions of all or some photos again\n"
    "  tintype scrub                     check that every photo is as it was uploaded\n"
    "  tintype work list                 list background work that failed for good\n"
    "  tintype rotate links              replace a key: signing, root and data-keys as well\n"
    "  tintype encrypt                   encrypt the photos from before there was encryption\n"
    "  tintype audit                     show who signed in, was refused, shared, deleted\n"
    "  tintype bench engine              measure how fast the tables are on this machine\n"
    "  tintype COMMAND --help            show the settings of a command, with examples\n"
    "  tintype COMMAND --help-all        the same with the settings that are rarely needed\n";

/// What `tintype --version` prints.
constexpr const char* kVersion = "tintype " TINTYPE_VERSION;

/// A command, and how it is spelled with those that it belongs to.
struct NamedCommand {
  CLI::App* command;
  std::string name;
};

/// The innermost command that the line names, such as `create` of `tintype keys create`; unless one
/// before it was given something that it does not know.
NamedCommand CommandOf(CLI::App& app) {
  NamedCommand found{&app, "tintype"};
  while (found.command->remaining().empty() && !found.command->get_subcommands().empty()) {
    found.command = found.command->get_subcommands().front();
    StrAppend(found.name, " ", found.command->get_name());
  }
  return found;
}

void PrintHelp(const CLI::App& command, const std::string& name, std::FILE* out) {
  // App::help would describe the command `help` instead.
  std::fputs(command.get_formatter()->make_help(&command, name, CLI::AppFormatMode::Normal).c_str(),
             out);
}

int PrintAllHelp(CLI::App& app) {
  const NamedCommand asked = CommandOf(app);
  ShowRareSettings(*asked.command);
  PrintHelp(*asked.command, asked.name, stdout);
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
  // Before the commands, which take it over.
  app.set_help_all_flag("--help-all", "Print it with the settings that are rarely needed");
  DescribeServe(app, run);
  DescribeKeys(app, run);
  DescribeRotate(app, run);
  DescribeUsers(app, run);
  DescribeBackup(app, run);
  DescribeTable(app, run);
  DescribePhotos(app, run);
  DescribeWork(app, run);
  DescribeAudit(app, run);
  DescribeModels(app, run);
  DescribeBench(app, run);
  app.add_subcommand("help", "Print this help.")->callback([&run, &app] {
    run = [&app] {
      PrintHelp(app, app.get_name(), stdout);
      return 0;
    };
  });
  app.add_subcommand("version", "Print the version.")->callback([&run] { run = PrintVersion; });
}

std::vector<std::string> CommandsOf(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* each : command.get_subcommands({})) {
    if (!each->get_name().empty()) {  // Groups of options have none.
      names.push_back(each->get_name());
    }
  }
  return names;
}

std::vector<std::string> FlagsOf(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  }
  return names;
}

/// What is wrong with a word that `command`, which is spelled `name`, does not know.
Error UnknownWord(const CLI::App& command, const std::string& name, const std::string& word) {
  const bool is_flag = word.starts_with('-');
  const std::vector<std::string> commands = CommandsOf(command);
  if (!is_flag && commands.empty()) {
    return Error::Validation(
        StrCat("'", name, "' takes no '", word, "'; '", name, " --help' says what it takes."));
  }
  if (!is_flag && word == "jobs" && command.get_parent() == nullptr) {
    // Its name until edits were called jobs.
    return Error::Validation(
        "the command for background work is 'tintype work'; 'tintype work --help' says more.");
  }
  const std::string what = is_flag ? StrCat("'", name, "' has no flag '", word, "'; ")
                                   : StrCat("there is no command '", word, "'; ");
  // `--data-dri=here` is about the part before the sign.
  const std::string_view bare =
      is_flag ? Trim(std::string_view(word).substr(0, word.find('=')), "-") : word;
  const auto meant = GuessWord(bare, is_flag ? FlagsOf(command) : commands);
  const std::string guess =
      meant ? StrCat("did you mean '", is_flag ? "--" : StrCat(name, " "), *meant, "'? ") : "";
  const char* const list = is_flag && HasRareSettings(command) ? " --help-all" : " --help";
  return Error::Validation(StrCat(what, guess, "'", name, list, "' lists them."));
}

/// Says what is wrong with a command line, and what would be right; returns the exit code.
int FailForUsage(CLI::App& app, const CLI::ParseError& error) {
  const NamedCommand asked = CommandOf(app);
  // CLI11 would rather complain that a command is missing than name the one that does not exist.
  const std::vector<std::string> unknown = asked.command->remaining();
  if (!unknown.empty()) {
    return Fail(UnknownWord(*asked.command, asked.name, unknown.front()), kExitUsage);
  }
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError) &&
      !CommandsOf(*asked.command).empty()) {
    PrintHelp(*asked.command, asked.name, stderr);
    return Fail(
        Error::Validation(StrCat("'", asked.name, "' needs a command, such as '", asked.name, " ",
                                 CommandsOf(*asked.command).front(), "'; they are listed above.")),
        kExitUsage);
  }
  return Fail(Error::Validation(StrCat(error.what(), "; '", asked.name, " --help' says more.")),
              kExitUsage);
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
  // Most commands hold keys, which have no business in a core file; `serve` can be told otherwise.
  ::prctl(PR_SET_DUMPABLE, 0);
  CLI::App app(kOverview, "tintype");
  Run run;
  DescribeCommands(app, run);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForAllHelp&) {
    return PrintAllHelp(app);
  } catch (const CLI::ParseError& error) {
    // Also how CLI11 reports --help and --version, with exit code 0.
    return error.get_exit_code() == 0 ? app.exit(error) : FailForUsage(app, error);
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
    // Our errors are values; an exception is a library out of memory or a bug.
    std::fprintf(stderr, "tintype: %s\n", error.what());
    return 1;
  }
}
