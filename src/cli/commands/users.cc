#include "cli/commands/users.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>
#include <variant>
#include <vector>

#include "base/numbers.h"
#include "base/strings.h"
#include "cli/commands/account_named.h"
#include "cli/commands/product_command.h"
#include "cli/commands/user_fields.h"
#include "cli/console/console.h"
#include "cli/console/given_password.h"
#include "cli/console/progress.h"
#include "cli/console/text_table.h"
#include "cli/tables/sealing.h"
#include "contexts/identity/credentials/passwords.h"
#include "flows/accounts/manage_accounts.h"

namespace tintype::cli {
namespace {

using contexts::people::kLimitMax;
using contexts::people::kUnlimited;

/// What an answer holds at most; a list of more is asked for again.
constexpr int64_t kUsersInAnAnswer = 1000;

Result<AdminFields> List(flows::Product& product, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const std::string after, arguments.Text("after"));
  ASSIGN_OR_RETURN(const flows::AccountsPage page,
                   flows::ListAccounts(product, kUsersInAnAnswer,
                                       after.empty() ? std::nullopt : std::optional(after)));
  std::string listed;
  for (const flows::ListedAccount& each : page.accounts) {
    StrAppend(listed, FormatMessage({"user", UserFieldsOf(each)}), "\n");
  }
  return AdminFields{{"users", listed}, {"next", page.next.value_or("")}};
}

/// A hash that this program made, not a password by mistake; sealed, as accounts keep it.
Result<std::string> HashOf(const ProductHost& host, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const std::string hash, arguments.Text("password_hash"));
  if (!hash.starts_with("$argon2id$")) {
    return Error::Validation("'password_hash' is not the hash of a password.");
  }
  ASSIGN_OR_RETURN(const std::string secret, host.secret());
  return contexts::identity::SealPasswordHash(PasswordKeyOf(secret), hash);
}

Result<AdminFields> Create(const ProductHost& host, const AdminFields& arguments) {
  flows::Product& product = host.product;
  flows::NewAccount described;
  described.email_vouched = true;
  ASSIGN_OR_RETURN(described.email, arguments.Text("email"));
  ASSIGN_OR_RETURN(described.username, arguments.Text("username"));
  ASSIGN_OR_RETURN(described.password_hash, HashOf(host, arguments));
  ASSIGN_OR_RETURN(const flows::Account account, flows::CreateAccount(product, described));
  ASSIGN_OR_RETURN(const flows::ListedAccount created, flows::FindAccount(product, account.id));
  return UserFieldsOf(created);
}

/// Changes the limit of everybody but administrators.
Result<AdminFields> ChangeAll(flows::Product& product, const flows::LimitChange& change,
                              const ProgressReport& report) {
  constexpr int64_t kPage = 100;
  int64_t count = 0;
  int64_t administrators = 0;
  std::string last;
  // Repeating the command adds again, so the error says how far it got.
  const auto so_far = [&](const Error& error) {
    return count == 0 ? error
                      : Error(error.reason(), StrCat(error.message(), " The limits of ", count,
                                                     " accounts were changed before, in the order "
                                                     "of emails up to ",
                                                     last, "."));
  };
  std::optional<std::string> after;
  do {
    Result<flows::AccountsPage> page = flows::ListAccounts(product, kPage, after);
    if (!page.ok()) {
      return so_far(page.error());
    }
    for (const flows::ListedAccount& each : page->accounts) {
      if (each.account.administrator) {
        ++administrators;
        continue;
      }
      const auto changed = flows::ChangeUploadLimit(product, each.account.email, change);
      if (!changed.ok()) {
        return so_far(changed.error());
      }
      ++count;
      last = each.account.email;
    }
    after = std::move(page->next);
    if (after && !report({"limits", static_cast<uint64_t>(count), 0})) {
      return so_far(Error(ErrorKind::kUnavailable, "The command was cancelled."));
    }
  } while (after);
  return AdminFields{{"count", count}, {"administrators", administrators}};
}

Result<AdminFields> Limit(flows::Product& product, const AdminFields& arguments,
                          const ProgressReport& report) {
  ASSIGN_OR_RETURN(const std::string name, arguments.Text("name"));
  ASSIGN_OR_RETURN(const bool all, arguments.Flag("all"));
  ASSIGN_OR_RETURN(const std::string limit, arguments.Text("limit"));
  ASSIGN_OR_RETURN(const flows::LimitChange change, ParseLimit(limit));
  if (all != name.empty()) {
    return Error::Validation("Name one account, or say that all are meant.");
  }
  if (all) {
    return ChangeAll(product, change, report);
  }
  ASSIGN_OR_RETURN(const flows::Account account, AccountNamed(product, name));
  RETURN_IF_ERROR(flows::ChangeUploadLimit(product, account.email, change));
  ASSIGN_OR_RETURN(const flows::ListedAccount changed, flows::FindAccount(product, account.id));
  return UserFieldsOf(changed);
}

Result<AdminFields> ResetPassword(const ProductHost& host, const AdminFields& arguments) {
  flows::Product& product = host.product;
  ASSIGN_OR_RETURN(const std::string name, arguments.Text("name"));
  ASSIGN_OR_RETURN(const std::string hash, HashOf(host, arguments));
  ASSIGN_OR_RETURN(const flows::Account account, AccountNamed(product, name));
  RETURN_IF_ERROR(flows::ResetPassword(product, account.id, hash));
  return AdminFields{
      {"username", account.username}, {"email", account.email}, {"userId", account.id}};
}

/// `5 uploads left`, `no limit`.
std::string LeftText(const AdminFields& user) {
  const Result<int64_t> limit = user.Number("limit");
  return !limit.ok() ? "no limit" : *limit == 1 ? "1 upload left" : StrCat(*limit, " uploads left");
}

constexpr size_t kColumns = 7;

/// One account for a person; only what OneLine has cleaned goes to a terminal.
Result<std::array<std::string, kColumns>> RowOf(const AdminFields& user) {
  ASSIGN_OR_RETURN(const std::string username, user.Text("username"));
  ASSIGN_OR_RETURN(const std::string email, user.Text("email"));
  ASSIGN_OR_RETURN(const bool administrator, user.Flag("administrator"));
  ASSIGN_OR_RETURN(const std::string created, user.Text("createdAt"));
  ASSIGN_OR_RETURN(const std::string state, user.Text("state"));
  const Result<int64_t> limit = user.Number("limit");
  ASSIGN_OR_RETURN(const int64_t used, user.Number("usedBytes"));
  const Result<int64_t> quota = user.Number("quotaBytes");
  const auto size = [](int64_t bytes) {
    return FormatBytes(static_cast<uint64_t>(std::max<int64_t>(bytes, 0)));
  };
  const std::string role = administrator ? "administrator" : "user";
  constexpr size_t kDateChars = 10;
  return std::array<std::string, kColumns>{
      OneLine(username),
      OneLine(email),
      state == "active" ? role : OneLine(StrCat(role, " (", state, ")")),
      limit.ok() ? StrCat(*limit) : "no limit",
      size(used),
      quota.ok() ? size(*quota) : "none",
      OneLine(created.substr(0, kDateChars))};
}

using Rows = std::vector<std::array<std::string, kColumns>>;

Status AddRows(const std::string& listed, Rows& rows) {
  for (size_t begin = 0; begin < listed.size();) {
    const size_t end = listed.find('\n', begin);
    ASSIGN_OR_RETURN(const AdminMessage line, ParseMessage(listed.substr(begin, end - begin)));
    ASSIGN_OR_RETURN(auto row, RowOf(line.fields));
    rows.push_back(std::move(row));
    begin = end + 1;
  }
  return OkStatus();
}

/// A password that a command sets: given, or made up, and then to be shown.
struct NewPassword {
  std::string hash;
  std::string to_show;
};

Result<NewPassword> PrepareNewPassword(const std::string& file) {
  std::string password;
  if (file.empty()) {
    password = MakeUpPassword();
  } else {
    ASSIGN_OR_RETURN(password, ReadGivenPassword(file));
    if (const Status fine = contexts::identity::CheckPassword(password); !fine.ok()) {
      return Error::Validation(StrCat("The password in ", file == "-" ? "standard input" : file,
                                      " cannot be one: ", fine.error().message()));
    }
  }
  NewPassword prepared;
  ASSIGN_OR_RETURN(prepared.hash, contexts::identity::Passwords().Hash(password));
  prepared.to_show = file.empty() ? password : "";
  return prepared;
}

/// What a person reads of a password that was made up.
std::string ShownPassword(const NewPassword& password) {
  return password.to_show.empty()
             ? ""
             : StrCat("\npassword  ", password.to_show, "\nThis is the only time it is shown.");
}

}  // namespace

Result<flows::LimitChange> ParseLimit(const std::string& text) {
  flows::LimitChange change;
  if (text == "none") {
    change.to = kUnlimited;
    return change;
  }
  const bool more = text.starts_with('+');
  const auto number = ParseDigits<int64_t>(std::string_view(text).substr(more ? 1 : 0));
  if (!number || *number > kLimitMax || (more && *number == 0)) {
    return Error::Validation(StrCat("'", text, "' is no limit; a number up to ", kLimitMax,
                                    ", the same with a plus before it, or 'none' is"));
  }
  (more ? change.more : change.to) = *number;
  return change;
}

Status RunUsersList(const UsersArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  Rows rows = {{"USERNAME", "EMAIL", "ROLE", "LEFT", "STORED", "QUOTA", "SINCE"}};
  int64_t count = 0;
  std::string after;
  do {
    const auto fields =
        DoOnProduct(config, {"users-list", {{"after", after}}}, UsersListCommand, console.report());
    if (!fields.ok()) {
      return console.Fail(fields.error());
    }
    ASSIGN_OR_RETURN(const std::string listed, fields->Text("users"));
    ASSIGN_OR_RETURN(after, fields->Text("next"));
    const size_t before = rows.size();
    RETURN_IF_ERROR(AddRows(listed, rows));
    count += static_cast<int64_t>(rows.size() - before);
    if (arguments.json) {
      std::fputs(listed.c_str(), stdout);
    }
  } while (!after.empty());
  return console.End(OkStatus(), {{"count", count}},
                     count == 0
                         ? "No accounts yet. The first one signs up in the browser, with "
                           "the token in the file 'setup-token' of the data directory; or "
                           "'tintype users create' makes it."
                         : StrCat(TextTable(rows), count, count == 1 ? " account" : " accounts"));
}

Status RunUsersCreate(const UsersArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const Result<NewPassword> password = PrepareNewPassword(arguments.password_file);
  if (!password.ok()) {
    return console.Fail(password.error());
  }
  auto fields = DoOnProduct(config,
                            {"users-create",
                             {{"username", arguments.name},
                              {"email", arguments.email},
                              {"password_hash", password->hash}}},
                            UsersCreateCommand, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const bool administrator, fields->Flag("administrator"));
  const std::string text =
      StrCat(WhoText(*fields),
             administrator ? " is the first account, and administrates this server; " : " made; ",
             LeftText(*fields), ShownPassword(*password));
  if (!password->to_show.empty()) {
    fields->Set("password", password->to_show);
  }
  return console.End(OkStatus(), *fields, text);
}

Status RunUsersLimit(const UsersArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto fields =
      DoOnProduct(config,
                  {"users-limit",
                   {{"name", arguments.name}, {"all", arguments.all}, {"limit", arguments.limit}}},
                  UsersLimitCommand, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  if (!arguments.all) {
    return console.End(OkStatus(), *fields, StrCat(WhoText(*fields), ": ", LeftText(*fields)));
  }
  ASSIGN_OR_RETURN(const int64_t count, fields->Number("count"));
  ASSIGN_OR_RETURN(const int64_t administrators, fields->Number("administrators"));
  return console.End(OkStatus(), *fields,
                     StrCat(count, count == 1 ? " account changed" : " accounts changed",
                            administrators > 0 ? "; administrators were left as they are" : ""));
}

Status RunUsersResetPassword(const UsersArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const Result<NewPassword> password = PrepareNewPassword(arguments.password_file);
  if (!password.ok()) {
    return console.Fail(password.error());
  }
  auto fields = DoOnProduct(
      config,
      {"users-reset-password", {{"name", arguments.name}, {"password_hash", password->hash}}},
      UsersResetPasswordCommand, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  const std::string text = StrCat(WhoText(*fields), " has a new password; all sessions have ended",
                                  ShownPassword(*password));
  if (!password->to_show.empty()) {
    fields->Set("password", password->to_show);
  }
  return console.End(OkStatus(), *fields, text);
}

AdminCommand UsersListCommand(flows::Product& product) {
  return [&product](const AdminFields& arguments, const ProgressReport& /*report*/) {
    return List(product, arguments);
  };
}

AdminCommand UsersCreateCommand(const ProductHost& host) {
  return [&host](const AdminFields& arguments, const ProgressReport& /*report*/) {
    return Create(host, arguments);
  };
}

AdminCommand UsersLimitCommand(flows::Product& product) {
  return [&product](const AdminFields& arguments, const ProgressReport& report) {
    return Limit(product, arguments, report);
  };
}

AdminCommand UsersResetPasswordCommand(const ProductHost& host) {
  return [&host](const AdminFields& arguments, const ProgressReport& /*report*/) {
    return ResetPassword(host, arguments);
  };
}

}  // namespace tintype::cli
