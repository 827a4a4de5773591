#include "flows/accounts/outside_sign_in.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "contexts/common/secrets.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/identity/accounts/outside_identities.h"
#include "contexts/identity/reasons.h"
#include "flows/accounts/invite.h"
#include "flows/accounts/manage_accounts.h"
#include "flows/accounts/outside_account.h"
#include "oidc/reasons.h"
#include "oidc/testing/fake_issuer.h"
#include "product_fixture.h"
#include "tripwire.h"

// Which account somebody comes to whom another issuer vouches for.

namespace tintype::product {
namespace {

using contexts::identity::OutsideIdentities;
using contexts::identity::OutsideIdentity;
using flows::Account;
using flows::FoundAccount;
using flows::Newcomer;
using oidc::testing::FakeIssuer;

oidc::ClientConfig ClientConfigOfTest() {
  oidc::ClientConfig config;
  config.issuer = FakeIssuer::kUrl;
  config.client_id = "tintype";
  config.redirect_url = "https://photos.example/";
  config.roles_claim = "groups";
  return config;
}

class OutsideSignInTest : public ProductTest {
 protected:
  void SetUp() override {
    ProductTest::SetUp();
    Administrator();
    identity().outside = &issuer_;
  }

  flows::Identity& identity() { return identity_->identity; }
  static oidc::Claims Person(const std::string& name) {
    oidc::Claims claims;
    claims.subject = StrCat(name, "-there");
    claims.email = StrCat(name, "@example.com");
    claims.email_verified = true;
    return claims;
  }
  static Newcomer InBrowser(const std::optional<std::string>& invitation = {},
                            const std::string& address = "192.0.2.1") {
    return {invitation, address, /*signs_in=*/true};
  }
  Result<FoundAccount> Come(const oidc::Claims& claims, const Newcomer& newcomer) {
    return flows::FindOrMakeAccount(product(), identity(), claims, newcomer);
  }
  std::string Invite(const std::optional<std::string>& email, bool administrator = false) {
    const auto made =
        flows::Invite(product(), {email, administrator, std::chrono::hours(24), "somebody"});
    CHECK(made.ok());
    return made->token;
  }
  /// A token by which that person shows who they are.
  std::string Token(const std::string& name, std::string_view more = "") {
    return fake_.Sign(StrCat(R"({"iss":")", FakeIssuer::kUrl, R"(","sub":")", name,
                             R"(-there","aud":"tintype","exp":)", clock_.NowMs() / kSecondMs + 300,
                             R"(,"email":")", name,
                             R"(@example.com","email_verified":true,"groups":[])", more, "}"));
  }
  Result<flows::Bearer> Bear(const std::string& token) {
    return flows::FindBearer(product(), identity(), token, "192.0.2.1");
  }
  /// A browser that leaves and comes back with a code, for which the issuer has the token of that
  /// person, if it has one.
  Result<flows::OutsideArrival> ComeBack(const std::string& name) {
    const auto begun = flows::BeginOutsideSignIn(clock_, identity(), {});
    CHECK(begun.ok());
    const auto parameter = [&](std::string_view which) {
      const size_t from = begun->url.find(StrCat("&", which, "=")) + which.size() + 2;
      return begun->url.substr(from, begun->url.find('&', from) - from);
    };
    const std::string nonce = StrCat(R"(,"nonce":")", parameter("nonce"), R"(")");
    fake_.token_answer =
        name.empty() ? "{}" : StrCat(R"({"id_token":")", Token(name, nonce), R"("})");
    flows::OutsideReturn back;
    back.sealed_state = begun->sealed_state;
    back.state = parameter("state");
    back.code = "code";
    back.use.address = "192.0.2.1";
    return flows::FinishOutsideSignIn(product(), identity(), back);
  }
  int64_t CodesExchanged() const {
    return std::ranges::count(fake_.urls, StrCat(FakeIssuer::kUrl, "/token"));
  }

  FakeIssuer fake_;
  oidc::Client client_{ClientConfigOfTest(), fake_, clock_};
  flows::OutsideIssuer issuer_{client_, contexts::DeriveKey("secret", "outside"), "Example",
                               flows::SignUpMode::kInvitation, "photo-admins"};
};

// Proves that somebody who comes for the first time in two windows at once comes to one account in
// both, wherever the one overtakes the other: invited by address, by link, or vouched for.
TEST_F(OutsideSignInTest, OnePersonTwiceAtOnceHasOneAccount) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto overtaken = Wire(stores.database(), stores.blobs());
  enum class Welcome { kByAddress, kByLink, kVouched };
  for (const Welcome welcome : {Welcome::kByAddress, Welcome::kByLink, Welcome::kVouched}) {
    bool reached = true;
    for (int n = 1; reached; ++n) {
      ASSERT_LT(n, 40);
      SCOPED_TRACE(StrCat("way ", static_cast<int>(welcome), ", call ", n));
      const std::string name = StrCat("ada-", static_cast<int>(welcome), "-", n);
      const oidc::Claims person = Person(name);
      Newcomer newcomer = InBrowser({}, StrCat("10.", n, ".0.1"));
      if (welcome == Welcome::kByAddress) {
        Invite(person.email);
      } else if (welcome == Welcome::kByLink) {
        newcomer.invitation = Invite({});
      } else {
        flows::NewAccount described{*person.email, name, "hash"};
        described.email_vouched = true;
        ASSERT_TRUE(flows::AddAccount(product(), described).ok());
      }
      std::optional<std::string> first;
      wire.Interrupt(n, [&] {
        const auto came = Come(person, newcomer);
        ASSERT_TRUE(came.ok()) << came.error().message();
        first = came->account.id;
      });
      const auto second =
          flows::FindOrMakeAccount(overtaken->product, identity(), person, newcomer);
      ASSERT_TRUE(second.ok()) << second.error().message();
      reached = first.has_value();
      EXPECT_EQ(second->account.id, first.value_or(second->account.id));
      EXPECT_EQ(OutsideIdentities(product().database).List(second->account.id)->size(), 1U);
    }
  }
}

// Proves that somebody who is refused for certain takes nothing from what their network has.
TEST_F(OutsideSignInTest, ARefusalIsNoSignUp) {
  Invite("ada@example.com", /*administrator=*/true);
  for (int i = 0; i < 30; ++i) {
    const auto refused = Come(Person("ada"), {{}, "192.0.2.1"});
    ASSERT_FALSE(refused.ok());
    EXPECT_TRUE(refused.error().Is(flows::kInvitationRequired));
  }
  EXPECT_TRUE(Come(Person("ada"), InBrowser()).ok());
}

// Proves that a bearer who came to no account is told so for a second without another look, and is
// looked for again then.
TEST_F(OutsideSignInTest, RemembersRefusedBearersForASecond) {
  const std::string token = Token("ada");
  const auto refused = Bear(token);
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(refused.error().Is(contexts::identity::kNotLoggedIn));
  Invite("ada@example.com");
  const auto again = Bear(token);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().message(), refused.error().message());
  clock_.AdvanceMs(flows::kRefusedMs);
  const auto found = Bear(token);
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(found->account.email, "ada@example.com");
  EXPECT_FALSE(found->account.has_password);
}

// Proves that made-up codes of one network ask the issuer so often and no more, and that those that
// it confirms do not count.
TEST_F(OutsideSignInTest, SlowsDownMadeUpCodes) {
  Invite("ada@example.com");
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(ComeBack("ada").ok());
  }
  const int64_t confirmed = CodesExchanged();
  for (int i = 0; i < 20; ++i) {
    const auto refused = ComeBack("");
    ASSERT_FALSE(refused.ok());
    EXPECT_TRUE(refused.error().Is(oidc::kIssuerUnavailable));
  }
  EXPECT_EQ(KindOf(ComeBack("")), ErrorKind::kLimitExceeded);
  EXPECT_EQ(KindOf(ComeBack("ada")), ErrorKind::kLimitExceeded);
  EXPECT_EQ(CodesExchanged(), confirmed + 20);
  clock_.AdvanceMs(10 * kSecondMs);
  EXPECT_TRUE(ComeBack("ada").ok());
}

// Proves that somebody who became an administrator by a role is none any more, at the next sign-in,
// where no role makes administrators; and that others stay what they are.
TEST_F(OutsideSignInTest, WithoutARoleThereIsNoAdministratorByIt) {
  Invite("ada@example.com");
  oidc::Claims ada = Person("ada");
  ada.roles = std::vector<std::string>{"photo-admins"};
  const auto made = Come(ada, InBrowser());
  ASSERT_TRUE(made.ok());
  EXPECT_TRUE(made->account.administrator);
  issuer_.administrator_role.clear();
  EXPECT_FALSE(flows::FollowRole(product(), issuer_, made->account, ada)->administrator);
  EXPECT_FALSE((*product().accounts.Find(made->account.id))->administrator);
  EXPECT_TRUE(flows::FollowRole(product(), issuer_, Administrator(), ada)->administrator);
}

// Proves that the last way in is kept, and that an issuer which is not configured any more is none.
TEST_F(OutsideSignInTest, KeepsTheLastWayIn) {
  Invite("ada@example.com");
  const auto made = Come(Person("ada"), InBrowser());
  ASSERT_TRUE(made.ok());
  const Account& ada = made->account;
  const auto link = [&](const std::string& issuer, const std::string& subject) {
    const OutsideIdentity identity{
        OutsideIdentities::IdOf(issuer, subject), issuer, subject, ada.id, {}, clock_.NowMs()};
    CHECK(contexts::Transaction(StrCat("link ", identity.id))
              .Add(OutsideIdentities::Link(identity))
              .Commit(product().database)
              .ok());
    return identity.id;
  };
  const std::string here = OutsideIdentities::IdOf(FakeIssuer::kUrl, "ada-there");
  const auto unlink = [&](const std::string& id) {
    return flows::UnlinkIdentity(product(), identity(), ada, id);
  };
  const std::string old = link("https://old.example", "ada");
  const Status refused = unlink(here);
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(refused.error().Is(flows::kLastSignIn));
  EXPECT_TRUE(unlink(old).ok());
  link(std::string(FakeIssuer::kUrl), "ada-again");
  EXPECT_TRUE(unlink(here).ok());
}

}  // namespace
}  // namespace tintype::product
