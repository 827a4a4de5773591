#include "cli/commands/user_fields.h"

#include "base/strings.h"
#include "base/time_text.h"
#include "cli/console/console.h"
#include "contexts/people/upload_limit.h"

namespace tintype::cli {

AdminFields UserFieldsOf(const flows::ListedAccount& listed) {
  const flows::Account& account = listed.account;
  const std::string state = account.deleting   ? "deleting"
                            : account.disabled ? "disabled"
                                               : "active";
  return {{"username", account.username},
          {"email", account.email},
          {"userId", account.id},
          {"administrator", account.administrator},
          {"state", state},
          {"createdAt", TimeText(account.created_ms)},
          {"limit", contexts::people::IsUnlimited(listed.limit)
                        ? AdminFields::Value(AdminFields::Null())
                        : AdminFields::Value(listed.limit)},
          {"usedBytes", listed.storage.used},
          {"quotaBytes", listed.storage.has_quota() ? AdminFields::Value(listed.storage.quota())
                                                    : AdminFields::Value(AdminFields::Null())}};
}

std::string WhoText(const AdminFields& user) {
  const Result<std::string> username = user.Text("username");
  const Result<std::string> email = user.Text("email");
  return OneLine(StrCat(username.ok() ? *username : "", " (", email.ok() ? *email : "", ")"));
}

}  // namespace tintype::cli
