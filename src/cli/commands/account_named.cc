#include "cli/commands/account_named.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "cli/command_line/guess.h"
#include "flows/accounts/manage_accounts.h"

namespace tintype::cli {
namespace {

/// Among how many accounts a name is looked for that is like the one that was typed.
constexpr size_t kGuessedAmongMax = 10'000;

/// Emails or usernames, whichever it looks like.
Result<std::vector<std::string>> NamesLike(flows::Product& product, const std::string& name) {
  constexpr int64_t kPage = 500;
  const bool by_email = name.find('@') != std::string::npos;
  std::vector<std::string> names;
  std::optional<std::string> after;
  do {
    ASSIGN_OR_RETURN(flows::AccountsPage page, flows::ListAccounts(product, kPage, after));
    for (flows::ListedAccount& each : page.accounts) {
      std::string& known = by_email ? each.account.email : each.account.username;
      if (!known.empty()) {  // Others may have written anything.
        names.push_back(std::move(known));
      }
    }
    after = std::move(page.next);
  } while (after && names.size() < kGuessedAmongMax);
  return names;
}

}  // namespace

Result<flows::Account> AccountNamed(flows::Product& product, const std::string& name) {
  ASSIGN_OR_RETURN(auto found, product.accounts.FindForLogin(name));
  if (found) {
    return std::move(found->account);
  }
  ASSIGN_OR_RETURN(const std::vector<std::string> names, NamesLike(product, name));
  if (names.empty()) {
    return Error::NotFound(StrCat("There is no account '", name,
                                  "', and no other one yet. 'tintype users create' makes one."));
  }
  std::string lower = name;
  std::ranges::transform(lower, lower.begin(), ToLower);
  const std::optional<std::string> meant = GuessWord(lower, names);
  return Error::NotFound(StrCat("There is no account '", name, "'. ",
                                meant ? StrCat("Did you mean '", *meant, "'? ") : "",
                                "'tintype users list' lists all of them."));
}

}  // namespace tintype::cli
