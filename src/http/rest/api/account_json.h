#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "contexts/identity/accounts/invitation.h"
#include "contexts/intake/storage_use.h"
#include "contract/limits.h"
#include "flows/accounts/manage_accounts.h"
#include "http/rest/api/api.h"
#include "json/writer.h"
#include "views/account.h"

/// Accounts and what belongs to them, as the contract has them.
namespace tintype::http::rest {

// `links` are LinksOf (api/image_json.h).

/// The members of `User`, which `Me` has too.
void WriteUser(json::Writer& json, LinkSigner& links, const flows::Account& account);
/// `Me`, to the caller.
Response MeResponse(const Api& api, const Call& call, const flows::Account& account);
/// `ManagedAccount`, as administrators see an account.
void WriteManagedAccount(json::Writer& json, LinkSigner& links, const flows::ListedAccount& listed);
/// The members of `StorageUse`.
void WriteStorageUse(json::Writer& json, const contexts::intake::StorageUse& use);
/// The link to a profile picture, from here on, whoever it is for. Valid until the next one.
std::string_view PictureLink(LinkSigner& links, const views::ProfilePicture& picture);
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
