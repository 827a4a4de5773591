#include "cli/commands/users.h"

#include <memory>
#include <utility>

#include "cli/command_line/command.h"

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
  tintype users reset-password bob)";

constexpr const char* kListFooter = R"(
LEFT is how many more photos an account may upload. With --json each account is an object 'user' on a line of its
own, whose 'limit' is null when there is no limit.

Examples
  tintype users list
  tintype users list --json)";

constexpr const char* kCreateFooter = R"(
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
--password-file it makes one up and prints it once. All sessions of the account end: a page that is open somewhere
works for at most 16 minutes more, and cannot be reopened.

Examples
  tintype users reset-password bob
  tintype users reset-password bob@example.com --password-file new.txt
  tintype users reset-password bob --password-file -        type it, or pipe it in)";

struct UsersCommandArguments {
  SettingValues flags;
  UsersArguments users;
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

void AddName(CLI::App& command, UsersArguments& users) {
  command.add_option("name", users.name, "The username or email of the account.")
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

}  // namespace

void DescribeUsers(CLI::App& app, Run& run) {
  CLI::App* users = app.add_subcommand(
      "users", "List and create accounts, change upload limits, reset passwords.");
  users->require_subcommand(1);
  users->footer(kUsersFooter);
  const auto arguments = std::make_shared<UsersCommandArguments>();
  CLI::App* list =
      users->add_subcommand("list", "List all accounts, and how much they may upload.");
  list->footer(kListFooter);
  CLI::App* create = users->add_subcommand("create", "Make an account for somebody.");
  create->footer(kCreateFooter);
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
  AddName(*reset, arguments->users);
  AddPasswordFile(*reset, arguments->users);
  for (CLI::App* command : {list, create, limit, reset}) {
    AddPhotoSettings(*command, arguments->flags);
    command->add_flag("--json", arguments->users.json, "Print one JSON object per line.");
  }
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
