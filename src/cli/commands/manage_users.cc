#include "cli/commands/manage_users.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "cli/commands/account_named.h"
#include "cli/commands/product_command.h"
#include "cli/commands/user_fields.h"
#include "cli/console/console.h"
#include "cli/console/progress.h"
#include "contract/limits.h"
#include "flows/accounts/delete_account.h"
#include "flows/accounts/invite.h"
#include "flows/accounts/manage_accounts.h"
#include "flows/accounts/page_link.h"

namespace tintype::cli {
namespace {

constexpr int64_t kHoursOfDay = 24;

Result<AdminFields> InviteSomebody(flows::Product& product, const AdminFields& arguments) {
  flows::NewInvitation wanted;
  ASSIGN_OR_RETURN(const std::string email, arguments.Text("email"));
  if (!email.empty()) {
    wanted.email = email;
  }
  ASSIGN_OR_RETURN(wanted.administrator, arguments.Flag("administrator"));
  ASSIGN_OR_RETURN(const int64_t days, arguments.Number("days"));
  const limits::NumberLimit& hours = limits::kInvitationHours;
  if (days < 1 || !hours.Allows(days * kHoursOfDay)) {
    return Error::Validation(
        StrCat("An invitation is good for 1 to ", hours.max / kHoursOfDay, " days."));
  }
  wanted.kept = std::chrono::hours(days * kHoursOfDay);
  ASSIGN_OR_RETURN(const auto created, flows::Invite(product, wanted));
  const contexts::identity::Invitation& invitation = created.invitation;
  return AdminFields{
      {"id", invitation.id},
      {"link", flows::InvitationAddress(product.config, created.token)},
      {"token", created.token},
      {"email", invitation.email ? AdminFields::Value(*invitation.email)
                                 : AdminFields::Value(AdminFields::Null())},
      {"administrator", invitation.administrator},
      {"expiresAt", TimeText(invitation.expires_ms)},
  };
}

Result<AdminFields> ChangeNamed(flows::Product& product, const AdminFields& arguments,
                                const flows::AccountChange& change) {
  ASSIGN_OR_RETURN(const std::string name, arguments.Text("name"));
  ASSIGN_OR_RETURN(const flows::Account account, AccountNamed(product, name));
  ASSIGN_OR_RETURN(const flows::ListedAccount changed,
                   flows::ChangeAccount(product, flows::Actor{}, account.id, change));
  return UserFieldsOf(changed);
}

Result<AdminFields> ChangeRole(flows::Product& product, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const std::string role, arguments.Text("role"));
  if (role != "administrator" && role != "user") {
    return Error::Validation("A role is 'administrator' or 'user'.");
  }
  return ChangeNamed(product, arguments, {.administrator = role == "administrator"});
}

Result<AdminFields> SetNamedQuota(flows::Product& product, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const std::string text, arguments.Text("quota"));
  ASSIGN_OR_RETURN(const int64_t quota, ParseQuota(text));
  return ChangeNamed(product, arguments, {.quota = quota});
}

/// `1.5 GB of 20.0 GB`, `1.5 GB, without a quota`.
Result<std::string> StorageText(const AdminFields& user) {
  const auto size = [](int64_t bytes) {
    return FormatBytes(static_cast<uint64_t>(std::max<int64_t>(bytes, 0)));
  };
  ASSIGN_OR_RETURN(const int64_t used, user.Number("usedBytes"));
  const Result<int64_t> quota = user.Number("quotaBytes");
  return StrCat(size(used), quota.ok() ? StrCat(" of ", size(*quota)) : ", without a quota");
}

Result<AdminFields> LinkForPassword(flows::Product& product, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const std::string name, arguments.Text("name"));
  ASSIGN_OR_RETURN(const flows::Account account, AccountNamed(product, name));
  ASSIGN_OR_RETURN(const auto link, flows::MakePasswordLink(product, account.id));
  return AdminFields{{"username", account.username},
                     {"email", account.email},
                     {"userId", account.id},
                     {"link", flows::PasswordLinkAddress(product.config, link.token)},
                     {"token", link.token},
                     {"expiresAt", TimeText(link.expires_ms)}};
}

/// Queues the deletion if `yes` says so; else says whose account it would be.
Result<AdminFields> DeleteNamed(flows::Product& product, const AdminFields& arguments) {
  ASSIGN_OR_RETURN(const std::string name, arguments.Text("name"));
  ASSIGN_OR_RETURN(const bool yes, arguments.Flag("yes"));
  ASSIGN_OR_RETURN(const flows::Account account, AccountNamed(product, name));
  if (yes) {
    RETURN_IF_ERROR(flows::DeleteAccount(product, flows::Actor{}, account.id));
  }
  return AdminFields{{"username", account.username},
                     {"email", account.email},
                     {"userId", account.id},
                     {"queued", yes}};
}

/// A link that is handed over, and until when it is good.
Result<std::string> LinkText(const AdminFields& fields) {
  ASSIGN_OR_RETURN(const std::string link, fields.Text("link"));
  ASSIGN_OR_RETURN(const std::string token, fields.Text("token"));
  ASSIGN_OR_RETURN(const std::string expires, fields.Text("expiresAt"));
  return StrCat("\nlink   ", OneLine(link), "\ntoken  ", OneLine(token), "\ngood until ",
                OneLine(expires), ". This is the only time it is shown.");
}

/// A command on one account, of which people read `text` behind its name.
Status RunOnNamed(const ManageUsersArguments& arguments, const ServeConfig& config,
                  const AdminMessage& request, const ProductCommand& command,
                  const std::string& text) {
  Console console(arguments.json);
  const auto fields = DoOnProduct(config, request, command, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  return console.End(OkStatus(), *fields, StrCat(WhoText(*fields), text));
}

}  // namespace

Result<int64_t> ParseQuota(std::string_view text) {
  if (text == "none") {
    return contexts::intake::kNoQuota;
  }
  constexpr std::string_view kSuffixes = "KMGT";
  const size_t suffix = text.empty() ? std::string_view::npos : kSuffixes.find(text.back());
  const int shift = suffix == std::string_view::npos ? 0 : static_cast<int>(10 * (suffix + 1));
  const auto number = ParseDigits<int64_t>(text.substr(0, text.size() - (shift > 0 ? 1 : 0)));
  if (!number || *number > limits::kQuotaBytes.max >> shift) {
    return Error::Validation(StrCat("'", text,
                                    "' is no quota; a number of bytes, or one with K, M, G or T "
                                    "behind it, or 'none' is"));
  }
  return *number << shift;
}

Status RunUsersInvite(const ManageUsersArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto fields = DoOnProduct(config,
                                  {"users-invite",
                                   {{"email", arguments.email},
                                    {"administrator", arguments.administrator},
                                    {"days", arguments.days}}},
                                  UsersInviteCommand, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const std::string link, LinkText(*fields));
  const Result<std::string> email = fields->Text("email");
  return console.End(OkStatus(), *fields,
                     StrCat("An invitation for ", email.ok() ? OneLine(*email) : "one account",
                            arguments.administrator ? ", an administrator's" : "", link));
}

Status RunUsersDisable(const ManageUsersArguments& arguments, const ServeConfig& config) {
  return RunOnNamed(arguments, config, {"users-disable", {{"name", arguments.name}}},
                    UsersDisableCommand, " is disabled; all sessions have ended");
}

Status RunUsersEnable(const ManageUsersArguments& arguments, const ServeConfig& config) {
  return RunOnNamed(arguments, config, {"users-enable", {{"name", arguments.name}}},
                    UsersEnableCommand, " can sign in");
}

Status RunUsersRole(const ManageUsersArguments& arguments, const ServeConfig& config) {
  return RunOnNamed(arguments, config,
                    {"users-role", {{"name", arguments.name}, {"role", arguments.role}}},
                    UsersRoleCommand,
                    arguments.role == "administrator" ? " is an administrator, without a limit"
                                                      : " is not an administrator any more");
}

Status RunUsersQuota(const ManageUsersArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto fields =
      DoOnProduct(config, {"users-quota", {{"name", arguments.name}, {"quota", arguments.quota}}},
                  UsersQuotaCommand, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const std::string storage, StorageText(*fields));
  return console.End(OkStatus(), *fields, StrCat(WhoText(*fields), " stores ", storage));
}

Status RunUsersPasswordLink(const ManageUsersArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto fields = DoOnProduct(config, {"users-password-link", {{"name", arguments.name}}},
                                  UsersPasswordLinkCommand, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const std::string link, LinkText(*fields));
  return console.End(OkStatus(), *fields,
                     StrCat(WhoText(*fields), " sets another password by this link, once", link));
}

Status RunUsersDelete(const ManageUsersArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto fields =
      DoOnProduct(config, {"users-delete", {{"name", arguments.name}, {"yes", arguments.yes}}},
                  UsersDeleteCommand, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  if (!arguments.yes) {
    return console.Fail(
        Error::Validation(StrCat("Nothing was deleted. --yes deletes the account ",
                                 WhoText(*fields), " and everything that is its own, for good")));
  }
  return console.End(OkStatus(), *fields,
                     StrCat(WhoText(*fields),
                            " is disabled, and its deletion is queued: a server removes photos, "
                            "files and sessions, and the account last"));
}

AdminCommand UsersInviteCommand(flows::Product& product) {
  return [&product](const AdminFields& arguments, const ProgressReport& /*report*/) {
    return InviteSomebody(product, arguments);
  };
}

AdminCommand UsersDisableCommand(flows::Product& product) {
  return [&product](const AdminFields& arguments, const ProgressReport& /*report*/) {
    return ChangeNamed(product, arguments, {.disabled = true});
  };
}

AdminCommand UsersEnableCommand(flows::Product& product) {
  return [&product](const AdminFields& arguments, const ProgressReport& /*report*/) {
    return ChangeNamed(product, arguments, {.disabled = false});
  };
}

AdminCommand UsersRoleCommand(flows::Product& product) {
  return [&product](const AdminFields& arguments, const ProgressReport& /*report*/) {
    return ChangeRole(product, arguments);
  };
}

AdminCommand UsersQuotaCommand(flows::Product& product) {
  return [&product](const AdminFields& arguments, const ProgressReport& /*report*/) {
    return SetNamedQuota(product, arguments);
  };
}

AdminCommand UsersPasswordLinkCommand(flows::Product& product) {
  return [&product](const AdminFields& arguments, const ProgressReport& /*report*/) {
    return LinkForPassword(product, arguments);
  };
}

AdminCommand UsersDeleteCommand(flows::Product& product) {
  return [&product](const AdminFields& arguments, const ProgressReport& /*report*/) {
    return DeleteNamed(product, arguments);
  };
}

}  // namespace tintype::cli
