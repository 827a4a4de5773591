#include "cli/serve.h"

#include <memory>

#include "cli/command_line/command.h"

namespace tintype::cli {
namespace {

constexpr const char* kServeFooter = R"(
Every setting can also come from the environment (--data-dir is TINTYPE_DATA_DIR) or from tintype.toml
(data-dir = "./data"). Flags win over the environment, and the environment over the file. Relative paths are
relative to the current directory, even in a file that is elsewhere.

A new data directory gets a generated root key, unless TINTYPE_ROOT_ACCESS_KEY_ID and
TINTYPE_ROOT_SECRET_ACCESS_KEY are set; with _FILE appended, they name files that hold the values.

Examples
  tintype serve
  tintype serve --data-dir /srv/tintype --dynamodb-address 0.0.0.0:8000
  tintype serve --dynamodb-address 127.0.0.1:0     a free port; see the line 'dynamodb HOST:PORT'
  tintype serve --dynamodb-address 0.0.0.0:8000 --tls-certificate server.pem --tls-key server.key

  export AWS_SHARED_CREDENTIALS_FILE=data/credentials
  aws --endpoint-url http://127.0.0.1:8000 dynamodb list-tables

When the server is ready, it has printed 'http HOST:PORT', 'dynamodb HOST:PORT', 'metrics HOST:PORT' and
'ready' as the first lines of standard output, then 'open URL' with the address of the page. Logs go to standard
error. On SIGINT or SIGTERM it answers the requests it has accepted, then stops; a second signal stops it at
once, without losing answered writes.

Exit codes: 0 stopped as asked, 1 failed, 2 wrong usage or settings, 3 the disk failed while serving,
128+N ended by signal N.)";

}  // namespace

void DescribeServe(CLI::App& app, Run& run) {
  CLI::App* serve = app.add_subcommand("serve", "Serve the data directory until stopped.");
  const auto flags = std::make_shared<SettingValues>();
  for (const Setting& setting : ServeSettings()) {
    AddSetting(*serve, setting, *flags);
  }
  AddConfigSetting(*serve, *flags);
  serve->footer(kServeFooter);
  serve->callback([&run, flags] {
    run = [flags] {
      const auto config = ResolveServeConfig(*flags, ProcessEnvironment());
      return config.ok() ? Finish(Serve(*config)) : Fail(config.error(), kExitUsage);
    };
  });
}

}  // namespace tintype::cli
