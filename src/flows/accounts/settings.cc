#include "flows/accounts/settings.h"

#include <string>

#include "base/random.h"
#include "base/strings.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/accounts.h"
#include "tables/language/database.h"

namespace tintype::flows {

using contexts::analysis::AiOptions;

std::optional<AiOptions> AiOptionsOf(const Account& account) {
  if (!account.ai_options) {
    return std::nullopt;
  }
  // Another program may have written anything.
  const auto options = AiOptions::Parse(*account.ai_options);
  return options.ok() ? std::optional(*options) : std::nullopt;
}

Result<Account> SetAiOptions(const Uses<DatabasePart>& parts, const Account& account,
                             const std::optional<AiOptions>& options) {
  Account changed = account;
  changed.ai_options = options ? std::optional(options->Text()) : std::nullopt;
  // The random part keeps two changes to the same value apart, with another one between them.
  RETURN_IF_ERROR(
      contexts::Transaction(StrCat("settings ", account.id, " ", RandomUuid()))
          .Add(contexts::identity::Accounts::SetAiOptions(account.id, changed.ai_options))
          .Commit(parts.database, parts.retries));
  return changed;
}

}  // namespace tintype::flows
