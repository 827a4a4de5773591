#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "base/result.h"
#include "base/strings.h"
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
    "  tintype COMMAND --help            the settings of a command, with examples\n";

constexpr const char* kServeFooter = R"(
Every setting can also stand in the environment (--data-dir is TINTYPE_DATA_DIR) or in tintype.toml
(data-dir = "./data"). A flag wins over the environment, the environment over the file.

The root key of a new data directory is generated, unless TINTYPE_ROOT_ACCESS_KEY_ID and
TINTYPE_ROOT_SECRET_ACCESS_KEY give it; with _FILE appended they name files that hold the values.

Examples
  tintype serve
  tintype serve --data-dir /srv/tintype --dynamodb-address 0.0.0.0:8000
  tintype serve --dynamodb-address 127.0.0.1:0     a free port; see the line 'dynamodb HOST:PORT'

  export AWS_SHARED_CREDENTIALS_FILE=data/credentials
  aws --endpoint-url http://127.0.0.1:8000 dynamodb list-tables

When it is ready, the first lines of standard output are 'http HOST:PORT', 'dynamodb HOST:PORT',
'metrics HOST:PORT' and 'ready'. Logs go to standard error. SIGINT or SIGTERM stops it once what it
has accepted is answered; a second signal stops it at once, and loses nothing that was answered.

Exit codes: 0 stopped as asked, 1 failed, 2 wrong usage or settings, 128+N ended by signal N.)";

constexpr const char* kKeysFooter = R"(
Keys live in the data directory's file 'credentials', which AWS clients read as it is. A running server
notices a change within a second.

Examples
  tintype keys list
  tintype keys create app
  tintype keys delete app
  AWS_SHARED_CREDENTIALS_FILE=data/credentials AWS_PROFILE=app aws ...)";

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
};

/// The commands, wired so that parsing fills `invocation`.
void DescribeCommands(CLI::App& app, Invocation& invocation) {
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);

  CLI::App* serve = app.add_subcommand("serve", "Serve the data directory until stopped.");
  for (const Setting& setting : ServeSettings()) {
    AddSetting(*serve, setting, invocation.flags);
  }
  AddSetting(*serve, kConfigSetting, invocation.flags);
  serve->footer(kServeFooter);

  CLI::App* keys = app.add_subcommand("keys", "List, create and delete access keys.");
  keys->require_subcommand(1);
  keys->fallthrough();
  keys->footer(kKeysFooter);
  for (const Setting& setting : ServeSettings()) {
    if (setting.name == "data-dir" || setting.name == "region") {
      AddSetting(*keys, setting, invocation.flags);
    }
  }
  AddSetting(*keys, kConfigSetting, invocation.flags);
  // Without this, a flag after the inner command would not be found.
  keys->add_subcommand("list", "Show profiles and access key ids.")->fallthrough();
  CLI::App* create = keys->add_subcommand("create", "Create a key and print it.")->fallthrough();
  create->add_option("profile", invocation.profile, "The name of its profile.")->required();
  CLI::App* remove = keys->add_subcommand("delete", "Delete a key.")->fallthrough();
  remove->add_option("key", invocation.profile, "Its profile or access key id.")->required();

  app.add_subcommand("version", "Print the version.");
}

Status Run(const CLI::App& app, const Invocation& invocation, const ServeConfig& config) {
  if (app.got_subcommand("serve")) {
    return Serve(config);
  }
  const CLI::App* keys = app.get_subcommand("keys");
  if (keys->got_subcommand("list")) {
    return ListKeys(config.data_dir);
  }
  if (keys->got_subcommand("create")) {
    return CreateKey(config.data_dir, invocation.profile, config.region);
  }
  return DeleteKey(config.data_dir, invocation.profile);
}

int Fail(const Error& error, int code) {
  std::fprintf(stderr, "tintype: %s\n", error.message().c_str());
  if (!error.note().empty()) {
    std::fprintf(stderr, "tintype: %s\n", error.note().c_str());
  }
  return code;
}

int Main(int argc, char** argv) {
  CLI::App app(kOverview, "tintype");
  Invocation invocation;
  DescribeCommands(app, invocation);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Also how CLI11 reports --help, with exit code 0.
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  if (app.got_subcommand("version")) {
    std::printf("tintype %s\n", TINTYPE_VERSION);
    return 0;
  }
  const auto config = ResolveServeConfig(invocation.flags, ProcessEnvironment());
  if (!config.ok()) {
    return Fail(config.error(), kExitUsage);
  }
  const Status status = Run(app, invocation, *config);
  return status.ok() ? 0 : Fail(status.error(), kExitFailed);
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
