#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "flows/accounts/outside_sign_in.h"
#include "flows/accounts/sign_in.h"
#include "http/server/message.h"

/// The cookies of a browser's session.
namespace tintype::http::rest {

inline constexpr std::string_view kAccessCookie = "tintype_access";
inline constexpr std::string_view kRefreshCookie = "tintype_refresh";
/// Stays when somebody logs out: it says that they were here before
/// (identity/credentials/device_tokens.h).
inline constexpr std::string_view kDeviceCookie = "tintype_device";

/// What a browser takes along to another issuer and back (flows/accounts/outside_sign_in.h).
inline constexpr std::string_view kOutsideCookie = "tintype_outside";

std::optional<std::string> FindCookie(const Request& request, std::string_view name);

/// Scripts cannot read them, and other sites cannot make a browser send them. The one that renews
/// the session goes only where that is done.
void AddSessionCookies(Response& response, const flows::SignedIn& signed_in, bool secure);
void RemoveSessionCookies(Response& response, bool secure);

/// Goes only where a sign-in with another issuer ends.
void AddOutsideCookie(Response& response, const flows::OutsideRedirect& redirect, bool secure);
void RemoveOutsideCookie(Response& response, bool secure);

/// The token of the device that a request comes from: of the cookie, or in `X-Device-Token` of
/// clients that keep no cookies.
std::optional<std::string> DeviceTokenOf(const Request& request);

}  // namespace tintype::http::rest
