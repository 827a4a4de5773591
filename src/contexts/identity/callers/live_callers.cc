#include "contexts/identity/callers/live_callers.h"

#include <optional>
#include <utility>

#include "base/strings.h"
#include "contexts/common/find_items.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/identity/accounts/outside_identities.h"
#include "contexts/identity/credentials/sessions.h"
#include "contexts/identity/reasons.h"
#include "crypto/digest.h"

namespace tintype::contexts::identity {
namespace {

Error Ended() { return {kNotLoggedIn, "The session has ended. Log in again."}; }

Error Disabled() { return {kNotLoggedIn, "This account is disabled. Ask an administrator."}; }

}  // namespace

std::optional<LiveCaller> LiveCallers::FindKnown(const std::string& name) {
  std::optional<Known> known = known_.Find(name);
  const int64_t age_ms = known ? clock_.NowMs() - known->asked_ms : 0;
  // The clock may have been put back.
  const bool usable = known && age_ms >= 0 && age_ms <= kKnownMs;
  return usable ? std::optional(std::move(known->caller)) : std::nullopt;
}

Result<LiveCaller> LiveCallers::OfSession(std::string_view session_id,
                                          std::string_view account_id) {
  const std::string name = StrCat("session ", session_id, " ", account_id);
  if (auto known = FindKnown(name)) {
    return *std::move(known);
  }
  const int64_t asked_ms = clock_.NowMs();
  ASSIGN_OR_RETURN(LiveCaller caller, AskForSession(session_id, account_id));
  known_.Add(name, {caller, asked_ms});
  return caller;
}

Result<LiveCaller> LiveCallers::AskForSession(std::string_view session_id,
                                              std::string_view account_id) {
  std::vector<tables::Item> keys;
  keys.push_back(Accounts::KeyOf(account_id));
  keys.push_back(Sessions::KeyOf(session_id));
  ASSIGN_OR_RETURN(const auto items, FindItems(database_, kSystemTable, std::move(keys)));
  std::optional<Account> account;
  const tables::Item* session = nullptr;
  for (const tables::Item& item : items) {
    const ItemReader read(item);
    if (read.Text("SK") == "ACCOUNT") {
      account = Accounts::FromItem(read);
    } else {
      session = &item;
    }
  }
  if (account && account->disabled) {
    return Disabled();
  }
  if (!account || session == nullptr ||
      !Sessions::IsLive(ItemReader(*session), *account, clock_.NowMs())) {
    return Ended();
  }
  return LiveCaller{*std::move(account), {}};
}

Result<LiveCaller> LiveCallers::OfApiKey(std::string_view text) {
  const std::string name = StrCat("key ", std::string_view(crypto::Bytes(crypto::Sha256(text))));
  if (auto known = FindKnown(name)) {
    return *std::move(known);
  }
  const int64_t asked_ms = clock_.NowMs();
  ASSIGN_OR_RETURN(LiveCaller caller, AskForApiKey(text));
  known_.Add(name, {caller, asked_ms});
  return caller;
}

Result<LiveCaller> LiveCallers::AskForApiKey(std::string_view text) {
  ASSIGN_OR_RETURN(const ApiKey key, api_keys_.Find(text));
  ASSIGN_OR_RETURN(auto account, FindAccount(key.account_id));
  if (!account) {
    return Error(kNotLoggedIn, "The account of this API key is gone.");
  }
  if (account->disabled) {
    return Disabled();
  }
  return LiveCaller{*std::move(account), key.scopes};
}

Result<std::optional<LiveCaller>> LiveCallers::OfIdentity(std::string_view issuer,
                                                          std::string_view subject) {
  const std::string name = StrCat("identity ", OutsideIdentities::IdOf(issuer, subject));
  if (auto known = FindKnown(name)) {
    return std::optional(*std::move(known));
  }
  const int64_t asked_ms = clock_.NowMs();
  ASSIGN_OR_RETURN(std::optional<LiveCaller> caller, AskForIdentity(issuer, subject));
  if (caller) {
    known_.Add(name, {*caller, asked_ms});
  }
  return caller;
}

Result<std::optional<LiveCaller>> LiveCallers::AskForIdentity(std::string_view issuer,
                                                              std::string_view subject) {
  ASSIGN_OR_RETURN(const auto identity, identities_.Find(issuer, subject));
  if (!identity) {
    return std::optional<LiveCaller>();
  }
  ASSIGN_OR_RETURN(auto account, FindAccount(identity->account_id));
  if (!account) {
    return std::optional<LiveCaller>();
  }
  if (account->disabled) {
    return Disabled();
  }
  return std::optional(LiveCaller{*std::move(account), {}});
}

Result<std::optional<Account>> LiveCallers::FindAccount(std::string_view account_id) {
  std::vector<tables::Item> keys;
  keys.push_back(Accounts::KeyOf(account_id));
  ASSIGN_OR_RETURN(const auto items, FindItems(database_, kSystemTable, std::move(keys)));
  return items.empty() ? std::nullopt
                       : std::optional(Accounts::FromItem(ItemReader(items.front())));
}

}  // namespace tintype::contexts::identity
