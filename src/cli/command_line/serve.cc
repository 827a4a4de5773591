#include "cli/serve.h"

#include <memory>

#include "cli/command_line/command.h"

namespace tintype::cli {
namespace {

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
