#include "access/rest/rest_access.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tintype::access::rest {
namespace {

using contract::Access;

constexpr std::array kAll = {Access::kAnyone, Access::kSession, Access::kRead,      Access::kUpload,
                             Access::kEdit,   Access::kDelete,  Access::kAdminister};

Principal Of(PrincipalKind kind, bool administrator = false, std::vector<std::string> scopes = {}) {
  Principal principal;
  principal.kind = kind;
  principal.id = "some-id";
  principal.account_id = "01ACCOUNT";
  principal.administrator = administrator;
  principal.scopes = std::move(scopes);
  return principal;
}

/// The name of the denial, or "" when it is permitted.
std::string Denial(const Principal& principal, Access access) {
  const Status decided = Decide(principal, access);
  return decided.ok() ? "" : std::string(decided.error().reason().name);
}

// Proves that whoever acts for no account may do only what anyone may.
TEST(RestAccessTest, StrangersMayDoWhatAnyoneMay) {
  for (const PrincipalKind kind : {PrincipalKind::kAnonymous, PrincipalKind::kServer,
                                   PrincipalKind::kRootKey, PrincipalKind::kAccessKey}) {
    for (const Access access : kAll) {
      EXPECT_EQ(Denial(Of(kind, true), access), access == Access::kAnyone ? "" : "UnknownCaller")
          << NameOf(kind) << " " << contract::NameOf(access);
    }
  }
  Principal nobody = Of(PrincipalKind::kSession, true);
  nobody.account_id.clear();
  EXPECT_EQ(Denial(nobody, Access::kRead), "UnknownCaller");
}

// Proves that a session does everything its account may, and that administrators alone administer.
TEST(RestAccessTest, SessionsMayDoWhatTheirAccountMay) {
  for (const Access access : kAll) {
    EXPECT_EQ(Denial(Of(PrincipalKind::kSession, true), access), "");
    EXPECT_EQ(Denial(Of(PrincipalKind::kSession), access),
              access == Access::kAdminister ? "AdministratorsOnly" : "");
  }
}

// Proves that a key does what its scopes name and nothing else, whoever it belongs to, and that no
// scope opens what guards the account.
TEST(RestAccessTest, ApiKeysMayDoWhatTheirScopesName) {
  for (const Access scope : kAll) {
    const Principal key = Of(PrincipalKind::kApiKey, true, {std::string(contract::NameOf(scope))});
    for (const Access access : kAll) {
      const std::string expected = access == Access::kAnyone    ? ""
                                   : access == Access::kSession ? "SessionRequired"
                                   : access == scope            ? ""
                                                                : "ScopeMissing";
      EXPECT_EQ(Denial(key, access), expected)
          << contract::NameOf(scope) << " " << contract::NameOf(access);
    }
  }
  EXPECT_EQ(Denial(Of(PrincipalKind::kApiKey, false, {"administer"}), Access::kAdminister),
            "AdministratorsOnly");
}

// Proves that a token of another issuer acts for its account, but never on what guards it.
TEST(RestAccessTest, OutsideIdentitiesAreNoSessions) {
  const Principal outside = Of(PrincipalKind::kOutsideIdentity);
  EXPECT_EQ(Denial(outside, Access::kDelete), "");
  EXPECT_EQ(Denial(outside, Access::kSession), "SessionRequired");
  EXPECT_EQ(Denial(outside, Access::kAdminister), "AdministratorsOnly");
}

}  // namespace
}  // namespace tintype::access::rest
