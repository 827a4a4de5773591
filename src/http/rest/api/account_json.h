#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "contexts/identity/invitation.h"
#include "contract/limits.h"
#include "flows/manage_accounts.h"
#include "http/rest/api/api.h"
#include "json/writer.h"

/// Accounts and what belongs to them, as the contract has them.
namespace tintype::http::rest {

/// The members of `User`, which `Me` has too.
void WriteUser(json::Writer& json, const flows::Account& account);
/// `ManagedAccount`, as administrators see an account.
void WriteManagedAccount(json::Writer& json, const flows::ListedAccount& listed);
/// The members of `Invitation`.
void WriteInvitation(json::Writer& json, const contexts::identity::Invitation& invitation);
/// `OneTimeLink` to the page, for a token that sets a password.
void WritePasswordLink(json::Writer& json, const Api& api,
                       const contexts::identity::PasswordLink& link);

void WriteMaybeTime(json::Writer& json, std::string_view name,
                    const std::optional<int64_t>& time_ms);

/// A member that has to be true or false where it is there. Errors: kValidation, which names it.
Result<std::optional<bool>> OptionalFlag(const json::Value& body, std::string_view name);
/// The same for a whole number within its limits.
Result<std::optional<int64_t>> OptionalNumber(const json::Value& body, std::string_view name,
                                              const limits::NumberLimit& limit);

/// An answer without a body.
Response NoContent();

}  // namespace tintype::http::rest
