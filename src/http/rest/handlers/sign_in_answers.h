#pragma once

#include <optional>
#include <string>

#include "flows/accounts/sign_in.h"
#include "http/rest/api/api.h"

/// What all handlers have in common that let somebody in.
namespace tintype::http::rest {

/// A form on another site can be made to look like JSON, but not to say that it is: without this,
/// it could log a browser into somebody else's account.
std::optional<Response> RefuseForm(const Call& call);

/// Whether a browser asks, which keeps its tokens in cookies that no script can read. Errors:
/// kValidation.
Result<bool> WantsCookies(const json::Value& body);

/// The invitation that somebody brings, if they bring one. Errors: kValidation.
Result<std::optional<std::string>> ReadInvitation(const json::Value& body);

/// `SignedIn`, with cookies or tokens.
Response SignedInResponse(const Api& api, const Call& call, int status,
                          const flows::SignedIn& signed_in, bool cookies);

std::string UserAgentOf(const Call& call);

}  // namespace tintype::http::rest
