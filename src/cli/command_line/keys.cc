#include "cli/commands/keys.h"

#include <memory>
#include <string>

#include "cli/command_line/command.h"
#include "cli/master_key/rotate.h"

namespace tintype::cli {
namespace {

constexpr const char* kKeysFooter = R"(
Access keys are in the file 'credentials' of the data directory, which AWS clients can read directly. A
running server notices a change within a second.

The master key, which the tables are encrypted under, is separate: 'rotate-master' replaces it while the server
is stopped, without rewriting the tables.

Examples
  tintype keys list
  tintype keys create app
  tintype keys delete app
  tintype keys rotate-master
  tintype keys rotate-master --new-master-key-file /srv/secrets/tintype.key
  AWS_SHARED_CREDENTIALS_FILE=data/credentials AWS_PROFILE=app aws ...)";

constexpr const char* kRotateFooter = R"(
The server must be stopped. No table is rewritten: the master key encrypts only the small file 'tables/KEYS',
which holds the keys of the tables' files. Files written from now on use a new one of those. If the command is
killed, the key that is in place still opens the tables. --master-key-file and the other settings name the key
in use now. Older backups need the master key of their time: keep the old key as long as those backups.

Examples
  tintype keys rotate-master
  tintype keys rotate-master --new-master-key-file /srv/secrets/tintype.key      moves the key out
  tintype keys rotate-master --master-key-file old.key --new-master-key-file new.key)";

/// What the commands take.
struct KeysArguments {
  SettingValues flags;
  std::string profile;
  std::string new_master_key_file;
};

int RunKeys(const KeysArguments& arguments,
            const std::function<Status(const KeysConfig& config)>& command) {
  const auto config = ResolveKeysConfig(arguments.flags, ProcessEnvironment());
  return config.ok() ? Finish(command(*config)) : Fail(config.error(), kExitUsage);
}

int RunRotate(const KeysArguments& arguments) {
  auto config = ResolveMasterKeyConfig(arguments.flags, ProcessEnvironment());
  return config.ok() ? Finish(RotateMaster({std::move(config->data_dir), std::move(config->source),
                                            arguments.new_master_key_file}))
                     : Fail(config.error(), kExitUsage);
}

void DescribeRotate(CLI::App& rotate, KeysArguments& arguments) {
  rotate
      .add_option(
          "--new-master-key-file", arguments.new_master_key_file,
          "The file with the new key; created if it does not exist. Required when the key in use "
          "is\n"
          "not the data directory's own.\nDefault: replace 'master.key' in the data directory")
      ->option_text("FILE");
  for (const char* name : {"master-key-file", "master-key-file-mode", "master-key-command"}) {
    AddSetting(rotate, FindSetting(name), arguments.flags);
  }
  rotate.footer(kRotateFooter);
}

}  // namespace

void DescribeKeys(CLI::App& app, Run& run) {
  CLI::App* keys =
      app.add_subcommand("keys", "List, create and delete access keys; replace the master key.");
  keys->require_subcommand(1);
  keys->footer(kKeysFooter);
  const auto arguments = std::make_shared<KeysArguments>();
  CLI::App* list = keys->add_subcommand("list", "List profiles and access key ids.");
  CLI::App* create = keys->add_subcommand("create", "Create an access key and print it.");
  create->add_option("profile", arguments->profile, "The name of the key's profile.")->required();
  CLI::App* remove = keys->add_subcommand("delete", "Delete an access key.");
  remove->add_option("key", arguments->profile, "The profile or id of the access key.")->required();
  CLI::App* rotate =
      keys->add_subcommand("rotate-master", "Replace the key that the tables are encrypted under.");
  DescribeRotate(*rotate, *arguments);
  for (CLI::App* command : {keys, list, create, remove, rotate}) {
    AddSetting(*command, FindSetting("data-dir"), arguments->flags);
    AddConfigSetting(*command, arguments->flags);
  }
  AddSetting(*create, FindSetting("region"), arguments->flags, SettingUse::kUsual);

  const auto runs = [&run, arguments](CLI::App& command, auto action) {
    command.callback([&run, arguments, action] {
      run = [arguments, action] {
        return RunKeys(*arguments, [&](const KeysConfig& config) {
          return action(config, arguments->profile);
        });
      };
    });
  };
  runs(*list,
       [](const KeysConfig& config, const std::string&) { return ListKeys(config.data_dir); });
  runs(*create, [](const KeysConfig& config, const std::string& profile) {
    return CreateKey(config.data_dir, profile, config.region);
  });
  runs(*remove, [](const KeysConfig& config, const std::string& profile) {
    return DeleteKey(config.data_dir, profile);
  });
  rotate->callback([&run, arguments] { run = [arguments] { return RunRotate(*arguments); }; });
}

}  // namespace tintype::cli
