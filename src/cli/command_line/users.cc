#include "cli/commands/users.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command_line/command.h"
#include "cli/commands/manage_users.h"

namespace tintype::cli {
namespace {

constexpr const char* kUsersFooter = R"(
The command asks a running server; without one, it opens the data directory itself. Accounts are named by
username or email address. 'tintype users COMMAND --help' has more on each.
Exit codes: 0 done, 1 not done, 2 wrong usage.

Examples
  tintype users list
  tintype users create bob --email bob@example.com
  tintype users limit bob 1000
  tintype users limit bob none
  tintype users quota bob 20G
  tintype users reset-password bob
  tintype users invite --email cleo@example.com
  tintype users disable bob
  tintype users delete bob --yes)";

constexpr const char* kListFooter = R"(
LEFT is how many more photos an account may upload, STORED how much is kept of those that it has, and QUOTA how much
that may be. With --json each account is an object 'user' on a line of its
own, whose 'limit' is null when there is no limit.

Examples
  tintype users list
  tintype users list --json)";

constexpr const char* kCreateUserFooter = R"(
Makes an account for somebody, also when sign-up is closed. Without --password-file it makes up a password and
prints it once: hand it over. The account may upload as many photos as --upload-limit of the server says, or without
a server that in tintype.toml or the environment. The first account becomes the administrator, who has no limit; it
needs no setup token here, because only those who can read the data directory can run this command.

Examples
  tintype users create bob --email bob@example.com
  tintype users create bob --email bob@example.com --password-file bob.txt
  printf %s "$PASSWORD" | tintype users create bob --email bob@example.com --password-file -)";

constexpr const char* kLimitFooter = R"(
The limit is how many more photos an account may upload, from now on; the photos that it has stay. A photo that
is deleted for good gives an upload back, whenever it was uploaded; one in the trash does so once the trash is
emptied.
  NUMBER     so many are left from now on
  +NUMBER    so many more than now
  none       no limit

--upload-limit of 'tintype serve' is what new accounts start with. Changing it changes no account that there is:
after raising it from 500 to 2000, 'tintype users limit --all +1500' gives everybody else the difference.
Administrators, who have no limit unless they are named here, are left out by --all.

Examples
  tintype users limit bob 1000
  tintype users limit bob@example.com +500
  tintype users limit bob none
  tintype users limit --all +1500)";

constexpr const char* kResetFooter = R"(
Sets another password, for somebody who has forgotten theirs or whose password others may know. Without
--password-file it makes one up and prints it once. All sessions of the account end within a second; API keys stay.

Examples
  tintype users reset-password bob
  tintype users reset-password bob@example.com --password-file new.txt
  tintype users reset-password bob --password-file -        type it, or pipe it in)";

constexpr const char* kInviteFooter = R"(
Makes an invitation and prints its link, by which one person makes an account in the browser; programs send the token
as 'invitation' when they sign up. It works once. With --email it works for that address alone, in any spelling. With
--sign-up closed it opens nothing. An administrator takes an invitation back over the REST API
(DELETE /api/v1/invitations/ID).

Examples
  tintype users invite
  tintype users invite --email cleo@example.com --days 2
  tintype users invite --administrator --json)";

constexpr const char* kDisableFooter = R"(
Nobody can sign in to a disabled account; its sessions, access tokens and API keys stop within a second. Its photos
stay, and those that it shares stay shared. 'tintype users enable' lets its owner in again: API keys work again too,
sessions do not.

Examples
  tintype users disable bob
  tintype users disable bob@example.com --json)";

constexpr const char* kEnableFooter = R"(
Lets the owner of a disabled account sign in again.

Examples
  tintype users enable bob
  tintype users enable bob --json)";

constexpr const char* kRoleFooter = R"(
Administrators manage accounts and invitations, read the audit, and have no upload limit and no quota. Somebody who
ceases to be one gets those of new accounts (--upload-limit, --quota-mb). Nobody sees the private photos of others, not
even administrators.

Examples
  tintype users role bob administrator
  tintype users role bob user)";

constexpr const char* kQuotaFooter = R"(
The quota is how much an account may store: originals, edits, and the renditions of both, in the trash too. An upload
that does not fit is refused before its bytes are taken, and an edit before it is queued. Files that the account
has stay, even if they are more; a photo that is deleted for good makes room.
  NUMBER     so many bytes; with K, M, G or T behind it, so many KB, MB, GB or TB
  none       no quota

--quota-mb of 'tintype serve' is what new accounts start with. Changing it changes no account that there is.
Administrators have no quota unless they are named here.

Examples
  tintype users quota bob 20G
  tintype users quota bob@example.com 500M
  tintype users quota bob none)";

constexpr const char* kPasswordLinkFooter = R"(
Makes a link by which the owner of the account sets another password, without anybody else knowing it. It works once,
for 24 hours; another link ends this one. Until it is used, the password stays as it is; then all sessions end.

Examples
  tintype users password-link bob
  tintype users password-link bob --json)";

constexpr const char* kDeleteFooter = R"(
Deletes an account with everything that is its own: photos and what was made of them, uploads, edits, sessions, API
keys. The account is disabled at once and the command returns; a server then does the rest, over a restart too, and
frees the names last: 'tintype users list' shows the account as 'deleting' until then. Backups and the recovery of
tables keep their contents for their time; the audit keeps what the account did. Without --yes nothing is deleted.

Examples
  tintype users delete bob
  tintype users delete bob --yes)";

/// Days for which an invitation is good unless --days says otherwise.
constexpr int64_t kInvitationDays = 7;

struct UsersCommandArguments {
  SettingValues flags;
  UsersArguments users;
  ManageUsersArguments manage;
};

/// The words behind `limit` are NAME and NUMBER, or with --all the number alone.
void SortWords(UsersArguments& users) {
  if (users.all && users.limit.empty()) {
    std::swap(users.name, users.limit);
  }
  if (users.all && !users.name.empty()) {
    throw CLI::ValidationError("--all", "it is for all accounts, and '" + users.name + "' is one");
  }
  if (!users.all && users.name.empty()) {
    throw CLI::RequiredError("The username or email of an account, or --all,");
  }
  if (users.limit.empty()) {
    throw CLI::RequiredError("A limit (NUMBER, +NUMBER or none)");
  }
  if (const auto parsed = ParseLimit(users.limit); !parsed.ok()) {
    throw CLI::ValidationError(parsed.error().message());
  }
}

void AddName(CLI::App& command, std::string& name) {
  command.add_option("name", name, "The username or email of the account.")
      ->required()
      ->check(NotEmpty())
      ->option_text("NAME");
}

void AddPasswordFile(CLI::App& command, UsersArguments& users) {
  command
      .add_option("--password-file", users.password_file,
                  "The file whose only line is the password; '-' is standard input.\n"
                  "Default: make one up and print it")
      ->check(NotEmpty())
      ->option_text("FILE");
}

void DescribeLimit(CLI::App& limit, UsersArguments& users) {
  limit.footer(kLimitFooter);
  limit.add_option("name", users.name, "The username or email of the account; not with --all.")
      ->check(NotEmpty())
      ->option_text("NAME");
  limit.add_option("limit", users.limit, "NUMBER, +NUMBER or none; see below.")
      ->check(NotEmpty())
      ->option_text("LIMIT");
  limit.add_flag("--all", users.all, "All accounts but administrators.")->disable_flag_override();
}

void DescribeInvite(CLI::App& invite, ManageUsersArguments& manage) {
  invite.footer(kInviteFooter);
  invite.add_option("--email", manage.email, "The only address that can sign up by it.")
      ->check(NotEmpty())
      ->option_text("EMAIL");
  invite
      .add_flag("--administrator", manage.administrator, "The account becomes an administrator's.")
      ->disable_flag_override();
  manage.days = kInvitationDays;
  invite.add_option("--days", manage.days, "For how many days it works, 1 to 30. Default: 7")
      ->check(CLI::Range(1, 30))
      ->option_text("NUMBER");
}

/// The commands that manage one account, by name.
std::vector<CLI::App*> DescribeManaging(CLI::App& users, ManageUsersArguments& manage) {
  const auto add = [&](const char* name, const char* description, const char* footer) {
    CLI::App* command = users.add_subcommand(name, description);
    command->footer(footer);
    AddName(*command, manage.name);
    return command;
  };
  CLI::App* disable = add("disable", "Let nobody sign in to an account.", kDisableFooter);
  CLI::App* enable = add("enable", "Let the owner of a disabled account in again.", kEnableFooter);
  CLI::App* role = add("role", "Make somebody an administrator, or a user.", kRoleFooter);
  role->add_option("role", manage.role, "administrator or user.")
      ->required()
      ->check(CLI::IsMember({"administrator", "user"}))
      ->option_text("ROLE");
  CLI::App* quota = add("quota", "Set how much an account may store.", kQuotaFooter);
  quota->add_option("quota", manage.quota, "NUMBER, NUMBER[KMGT] or none; see below.")
      ->required()
      ->check([](const std::string& text) {
        const auto parsed = ParseQuota(text);
        return parsed.ok() ? std::string() : parsed.error().message();
      })
      ->option_text("SIZE");
  CLI::App* link =
      add("password-link", "Make a one-time link for another password.", kPasswordLinkFooter);
  CLI::App* remove = add("delete", "Delete an account and all that is its own.", kDeleteFooter);
  remove->add_flag("--yes", manage.yes, "Delete it. Without this, nothing is deleted.")
      ->disable_flag_override();
  return {disable, enable, role, quota, link, remove};
}

}  // namespace

void DescribeUsers(CLI::App& app, Run& run) {
  CLI::App* users = app.add_subcommand(
      "users", "List, make, invite, limit, disable and delete accounts; reset passwords.");
  users->require_subcommand(1);
  users->footer(kUsersFooter);
  const auto arguments = std::make_shared<UsersCommandArguments>();
  CLI::App* list =
      users->add_subcommand("list", "List all accounts, and how much they may upload.");
  list->footer(kListFooter);
  CLI::App* create = users->add_subcommand("create", "Make an account for somebody.");
  create->footer(kCreateUserFooter);
  create->add_option("name", arguments->users.name, "The username. It cannot be changed later.")
      ->required()
      ->check(NotEmpty())
      ->option_text("NAME");
  create->add_option("--email", arguments->users.email, "The email address.")
      ->required()
      ->check(NotEmpty())
      ->option_text("EMAIL");
  AddPasswordFile(*create, arguments->users);
  CLI::App* limit =
      users->add_subcommand("limit", "Set how many more photos an account may upload.");
  DescribeLimit(*limit, arguments->users);
  CLI::App* reset =
      users->add_subcommand("reset-password", "Set another password and end all sessions.");
  reset->footer(kResetFooter);
  AddName(*reset, arguments->users.name);
  AddPasswordFile(*reset, arguments->users);
  CLI::App* invite = users->add_subcommand("invite", "Make an invitation for one account.");
  DescribeInvite(*invite, arguments->manage);
  std::vector<CLI::App*> managing = DescribeManaging(*users, arguments->manage);
  managing.push_back(invite);
  for (CLI::App* command : {list, create, limit, reset}) {
    AddPhotoSettings(*command, arguments->flags);
    command->add_flag("--json", arguments->users.json, "Print one JSON object per line.");
  }
  for (CLI::App* command : managing) {
    AddPhotoSettings(*command, arguments->flags);
    command->add_flag("--json", arguments->manage.json, "Print one JSON object per line.");
  }
  const auto manages = [&](std::string_view name, auto action) {
    RunsWithPhotos(*users->get_subcommand(std::string(name)), run, arguments,
                   [action](const UsersCommandArguments& taken, const ServeConfig& config) {
                     return action(taken.manage, config);
                   });
  };
  manages("invite", RunUsersInvite);
  manages("disable", RunUsersDisable);
  manages("enable", RunUsersEnable);
  manages("role", RunUsersRole);
  manages("quota", RunUsersQuota);
  manages("password-link", RunUsersPasswordLink);
  manages("delete", RunUsersDelete);
  const auto runs = [&](CLI::App& command, auto action) {
    RunsWithPhotos(command, run, arguments,
                   [action](const UsersCommandArguments& taken, const ServeConfig& config) {
                     return action(taken.users, config);
                   });
  };
  runs(*list, RunUsersList);
  runs(*create, RunUsersCreate);
  runs(*reset, RunUsersResetPassword);
  limit->callback([&run, arguments] {
    SortWords(arguments->users);
    run = [arguments] {
      return RunWithPhotos(arguments->flags, [&](const ServeConfig& config) {
        return RunUsersLimit(arguments->users, config);
      });
    };
  });
}

}  // namespace tintype::cli
