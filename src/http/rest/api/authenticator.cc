#include "http/rest/api/authenticator.h"

#include <utility>

#include "base/strings.h"
#include "contexts/identity/credentials/api_key.h"
#include "contexts/identity/reasons.h"
#include "crypto/digest.h"
#include "flows/accounts/outside_sign_in.h"
#include "http/rest/api/cookies.h"
#include "http/rest/protocol/reasons.h"

namespace tintype::http::rest {
namespace {

/// Of an API key, what may be shown and logged of it.
std::string KeyIdOf(std::string_view key) {
  const std::string_view token = key.substr(contexts::identity::kApiKeyPrefix.size());
  return std::string(token.substr(0, token.find('.')));
}

}  // namespace

std::optional<std::string_view> BearerToken(const Request& request) {
  constexpr std::string_view kScheme = "Bearer ";
  const auto header = request.Header("authorization");
  if (!header || header->size() <= kScheme.size() ||
      !EqualsIgnoreCase(header->substr(0, kScheme.size()), kScheme)) {
    return std::nullopt;
  }
  return header->substr(kScheme.size());
}

Result<Caller> Authenticator::Recognise(const Request& request) const {
  Caller caller;
  caller.principal.address = request.address;
  std::optional<std::string> cookie;
  std::optional<std::string_view> token = BearerToken(request);
  if (token && contexts::identity::LooksLikeApiKey(*token)) {
    caller.api_key = *token;
    caller.principal.kind = access::PrincipalKind::kApiKey;
    caller.principal.id = KeyIdOf(*token);
    return caller;
  }
  if (token && identity_.outside != nullptr && identity_.outside->client.LooksLikeOurs(*token)) {
    caller.bearer = *token;
    caller.principal.kind = access::PrincipalKind::kOutsideIdentity;
    return caller;
  }
  if (!token) {
    cookie = FindCookie(request, kAccessCookie);
    token = cookie;
  }
  if (!token) {
    return Error(contexts::identity::kNotLoggedIn, "Log in first: there is no access token.");
  }
  ASSIGN_OR_RETURN(auto claims, identity_.tokens.Verify(*token));
  const bool safe = request.method == "GET" || request.method == "HEAD";
  if (cookie && !safe) {
    const auto csrf = request.Header("x-csrf-token");
    if (!csrf || !crypto::EqualInConstantTime(*csrf, CsrfToken(keys_, claims.session_id))) {
      return Error(reasons::kInvalidCsrfToken,
                   "X-CSRF-Token has to carry the token that GET /api/v1/me answers.");
    }
  }
  caller.by_cookie = cookie.has_value();
  caller.account = std::move(claims.account);
  caller.session_id = std::move(claims.session_id);
  caller.principal.kind = access::PrincipalKind::kSession;
  caller.principal.id = caller.session_id;
  caller.principal.account_id = caller.account.id;
  caller.principal.administrator = caller.account.administrator;
  return caller;
}

Status Authenticator::ConfirmBearer(Caller& caller) const {
  ASSIGN_OR_RETURN(auto bearer,
                   flows::FindBearer(product_, identity_, caller.bearer, caller.principal.address));
  caller.account = std::move(bearer.account);
  caller.outcome = bearer.how;
  caller.principal.id = std::move(bearer.identity);
  caller.principal.account_id = caller.account.id;
  caller.principal.administrator = caller.account.administrator;
  return OkStatus();
}

Status Authenticator::Confirm(Caller& caller) const {
  if (!caller.bearer.empty()) {
    return ConfirmBearer(caller);
  }
  ASSIGN_OR_RETURN(auto live, caller.api_key.empty()
                                  ? identity_.live.OfSession(caller.session_id, caller.account.id)
                                  : identity_.live.OfApiKey(caller.api_key));
  caller.account = std::move(live.account);
  caller.principal.account_id = caller.account.id;
  caller.principal.administrator = caller.account.administrator;
  caller.principal.scopes = std::move(live.scopes);
  return OkStatus();
}

}  // namespace tintype::http::rest
