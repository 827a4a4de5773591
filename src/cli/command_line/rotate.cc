#include "cli/commands/rotate.h"

#include <memory>

#include "cli/command_line/command.h"
#include "cli/commands/keys.h"

namespace tintype::cli {
namespace {

constexpr const char* kRotateServerKeysFooter = R"(
Each of these replaces one kind of key. Links, signing and root: while the server runs or without it. Anything that
the old key has signed stays good for as long as it may last, so that nobody notices; when somebody else may have the
key, --at-once ends that (for root, --overlap 0m). Data keys: with the server stopped.

The master key has a command of its own, 'tintype keys rotate-master', and so do other access keys, 'tintype keys
rotate'.

Examples
  tintype rotate links
  tintype rotate signing --at-once
  tintype rotate root --overlap 2h)";

constexpr const char* kRotateLinksFooter = R"(
Links to photos, and to put uploads to, are signed with a key that all servers of the gallery share. With --at-once
every link that was ever given away is refused; pages that are open load their photos again when they are reloaded.

Examples
  tintype rotate links
  tintype rotate links --at-once --json)";

constexpr const char* kRotateSigningFooter = R"(
Access tokens are signed with a key that all servers of the gallery share; /.well-known/jwks.json shows the public
keys. With --at-once every access token is refused. Nobody has to log in again: sessions get new ones by themselves.

Examples
  tintype rotate signing
  tintype rotate signing --at-once)";

constexpr const char* kRotateRootFooter = R"(
Writes a new root key into the file 'credentials' of the data directory, as its profile 'default'. The one before
stays in the file, under another name, and is good for as long as --overlap says. A running server takes the new one
within a second.

Examples
  tintype rotate root                     both are good for a day
  tintype rotate root --overlap 0m        the old one ends now, and all before it)";

constexpr const char* kRotateDataKeysFooter = R"(
Files are encrypted with data keys, which the master key encrypts. From the next start on, new files use a new one;
that happens by itself every 90 days. Files from before keep the key they have, which therefore stays in
'tables/KEYS'. The server must be stopped.

Examples
  tintype rotate data-keys
  tintype rotate data-keys --master-key-file /srv/secrets/tintype.key)";

struct RotateCommandArguments {
  SettingValues flags;
  RotateArguments rotate;
  KeysArguments root;
};

void DescribeRotateRing(CLI::App& app, Run& run,
                        const std::shared_ptr<RotateCommandArguments>& arguments,
                        Status (*rotate)(const RotateArguments&, const ServeConfig&)) {
  app.add_flag("--at-once", arguments->rotate.at_once,
               "Refuse anything signed before. Without this, it stays good until it expires.");
  AddPhotoSettings(app, arguments->flags);
  app.add_flag("--json", arguments->rotate.json, "Print one JSON object per line.");
  RunsWithPhotos(app, run, arguments,
                 [rotate](const RotateCommandArguments& taken, const ServeConfig& config) {
                   return rotate(taken.rotate, config);
                 });
}

}  // namespace

void DescribeRotate(CLI::App& app, Run& run) {
  CLI::App* rotate = app.add_subcommand("rotate", "Replace keys that the server works with.");
  rotate->require_subcommand(1);
  rotate->footer(kRotateServerKeysFooter);
  const auto arguments = std::make_shared<RotateCommandArguments>();
  CLI::App* links = rotate->add_subcommand("links", "The key that links are signed with.");
  links->footer(kRotateLinksFooter);
  DescribeRotateRing(*links, run, arguments, RunRotateLinks);
  CLI::App* signing = rotate->add_subcommand("signing", "The key of access tokens.");
  signing->footer(kRotateSigningFooter);
  DescribeRotateRing(*signing, run, arguments, RunRotateSigning);
  CLI::App* root = rotate->add_subcommand("root", "The root key of the tables.");
  root->footer(kRotateRootFooter);
  root->add_option("--overlap", arguments->root.overlap, "How long the old key stays good.")
      ->default_val("24h")
      ->option_text("TIME");
  AddDataSettings(*root, arguments->flags);
  root->add_flag("--json", arguments->root.json, "Print one JSON object per line.");
  RunsWithData(*root, run, arguments,
               [](const RotateCommandArguments& taken, const ServeConfig& config) {
                 return RunRotateRoot(taken.root, config);
               });
  CLI::App* data_keys =
      rotate->add_subcommand("data-keys", "The key that files are encrypted with.");
  data_keys->footer(kRotateDataKeysFooter);
  for (const char* name :
       {"data-dir", "master-key-file", "master-key-file-mode", "master-key-command"}) {
    AddSetting(*data_keys, FindSetting(name), arguments->flags);
  }
  AddConfigSetting(*data_keys, arguments->flags);
  data_keys->callback([&run, arguments] {
    run = [arguments] {
      const auto config = ResolveMasterKeyConfig(arguments->flags, ProcessEnvironment());
      return config.ok() ? Finish(RotateDataKey(*config)) : Fail(config.error(), kExitUsage);
    };
  });
}

}  // namespace tintype::cli
