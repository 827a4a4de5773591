#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/strings.h"
#include "cli/bench_engine.h"
#include "cli/config.h"
#include "cli/keys.h"
#include "cli/serve.h"

namespace tintype::cli {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

constexpr const char* kOverview =
    "Tintype: tables that speak DynamoDB, on your own machine.\n\n"
    "  tintype serve                     serve ./data; the first start creates it, and a key\n"
    "  tintype keys create app           another access key, as an AWS profile\n"
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
Keys live in the data directory's file 'credentials', which AWS clients read as it is. A running server
notices a change within a second.

Examples
  tintype keys list
  tintype keys create app
  tintype keys delete app
  AWS_SHARED_CREDENTIALS_FILE=data/credentials AWS_PROFILE=app aws ...)";

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

/// What the command line asked for.
struct Invocation {
  SettingValues flags;
  std::string profile;
  BenchEngineConfig bench{.scratch = std::filesystem::temp_directory_path().string()};
};

/// What `tintype --version` prints.
constexpr const char* kVersion = "tintype " TINTYPE_VERSION;

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

  CLI::App* keys = app.add_subcommand("keys", "List, create and delete access keys.");
  keys->require_subcommand(1);
  keys->footer(kKeysFooter);
  CLI::App* list = keys->add_subcommand("list", "Show profiles and access key ids.");
  CLI::App* create = keys->add_subcommand("create", "Create a key and print it.");
  create->add_option("profile", invocation.profile, "The name of its profile.")->required();
  CLI::App* remove = keys->add_subcommand("delete", "Delete a key.");
  remove->add_option("key", invocation.profile, "Its profile or access key id.")->required();
  for (CLI::App* command : {keys, list, create, remove}) {
    AddSetting(*command, FindSetting("data-dir"), invocation.flags);
    AddSetting(*command, kConfigSetting, invocation.flags);
  }
  AddSetting(*create, FindSetting("region"), invocation.flags);

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
  if (app.got_subcommand("serve")) {
    const auto config = ResolveServeConfig(invocation.flags, ProcessEnvironment());
    return config.ok() ? Finish(Serve(*config)) : Fail(config.error(), kExitUsage);
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
