#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tintype::access {

enum class PrincipalKind {
  kAnonymous,        ///< Nobody that we know.
  kServer,           ///< This server itself, for its own work.
  kRootKey,          ///< The key of the data directory's owner, which may do everything.
  kAccessKey,        ///< An access key of the tables, with a policy.
  kSession,          ///< A person who logged in here.
  kApiKey,           ///< A key of an account for the REST API, with scopes.
  kOutsideIdentity,  ///< A bearer token of another issuer, linked to an account.
};

/// A stable name for logs and the audit, such as `access-key`.
std::string_view NameOf(PrincipalKind kind);

/// Who a request comes from. Made once, when the request was authenticated, and carried along to
/// every decision and every entry of the audit.
struct Principal {
  PrincipalKind kind = PrincipalKind::kAnonymous;
  /// The access key's id, the session's, the API key's, or `issuer#subject`. Empty for the others.
  std::string id;
  /// The account that it acts for. Empty for access keys, which belong to no account.
  std::string account_id;
  /// Whether that account may do what administrators do.
  bool administrator = false;
  /// What an API key may do. Of no meaning for other kinds, which may do what their account may.
  std::vector<std::string> scopes;
  /// Where the request comes from, without a port: behind a trusted proxy, what that says.
  std::string address;
};

}  // namespace tintype::access
