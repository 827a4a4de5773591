#include "flows/accounts/profile.h"

#include <utility>

#include "base/clock.h"
#include "base/random.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/common/transaction.h"
#include "contract/limits.h"
#include "tables/language/database.h"

namespace tintype::flows {

using contexts::Transaction;
using contexts::identity::Accounts;
using contexts::people::People;

contexts::people::User NewUser(const Account& account) {
  contexts::people::User user;
  user.email = account.email;
  user.username = account.display_name.value_or(account.username);
  user.display_name = account.display_name;
  user.user_id = account.id;
  user.created_s = account.created_ms / 1000;
  user.modified_at = TimeText(account.created_ms);
  return user;
}

Result<Account> ChangeProfile(const ProfileParts& parts, const Account& account,
                              const ProfileChange& change) {
  Account changed = account;
  contexts::people::UserChange copy;
  if (change.display_name) {
    if (*change.display_name) {
      RETURN_IF_ERROR(
          limits::CheckText("displayName", **change.display_name, limits::kDisplayName));
    }
    changed.display_name = *change.display_name;
    copy.display_name = change.display_name;
    copy.username = changed.display_name.value_or(account.username);
  }
  if (change.about) {
    if (*change.about) {
      RETURN_IF_ERROR(limits::CheckText("about", **change.about, limits::kAbout));
    }
    changed.about = *change.about;
    copy.about = change.about;
  }
  if (!change.display_name && !change.about) {
    return changed;
  }
  // The random part keeps two changes to the same value apart, with another one between them.
  RETURN_IF_ERROR(
      Transaction(StrCat("profile ", account.id, " ", RandomUuid()))
          .Add(Accounts::SetProfile(account.id, change))
          .Add(People::ChangeUser(NewUser(account), copy, TimeText(parts.clock.NowMs())))
          .Commit(parts.database, parts.retries));
  return changed;
}

}  // namespace tintype::flows
