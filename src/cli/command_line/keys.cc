#include "cli/commands/keys.h"

#include <memory>
#include <string>

#include "cli/command_line/command.h"

namespace tintype::cli {
namespace {

constexpr const char* kKeysFooter = R"(
Access keys are for the tables: AWS's SDKs and tools sign their requests with them. The root key, which may do
everything, is in the file 'credentials' of the data directory. Keys that are created are kept with the tables,
may do what their policy says, and show their secret once. A change holds at once.

The master key, which the tables are encrypted under, is separate: 'rotate-master' replaces it while the server
is stopped, without rewriting the tables.

Examples
  tintype keys create app                              everything on tables that are not the gallery's
  tintype keys create report --policy read-only --expires 90d
  tintype keys create ingest --policy ingest.json      a policy in the language of AWS IAM
  tintype keys list
  tintype keys rotate app --overlap 24h
  tintype keys delete app
  tintype keys rotate-master --new-master-key-file /srv/secrets/tintype.key)";

constexpr const char* kCreateFooter = R"(
The key is printed as a profile of AWS's clients, to be appended to a credentials file of theirs. Its secret is
not shown again.

Policies
  tables      everything on tables that are not the gallery's (default)
  read-only   reading any table, but not the one that holds accounts, keys and sessions
  admin       everything, but not the table that holds accounts, keys and sessions
  FILE        a policy document in the language of AWS IAM. Resources are such as
              arn:aws:dynamodb:us-east-1:000000000000:table/photos and .../table/photos/index/*

Examples
  tintype keys create app >> ~/.aws/credentials
  tintype keys create report --policy read-only --expires 2030-01-31T12:00:00Z
  tintype keys create ingest --policy ingest.json --json)";

constexpr const char* kRotateKeyFooter = R"(
Prints another id and secret for the key, with the same policy. The old ones are good for as long as --overlap
says, so that programs can be changed over one by one.

Examples
  tintype keys rotate app                     both are good for a day
  tintype keys rotate app --overlap 0m        the old one ends now)";

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
struct KeysCommandArguments {
  SettingValues flags;
  KeysArguments keys;
  std::string new_master_key_file;
};

int RunRotate(const KeysCommandArguments& arguments) {
  auto config = ResolveMasterKeyConfig(arguments.flags, ProcessEnvironment());
  return config.ok()
             ? Finish(RotateMasterKey({std::move(config->data_dir), std::move(config->source),
                                       arguments.new_master_key_file}))
             : Fail(config.error(), kExitUsage);
}

void DescribeRotateMaster(CLI::App& rotate, KeysCommandArguments& arguments) {
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

void AddPolicy(CLI::App& command, KeysArguments& keys) {
  command
      .add_option("--policy", keys.policy,
                  "tables, read-only, admin, or a file with a policy document.\nDefault: tables")
      ->check(NotEmpty())
      ->option_text("POLICY");
}

void AddExpiry(CLI::App& command, const char* name, std::string& expires) {
  command
      .add_option(name, expires,
                  "When the key ends: 90d, 12h or 30m from now on, or a moment such as\n"
                  "2030-01-31T12:00:00Z.")
      ->check(NotEmpty())
      ->option_text("WHEN");
}

/// A command that names a key.
CLI::App* AddCommand(CLI::App& keys, const char* command, const char* help,
                     KeysArguments& arguments) {
  CLI::App* const added = keys.add_subcommand(command, help);
  added->add_option("name", arguments.name, "The key's name or its id.")
      ->required()
      ->check(NotEmpty())
      ->option_text("NAME");
  return added;
}

}  // namespace

void DescribeKeys(CLI::App& app, Run& run) {
  CLI::App* keys = app.add_subcommand(
      "keys", "List, create, rotate and delete access keys; replace the master key.");
  keys->require_subcommand(1);
  keys->footer(kKeysFooter);
  const auto arguments = std::make_shared<KeysCommandArguments>();
  KeysArguments& taken = arguments->keys;
  taken.policy = access::kTablesPolicy;
  taken.overlap = "24h";
  CLI::App* list = keys->add_subcommand("list", "List keys, with their policies and states.");
  CLI::App* create = AddCommand(*keys, "create", "Create a key and print it.", taken);
  create->footer(kCreateFooter);
  AddPolicy(*create, taken);
  AddExpiry(*create, "--expires", taken.expires);
  CLI::App* rotate =
      AddCommand(*keys, "rotate", "Give a key another id and secret, and print them.", taken);
  rotate->footer(kRotateKeyFooter);
  rotate
      ->add_option("--overlap", taken.overlap,
                   "How long the old id and secret stay good, such as 24h.\nDefault: 24h")
      ->check(NotEmpty())
      ->option_text("TIME");
  CLI::App* show = AddCommand(*keys, "show", "Show a key's state and policy document.", taken);
  CLI::App* policy = AddCommand(*keys, "policy", "Give a key another policy.", taken);
  AddPolicy(*policy, taken);
  policy->get_option("--policy")->required();
  CLI::App* disable = AddCommand(*keys, "disable", "Refuse a key until it is enabled.", taken);
  CLI::App* enable = AddCommand(*keys, "enable", "Accept a disabled key again.", taken);
  CLI::App* expire = AddCommand(*keys, "expire", "Set when a key ends.", taken);
  AddExpiry(*expire, "when", taken.expires);
  expire->get_option("when")->required();
  CLI::App* remove = AddCommand(*keys, "delete", "Delete a key.", taken);
  CLI::App* rotate_master =
      keys->add_subcommand("rotate-master", "Replace the key that the tables are encrypted under.");
  DescribeRotateMaster(*rotate_master, *arguments);
  for (CLI::App* command : {keys, rotate_master}) {
    AddSetting(*command, FindSetting("data-dir"), arguments->flags);
    AddConfigSetting(*command, arguments->flags);
  }
  const auto runs = [&](CLI::App& command,
                        Status (*action)(const KeysArguments&, const ServeConfig&)) {
    AddDataSettings(command, arguments->flags);
    command.add_flag("--json", arguments->keys.json, "Print one JSON object per line.");
    RunsWithData(command, run, arguments,
                 [action](const KeysCommandArguments& given, const ServeConfig& config) {
                   return action(given.keys, config);
                 });
  };
  runs(*list, RunKeysList);
  runs(*create, RunKeysCreate);
  runs(*rotate, RunKeysRotate);
  runs(*show, RunKeysShow);
  runs(*policy, RunKeysPolicy);
  runs(*disable, RunKeysDisable);
  runs(*enable, RunKeysEnable);
  runs(*expire, RunKeysExpire);
  runs(*remove, RunKeysDelete);
  for (CLI::App* command : {create, rotate}) {
    AddSetting(*command, FindSetting("region"), arguments->flags, SettingUse::kUsual);
  }
  rotate_master->callback(
      [&run, arguments] { run = [arguments] { return RunRotate(*arguments); }; });
}

}  // namespace tintype::cli
