#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "base/strings.h"
#include "contexts/identity/reasons.h"
#include "flows/accounts/api_keys.h"
#include "flows/accounts/change_password.h"
#include "flows/accounts/delete_account.h"
#include "flows/accounts/invite.h"
#include "flows/accounts/manage_accounts.h"
#include "flows/accounts/sign_in.h"
#include "product_fixture.h"

// Sessions, passwords, API keys and invitations of accounts, and who is still let in.

namespace tintype::product {
namespace {

using contexts::identity::ListedSession;
using contexts::identity::LiveCallers;
using flows::Account;
using flows::SignedIn;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kPassword = "correct horse battery";
constexpr const char* kOther = "another long password";

class AccountsTest : public ProductTest {
 protected:
  void SetUp() override {
    ProductTest::SetUp();
    ada_ = SignUp("ada");
  }

  flows::Identity& identity() { return identity_->identity; }
  SignedIn LogIn(const std::string& user_agent, const std::string& password = kPassword) {
    const auto signed_in =
        flows::LogIn(product(), identity(), {"ada", password, "192.0.2.1", {}, user_agent});
    CHECK(signed_in.ok());
    return *signed_in;
  }
  /// The name of the reason for which a password is refused; empty if it is not.
  std::string Refusal(const std::string& password) {
    const auto signed_in = flows::LogIn(product(), identity(), {"ada", password, "192.0.2.1"});
    return signed_in.ok() ? "" : std::string(signed_in.error().reason().name);
  }
  bool IsLive(const SignedIn& session) {
    return identity_->live.OfSession(session.session_id, session.account.id).ok();
  }
  bool Refreshes(const SignedIn& session) {
    return flows::RefreshSession(product(), identity(), {session.refresh_token}).ok();
  }
  /// The account of that name, which is made when there is none.
  Account SignUpOnce(const std::string& username) {
    const auto found = product().accounts.FindForLogin(username);
    CHECK(found.ok());
    return *found ? (*found)->account : SignUp(username);
  }
  Account Now() { return **product().accounts.Find(ada_.id); }
  std::vector<std::string> Devices() {
    std::vector<std::string> devices;
    const auto sessions = identity_->sessions.List(Now());
    for (const ListedSession& session : *sessions) {
      devices.push_back(session.use.user_agent);
    }
    return devices;
  }
  flows::OwnerProof Proof(const SignedIn& session, const std::string& password = kPassword) {
    return {ada_.id, session.session_id, password, "192.0.2.1"};
  }
  contexts::identity::CreatedApiKey MakeKey(const std::optional<int64_t>& expires_ms = {}) {
    const auto made = flows::CreateApiKey(product(), ada_, {"backup", {"read"}, expires_ms});
    CHECK(made.ok());
    return *made;
  }
  Result<SignedIn> Join(const std::string& username, const std::optional<std::string>& token) {
    flows::SignUpRequest request{
        username + "@example.com", username, kPassword, {}, "192.0.2.1", token};
    return flows::SignUp(product(), identity(), request);
  }
  void UseMode(flows::SignUpMode mode) {
    flows::SignInConfig config;
    config.sign_up = mode;
    identity_ = std::make_unique<IdentityParts>(database_->AsServer(), clock_, config);
  }
  std::string Invite(const std::optional<std::string>& email = {}, bool administrator = false) {
    const auto made =
        flows::Invite(product(), {email, administrator, std::chrono::hours(24), "somebody"});
    CHECK(made.ok());
    return made->token;
  }

  Account ada_;
};

// Proves that sessions are listed newest first, as their owner recognises them, with their last
// use; and that nobody else's are among them.
TEST_F(AccountsTest, ListsSessions) {
  ASSERT_TRUE(identity_->sessions.EndAll(ada_.id, "").ok());
  const int64_t begun_ms = clock_.NowMs();
  const SignedIn phone = LogIn("Phone\r\n\x01 1.0");
  clock_.AdvanceMs(kSecondMs);
  LogIn(std::string(1000, 'x'));
  SignUp("bob");
  clock_.AdvanceMs(kHourMs);
  const auto refreshed = flows::RefreshSession(
      product(), identity(), {phone.refresh_token, {}, "198.51.100.7", "Phone 2.0"});
  ASSERT_TRUE(refreshed.ok());
  const auto listed = identity_->sessions.List(Now());
  ASSERT_TRUE(listed.ok());
  ASSERT_EQ(listed->size(), 2U);
  EXPECT_EQ((*listed)[0].use.user_agent, std::string(300, 'x'));
  const ListedSession& session = (*listed)[1];
  EXPECT_EQ(session.id, phone.session_id);
  EXPECT_EQ(session.created_ms, begun_ms);
  EXPECT_EQ(session.last_used_ms, clock_.NowMs());
  EXPECT_EQ(session.ends_ms, begun_ms + 90 * kDayMs);
  EXPECT_EQ(session.use.user_agent, "Phone 2.0");
  EXPECT_EQ(session.use.address, "198.51.100.7");
}

// Proves that a session that is used every day ends all the same, to the second.
TEST_F(AccountsTest, SessionsHaveAnAge) {
  SignedIn session = LogIn("phone");
  for (int day = 0; day < 89; ++day) {
    clock_.AdvanceMs(kDayMs);
    const auto next = flows::RefreshSession(product(), identity(), {session.refresh_token});
    ASSERT_TRUE(next.ok()) << day;
    session = *next;
  }
  clock_.AdvanceMs(kDayMs - kSecondMs);
  EXPECT_TRUE(IsLive(session));
  clock_.AdvanceMs(kSecondMs);
  EXPECT_FALSE(IsLive(session));
  EXPECT_FALSE(Refreshes(session));
  EXPECT_THAT(Devices(), IsEmpty());
}

// Proves that a session from before ends were recorded is listed once it is refreshed, and gets an
// end then.
TEST_F(AccountsTest, TakesOverOldSessions) {
  ASSERT_TRUE(identity_->sessions.EndAll(ada_.id, "").ok());
  const SignedIn session = LogIn("phone");
  const auto now =
      Get("tintype", {{"PK", StrCat("SESSION#", session.session_id)}, {"SK", "SESSION"}});
  tables::Item before = contexts::ItemBuilder()
                            .Text("PK", TextOf(now, "PK"))
                            .Text("SK", "SESSION")
                            .Text("accountId", ada_.id)
                            .Text("tokenHash", TextOf(now, "tokenHash"))
                            .Integer("createdAt", clock_.NowMs())
                            .Integer("ttl", *IntegerOf(now, "ttl"))
                            .Build();
  ASSERT_TRUE(
      tables::BlockingDatabase(*database_).PutItem({"tintype", std::move(before), {}}).ok());
  EXPECT_THAT(Devices(), IsEmpty());
  EXPECT_TRUE(IsLive(session));
  ASSERT_TRUE(
      flows::RefreshSession(product(), identity(), {session.refresh_token, {}, "", "phone"}).ok());
  EXPECT_THAT(Devices(), ElementsAre("phone"));
  EXPECT_EQ(identity_->sessions.List(Now())->front().ends_ms, clock_.NowMs() + 90 * kDayMs);
}

// Proves that an owner ends one session or all others, and nobody else's.
TEST_F(AccountsTest, EndsSessionsOfTheOwner) {
  const SignedIn phone = LogIn("phone");
  const SignedIn laptop = LogIn("laptop");
  const SignedIn here = LogIn("here");
  const Account bob = SignUp("bob");
  EXPECT_EQ(KindOf(identity_->sessions.End(bob, phone.session_id)), ErrorKind::kNotFound);
  EXPECT_TRUE(Refreshes(phone));
  ASSERT_TRUE(identity_->sessions.End(ada_, phone.session_id).ok());
  EXPECT_EQ(KindOf(identity_->sessions.End(ada_, phone.session_id)), ErrorKind::kNotFound);
  EXPECT_FALSE(IsLive(phone));
  ASSERT_TRUE(identity_->sessions.EndAll(ada_.id, here.session_id).ok());
  EXPECT_FALSE(Refreshes(laptop));
  EXPECT_TRUE(Refreshes(here));
  EXPECT_THAT(Devices(), ElementsAre(""));  // Refreshed by nobody in particular.
}

// Proves that what ends elsewhere is known here after half a second and not earlier than it has
// to, that what ends here is known at once, and that no refusal is remembered.
TEST_F(AccountsTest, KnowsCallersForHalfASecond) {
  const SignedIn session = LogIn("phone");
  EXPECT_TRUE(IsLive(session));
  ASSERT_TRUE(identity_->sessions.EndById(session.session_id).ok());
  clock_.AdvanceMs(LiveCallers::kKnownMs);
  EXPECT_TRUE(IsLive(session));
  clock_.AdvanceMs(1);
  EXPECT_FALSE(IsLive(session));

  const SignedIn other = LogIn("phone");
  EXPECT_TRUE(IsLive(other));
  ASSERT_TRUE(flows::ChangeAccount(product(), {}, ada_.id, {.disabled = true}).ok());
  EXPECT_TRUE(IsLive(other));
  identity_->live.Forget();
  const auto disabled = identity_->live.OfSession(other.session_id, ada_.id);
  ASSERT_FALSE(disabled.ok());
  EXPECT_TRUE(disabled.error().Is(contexts::identity::kNotLoggedIn));
  EXPECT_THAT(disabled.error().message(), HasSubstr("disabled"));
  ASSERT_TRUE(flows::ChangeAccount(product(), {}, ada_.id, {.disabled = false}).ok());
  EXPECT_TRUE(IsLive(LogIn("phone")));
  // Disabling has ended it for good.
  EXPECT_FALSE(IsLive(other));
}

// Proves that the clock may be put back without anybody being known for longer.
TEST_F(AccountsTest, KnowsNobodyFromTheFuture) {
  const SignedIn session = LogIn("phone");
  EXPECT_TRUE(IsLive(session));
  ASSERT_TRUE(identity_->sessions.EndById(session.session_id).ok());
  clock_.AdvanceMs(-kSecondMs);
  EXPECT_FALSE(IsLive(session));
}

// Proves that a session is good for its own account alone, and what a caller is told to be is what
// the tables say.
TEST_F(AccountsTest, CallersAreWhatTheTablesSay) {
  const SignedIn session = LogIn("phone");
  const Account bob = SignUp("bob");
  EXPECT_FALSE(identity_->live.OfSession(session.session_id, bob.id).ok());
  EXPECT_FALSE(identity_->live.OfSession("nothing", ada_.id).ok());
  EXPECT_FALSE(identity_->live.OfSession(session.session_id, ada_.id)->account.administrator);
  ASSERT_TRUE(flows::ChangeAccount(product(), {}, ada_.id, {.administrator = true}).ok());
  identity_->live.Forget();
  EXPECT_TRUE(identity_->live.OfSession(session.session_id, ada_.id)->account.administrator);
}

// Proves that a changed password ends all other sessions and keeps this one and API keys; that it
// takes the current one, of which wrong ones are counted.
TEST_F(AccountsTest, ChangesThePassword) {
  const SignedIn here = LogIn("here");
  const SignedIn elsewhere = LogIn("elsewhere");
  const std::string key = MakeKey().text;
  const auto wrong = flows::ChangePassword(product(), identity(), Proof(here, "wrong"), kOther);
  ASSERT_FALSE(wrong.ok());
  EXPECT_TRUE(wrong.error().Is(flows::kWrongPassword));
  EXPECT_EQ(KindOf(flows::ChangePassword(product(), identity(), Proof(here), "short")),
            ErrorKind::kValidation);
  ASSERT_TRUE(flows::ChangePassword(product(), identity(), Proof(here), kOther).ok());
  EXPECT_FALSE(IsLive(elsewhere));
  EXPECT_FALSE(Refreshes(elsewhere));
  EXPECT_TRUE(IsLive(here));
  EXPECT_TRUE(Refreshes(here));
  EXPECT_TRUE(identity_->live.OfApiKey(key).ok());
  EXPECT_EQ(Refusal(kPassword), "InvalidCredentials");
  EXPECT_EQ(Refusal(kOther), "");
  int wrong_ones = 0;
  while (KindOf(flows::CheckOwner(product(), identity(), Proof(here, "wrong"))) ==
         ErrorKind::kAccessDenied) {
    ASSERT_LT(++wrong_ones, 11);
  }
  EXPECT_EQ(KindOf(flows::CheckOwner(product(), identity(), Proof(here, kOther))),
            ErrorKind::kLimitExceeded);
}

// Proves that of a session that has ended nothing is kept: the password is not changed by it.
TEST_F(AccountsTest, ChangesNoPasswordByAnEndedSession) {
  const SignedIn here = LogIn("here");
  ASSERT_TRUE(identity_->sessions.EndById(here.session_id).ok());
  const Status changed = flows::ChangePassword(product(), identity(), Proof(here), kOther);
  ASSERT_FALSE(changed.ok());
  EXPECT_TRUE(changed.error().Is(contexts::identity::kNotLoggedIn));
  EXPECT_EQ(Refusal(kPassword), "");
}

// Proves that a one-time link sets a password once, within its day, for the newest link only; that
// it ends all sessions, and that a link of nobody is none.
TEST_F(AccountsTest, SetsAPasswordByALinkOnce) {
  const SignedIn before = LogIn("before");
  const auto set = [&](const std::string& token) {
    const auto signed_in =
        flows::SetPasswordByLink(product(), identity(), {token, kOther, "192.0.2.1", "browser"});
    return signed_in.ok() ? "" : std::string(signed_in.error().reason().name);
  };
  const std::string replaced = flows::MakePasswordLink(product(), ada_.id)->token;
  const std::string link = flows::MakePasswordLink(product(), ada_.id)->token;
  EXPECT_EQ(set(replaced), "InvalidOneTimeLink");
  EXPECT_EQ(set("nothing"), "InvalidOneTimeLink");
  EXPECT_EQ(set(StrCat(ada_.id, ".guess")), "InvalidOneTimeLink");
  EXPECT_TRUE(IsLive(before));
  EXPECT_EQ(set(link), "");
  EXPECT_EQ(set(link), "InvalidOneTimeLink");
  EXPECT_FALSE(IsLive(before));
  EXPECT_EQ(Refusal(kPassword), "InvalidCredentials");
  EXPECT_EQ(Refusal(kOther), "");
  const std::string late = flows::MakePasswordLink(product(), ada_.id)->token;
  clock_.AdvanceMs(kDayMs);
  EXPECT_EQ(set(late), "InvalidOneTimeLink");
  EXPECT_EQ(KindOf(flows::MakePasswordLink(product(), "nobody")), ErrorKind::kNotFound);
}

// Proves that a link opens no account that is disabled.
TEST_F(AccountsTest, OpensNoDisabledAccountByALink) {
  const std::string link = flows::MakePasswordLink(product(), ada_.id)->token;
  ASSERT_TRUE(flows::ChangeAccount(product(), {}, ada_.id, {.disabled = true}).ok());
  const auto set = flows::SetPasswordByLink(product(), identity(), {link, kOther, "192.0.2.1", ""});
  ASSERT_FALSE(set.ok());
  EXPECT_TRUE(set.error().Is(contexts::identity::kAccountDisabled));
  EXPECT_EQ(Refusal(kPassword), "AccountDisabled");
  EXPECT_EQ(Refusal("wrong"), "InvalidCredentials");
}

// Proves that an account without a password lets nobody in until its owner has set one.
TEST_F(AccountsTest, AnAccountWithoutAPasswordIsClosed) {
  const auto made = flows::CreateAccount(product(), {"eve@example.com", "eve", ""});
  ASSERT_TRUE(made.ok());
  for (const char* password : {"", kPassword}) {
    EXPECT_EQ(KindOf(flows::LogIn(product(), identity(), {"eve", password, "192.0.2.1"})),
              ErrorKind::kUnauthenticated);
  }
  const std::string link = flows::MakePasswordLink(product(), made->id)->token;
  ASSERT_TRUE(
      flows::SetPasswordByLink(product(), identity(), {link, kOther, "192.0.2.1", ""}).ok());
  EXPECT_TRUE(flows::LogIn(product(), identity(), {"eve", kOther, "192.0.2.1"}).ok());
}

// Proves that somebody without a password proves who they are by having just signed in, to set one
// and to delete the account; and from then on by the password alone.
TEST_F(AccountsTest, SigningInStandsForAPasswordThatIsNotThere) {
  const auto made = flows::CreateAccount(product(), {"eve@example.com", "eve", ""});
  ASSERT_TRUE(made.ok());
  EXPECT_FALSE(made->has_password);
  const auto here = flows::BeginSession(identity(), *made, {"192.0.2.1", "browser"});
  ASSERT_TRUE(here.ok());
  const flows::OwnerProof proof{made->id, here->session_id, "", "192.0.2.1"};
  clock_.AdvanceMs(10 * 60 * kSecondMs);
  EXPECT_TRUE(flows::CheckOwner(product(), identity(), proof).ok());
  clock_.AdvanceMs(1);
  for (const Status& late : {flows::CheckOwner(product(), identity(), proof),
                             flows::ChangePassword(product(), identity(), proof, kOther)}) {
    ASSERT_FALSE(late.ok());
    EXPECT_TRUE(late.error().Is(flows::kSignInAgain));
  }
  const auto again = flows::BeginSession(identity(), *made, {"192.0.2.1", "browser"});
  ASSERT_TRUE(again.ok());
  const flows::OwnerProof fresh{made->id, again->session_id, "", "192.0.2.1"};
  EXPECT_TRUE(flows::ChangePassword(product(), identity(), fresh, kOther).ok());
  EXPECT_FALSE(IsLive(*here));
  EXPECT_TRUE(IsLive(*again));
  EXPECT_TRUE((*product().accounts.Find(made->id))->has_password);
  const Status without = flows::CheckOwner(product(), identity(), fresh);
  ASSERT_FALSE(without.ok());
  EXPECT_TRUE(without.error().Is(flows::kWrongPassword));
  EXPECT_TRUE(flows::LogIn(product(), identity(), {"eve", kOther, "192.0.2.1"}).ok());
}

// Proves that a key is found by its whole text alone until it expires or goes, that its last use
// is known to the hour, and that the tables do not hold its secret.
TEST_F(AccountsTest, FindsApiKeys) {
  const auto made = MakeKey(clock_.NowMs() + kDayMs);
  EXPECT_THAT(made.text, testing::StartsWith("tintype_"));
  const auto caller = identity_->live.OfApiKey(made.text);
  ASSERT_TRUE(caller.ok()) << caller.error().message();
  EXPECT_EQ(caller->account.id, ada_.id);
  EXPECT_THAT(caller->scopes, ElementsAre("read"));
  for (const std::string& text :
       {std::string("tintype_"), made.text + "x", made.text.substr(0, made.text.size() - 1),
        made.text.substr(8), StrCat("tintype_", made.key.id, ".")}) {
    EXPECT_FALSE(identity_->live.OfApiKey(text).ok()) << text;
  }
  const auto listed = flows::ListApiKeys(product(), ada_);
  ASSERT_EQ(listed->size(), 1U);
  EXPECT_EQ(listed->front().name, "backup");
  EXPECT_EQ(listed->front().last_used_ms, clock_.NowMs() - clock_.NowMs() % kHourMs);
  const std::string secret = made.text.substr(made.text.find('.') + 1);
  for (const tables::Item& item : Items("tintype")) {
    EXPECT_EQ(item.payload().find(secret), std::string::npos) << TextOf(item, "PK");
  }
  clock_.AdvanceMs(kDayMs);
  EXPECT_FALSE(identity_->live.OfApiKey(made.text).ok());
}

// Proves that a key is its owner's to delete, and stops half a second later at the latest; that it
// stops with its account; and that there may be only so many.
TEST_F(AccountsTest, EndsApiKeys) {
  const auto made = MakeKey();
  ASSERT_TRUE(identity_->live.OfApiKey(made.text).ok());
  EXPECT_EQ(KindOf(flows::DeleteApiKey(product(), SignUp("bob"), made.key.id)),
            ErrorKind::kNotFound);
  ASSERT_TRUE(flows::DeleteApiKey(product(), ada_, made.key.id).ok());
  EXPECT_EQ(KindOf(flows::DeleteApiKey(product(), ada_, made.key.id)), ErrorKind::kNotFound);
  clock_.AdvanceMs(LiveCallers::kKnownMs + 1);
  EXPECT_FALSE(identity_->live.OfApiKey(made.text).ok());

  std::string text;
  for (size_t i = 0; i < contexts::identity::ApiKeys::kKeysMax; ++i) {
    text = MakeKey().text;
  }
  const auto more = flows::CreateApiKey(product(), ada_, {"more", {"read"}, {}});
  ASSERT_FALSE(more.ok());
  EXPECT_TRUE(more.error().Is(contexts::identity::kTooManyApiKeys));
  ASSERT_TRUE(flows::ChangeAccount(product(), {}, ada_.id, {.disabled = true}).ok());
  EXPECT_FALSE(identity_->live.OfApiKey(text).ok());
  ASSERT_TRUE(flows::ChangeAccount(product(), {}, ada_.id, {.disabled = false}).ok());
  EXPECT_TRUE(identity_->live.OfApiKey(text).ok());
}

// Proves who signs up where accounts are made by invitation: anyone who has one, once, in its time,
// with its address; and who becomes an administrator by it.
TEST_F(AccountsTest, TakesInvitationsOnce) {
  UseMode(flows::SignUpMode::kInvitation);
  const auto refusal = [](const Result<SignedIn>& joined) {
    return joined.ok() ? "" : std::string(joined.error().reason().name);
  };
  EXPECT_EQ(refusal(Join("eve", {})), "InvitationRequired");
  EXPECT_EQ(refusal(Join("eve", "guess")), "InvalidInvitation");
  const std::string token = Invite("Bob@Example.com");
  EXPECT_EQ(refusal(Join("eve", token)), "InvalidInvitation");
  const auto bob = Join("bob", token);
  ASSERT_TRUE(bob.ok()) << bob.error().message();
  EXPECT_FALSE(bob->account.administrator);
  EXPECT_EQ(Limit(bob->account), 10);
  EXPECT_EQ(refusal(Join("eve", token)), "InvalidInvitation");
  const auto boss = Join("boss", Invite({}, /*administrator=*/true));
  ASSERT_TRUE(boss.ok());
  EXPECT_TRUE(boss->account.administrator);
  EXPECT_EQ(Limit(boss->account), contexts::people::kUnlimited);

  const std::string late = Invite();
  const auto listed = flows::ListInvitations(product());
  ASSERT_EQ(listed->size(), 1U);
  EXPECT_EQ(listed->front().created_by, "somebody");
  clock_.AdvanceMs(kDayMs);
  EXPECT_EQ(refusal(Join("eve", late)), "InvalidInvitation");
  EXPECT_THAT(*flows::ListInvitations(product()), IsEmpty());
}

// Proves that an invitation that was taken back opens nothing, and that none does where sign-up is
// closed; that where it is open one has to be good all the same; and that a sign-up which fails
// leaves it as it was.
TEST_F(AccountsTest, TakesInvitationsBack) {
  UseMode(flows::SignUpMode::kInvitation);
  const std::string token = Invite();
  const std::string id = flows::ListInvitations(product())->front().id;
  ASSERT_TRUE(flows::TakeInvitationBack(product(), id).ok());
  EXPECT_EQ(KindOf(flows::TakeInvitationBack(product(), id)), ErrorKind::kNotFound);
  EXPECT_FALSE(Join("eve", token).ok());
  const std::string good = Invite();
  EXPECT_EQ(KindOf(Join("ada", good)), ErrorKind::kInUse);
  UseMode(flows::SignUpMode::kClosed);
  EXPECT_EQ(KindOf(Join("eve", good)), ErrorKind::kAccessDenied);
  UseMode(flows::SignUpMode::kOpen);
  EXPECT_EQ(KindOf(Join("eve", token)), ErrorKind::kAccessDenied);
  EXPECT_TRUE(Join("eve", good).ok());
  EXPECT_TRUE(Join("mallory", {}).ok());
}

// Proves that of many who use one invitation at once, one makes an account.
TEST_F(AccountsTest, AnInvitationMakesOneAccount) {
  UseMode(flows::SignUpMode::kInvitation);
  const std::string token = Invite();
  std::atomic<int> joined = 0;
  InThreads(4, [&](int i) { joined += Join(StrCat("user", i), token).ok() ? 1 : 0; });
  EXPECT_EQ(joined, 1);
  EXPECT_EQ(flows::ListAccounts(product(), 100, {})->accounts.size(), 3U);
}

// Proves what administrators change of others, and that they leave themselves in office.
TEST_F(AccountsTest, ChangesAccounts) {
  const flows::Actor root{Administrator().id};
  const auto promoted = flows::ChangeAccount(product(), root, ada_.id, {.administrator = true});
  ASSERT_TRUE(promoted.ok());
  EXPECT_TRUE(promoted->account.administrator);
  EXPECT_EQ(promoted->limit, contexts::people::kUnlimited);
  const auto demoted =
      flows::ChangeAccount(product(), root, ada_.id, {.administrator = false, .limit = 3});
  ASSERT_TRUE(demoted.ok());
  EXPECT_FALSE(demoted->account.administrator);
  EXPECT_EQ(demoted->limit, 3);
  const auto both = flows::ChangeAccount(product(), root, ada_.id,
                                         {.disabled = true, .administrator = true, .quota = 5});
  ASSERT_TRUE(both.ok()) << both.error().message();
  EXPECT_TRUE(both->account.disabled && both->account.administrator);
  EXPECT_EQ(both->storage.quota(), 5);
  const auto own_limit = flows::ChangeAccount(product(), root, root.account_id, {.limit = 9});
  ASSERT_TRUE(own_limit.ok()) << own_limit.error().message();
  EXPECT_EQ(own_limit->limit, 9);
  for (const flows::AccountChange& change :
       {flows::AccountChange{.disabled = true}, flows::AccountChange{.administrator = false}}) {
    const auto own = flows::ChangeAccount(product(), root, root.account_id, change);
    ASSERT_FALSE(own.ok());
    EXPECT_TRUE(own.error().Is(flows::kOwnAccount));
  }
  EXPECT_EQ(KindOf(flows::ChangeAccount(product(), root, "nobody", {.disabled = true})),
            ErrorKind::kNotFound);
}

// Proves that administrators who disable, demote or delete one another at the same moment, two of
// them or three in a ring, leave one; and that one who was, and does not know it yet, can do no
// such thing any more.
TEST_F(AccountsTest, OfAdministratorsOneIsLeft) {
  const flows::Actor operator_of_server;
  const auto restore = [&](const Account& account) {
    const flows::AccountChange office{.disabled = false, .administrator = true};
    CHECK(flows::ChangeAccount(product(), operator_of_server, account.id, office).ok());
  };
  const auto is_active = [&](const Account& account) {
    const Account now = **product().accounts.Find(account.id);
    return now.administrator && !now.disabled;
  };
  const auto demote = [&](const Account& actor, const Account& other, int way) {
    if (way == 2) {
      return flows::DeleteAccount(product(), {actor.id}, other.id);
    }
    const flows::AccountChange change = way == 0 ? flows::AccountChange{.disabled = true}
                                                 : flows::AccountChange{.administrator = false};
    const auto changed = flows::ChangeAccount(product(), {actor.id}, other.id, change);
    return changed.ok() ? OkStatus() : Status(changed.error());
  };
  for (int way = 0; way < 3; ++way) {
    for (int round = 0; round < (way == 2 ? 4 : 25); ++round) {
      std::vector<Account> ring;
      for (int i = 0; i < 2 + round % 2; ++i) {
        ring.push_back(way == 2 ? SignUp(StrCat("deleted-", round, "-", i))
                                : SignUpOnce(StrCat("ring-", i)));
        restore(ring.back());
      }
      // Nobody else is in office.
      ASSERT_TRUE(flows::ChangeAccount(product(), operator_of_server, Administrator().id,
                                       {.disabled = true})
                      .ok());
      std::atomic<size_t> done = 0;
      InThreads(static_cast<int>(ring.size()), [&](int i) {
        const auto place = static_cast<size_t>(i);
        const Status ended = demote(ring[place], ring[(place + 1) % ring.size()], way);
        done += ended.ok() ? 1 : 0;
        EXPECT_TRUE(ended.ok() || ended.error().Is(contexts::identity::kAdministratorNoMore))
            << ended.error().message();
      });
      const auto left = static_cast<size_t>(std::ranges::count_if(ring, is_active));
      EXPECT_GE(left, 1U) << way << " " << round;
      EXPECT_EQ(left + done, ring.size());
      restore(Administrator());
      for (const Account& account : ring) {
        if (is_active(account) && way == 2) {
          ASSERT_TRUE(flows::ChangeAccount(product(), operator_of_server, account.id,
                                           {.administrator = false})
                          .ok());
        }
      }
    }
  }
  // Somebody who became an administrator a moment ago is refused by what the tables say.
  const Account bob = SignUp("bob");
  restore(bob);
  const Status own = flows::DeleteOwnAccount(product(), bob.id);
  ASSERT_FALSE(own.ok());
  EXPECT_TRUE(own.error().Is(contexts::identity::kIsAdministrator));
  EXPECT_TRUE(flows::DeleteOwnAccount(product(), ada_.id).ok());
}

}  // namespace
}  // namespace tintype::product
