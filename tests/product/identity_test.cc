#include <gmock/gmock.h>

#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include "base/base64.h"
#include "base/retry.h"
#include "base/strings.h"
#include "contexts/common/secrets.h"
#include "contexts/identity/reasons.h"
#include "flows/accounts/manage_accounts.h"
#include "flows/accounts/sign_in.h"
#include "product_fixture.h"

// Signing up, logging in, sessions and tokens.

namespace tintype::product {
namespace {

using contexts::identity::KeyRing;
using contexts::identity::SigningKey;
using contexts::identity::Tokens;
using flows::SignedIn;
using testing::HasSubstr;

constexpr std::string_view kPassword = "correct horse battery";

class IdentityTest : public ProductTest {
 protected:
  flows::Identity& identity() { return identity_->identity; }
  void UseConfig(flows::SignInConfig config) {
    identity_ = std::make_unique<IdentityParts>(database_->AsServer(), clock_, std::move(config));
  }
  /// Again while too many passwords are being hashed.
  Result<SignedIn> TrySignUp(const std::string& email, const std::string& username,
                             const std::optional<std::string>& setup_token = {}) {
    while (true) {
      auto signed_up =
          flows::SignUp(product(), identity(),
                        {email, username, std::string(kPassword), setup_token, "192.0.2.1"});
      if (KindOf(signed_up) != ErrorKind::kOverloaded) {
        return signed_up;
      }
      std::this_thread::yield();
    }
  }
  Result<SignedIn> TryLogIn(const std::string& name, std::string_view password,
                            const std::string& address = "192.0.2.1",
                            const std::optional<std::string>& device_token = {}) {
    return flows::LogIn(product(), identity(),
                        {name, std::string(password), address, device_token});
  }
  KeyRing TokenRing(std::string_view secret) {
    return {contexts::identity::kAccessTokenKeys, contexts::DeriveKey(secret, "sealing"),
            *database_, clock_};
  }
  Result<SignedIn> Refresh(const std::string& token) {
    return flows::RefreshSession(product(), identity(), {token});
  }
};

// Proves that the first account needs the setup token and becomes administrator, and that the token
// is of no use after that.
TEST_F(IdentityTest, MakesTheFirstAccountWithTheSetupToken) {
  UseConfig({.setup_token = "once", .sign_up = flows::SignUpMode::kOpen});
  EXPECT_EQ(KindOf(TrySignUp("ada@example.com", "ada")), ErrorKind::kAccessDenied);
  const auto wrong = TrySignUp("ada@example.com", "ada", "twice");
  ASSERT_EQ(KindOf(wrong), ErrorKind::kAccessDenied);
  EXPECT_THAT(wrong.error().message(), HasSubstr("setup-token"));
  const auto first = TrySignUp("Ada@Example.COM", "Ada", "once");
  ASSERT_TRUE(first.ok()) << first.error().message();
  EXPECT_TRUE(first->account.administrator);
  EXPECT_EQ(first->account.email, "ada@example.com");
  EXPECT_EQ(first->account.username, "ada");
  EXPECT_EQ(Limit(first->account), contexts::people::kUnlimited);
  EXPECT_TRUE(Get("sparks", {{"PK", "ada@example.com"}, {"SK", "ada@example.com"}}));
  const auto second = TrySignUp("bob@example.com", "bob", "once");
  ASSERT_TRUE(second.ok());
  EXPECT_FALSE(second->account.administrator);
  EXPECT_EQ(Limit(second->account), 10);
  const auto item =
      Get("tintype", {{"PK", StrCat("ACCOUNT#", first->account.id)}, {"SK", "ACCOUNT"}});
  EXPECT_THAT(TextOf(item, "passwordHash"), testing::StartsWith("$argon2id$"));
}

// Proves that somebody who guesses at the setup token has to wait after some attempts.
TEST_F(IdentityTest, SlowsDownGuessesAtTheSetupToken) {
  UseConfig({.setup_token = "once", .sign_up = flows::SignUpMode::kOpen});
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(KindOf(TrySignUp("ada@example.com", "ada", "guess")), ErrorKind::kAccessDenied);
  }
  EXPECT_EQ(KindOf(TrySignUp("ada@example.com", "ada", "once")), ErrorKind::kLimitExceeded);
  clock_.AdvanceMs(60 * kSecondMs);
  EXPECT_TRUE(TrySignUp("ada@example.com", "ada", "once").ok());
}

// Proves that of many who are the first at once one is the administrator, and the others are told.
TEST_F(IdentityTest, HasOneFirstAccount) {
  std::atomic<int> administrators = 0;
  std::atomic<int> denied = 0;
  InThreads(6, [&](int i) {
    const auto signed_up = TrySignUp(StrCat("user", i, "@example.com"), StrCat("user", i));
    if (signed_up.ok()) {
      administrators += signed_up->account.administrator ? 1 : 0;
    } else {
      EXPECT_EQ(signed_up.error().kind(), ErrorKind::kAccessDenied);
      ++denied;
    }
  });
  EXPECT_EQ(administrators, 1);
  EXPECT_EQ(static_cast<size_t>(6 - denied),
            Query("sparks", "entityType-PK-index", "entityType = :u",
                  {{}, {{":u", tables::Value::String("USER")}}})
                .size());
}

// Proves that email and username are each somebody's alone, in every spelling, also when two ask at
// once; and that nothing is left of those refused.
TEST_F(IdentityTest, RefusesNamesThatAreTaken) {
  SignUp("ada");
  const auto email = TrySignUp("ADA@example.com", "other");
  ASSERT_FALSE(email.ok());
  EXPECT_TRUE(email.error().Is(contexts::identity::kEmailTaken));
  EXPECT_THAT(email.error().message(), HasSubstr("email"));
  const auto username = TrySignUp("other@example.com", "ADA");
  ASSERT_FALSE(username.ok());
  EXPECT_TRUE(username.error().Is(contexts::identity::kUsernameTaken));
  EXPECT_THAT(username.error().message(), HasSubstr("username"));
  EXPECT_TRUE(TrySignUp("other@example.com", "other").ok());

  std::atomic<int> won = 0;
  InThreads(4,
            [&](int i) { won += TrySignUp(StrCat("eve", i, "@example.com"), "eve").ok() ? 1 : 0; });
  EXPECT_EQ(won, 1);
}

// Proves which names and passwords are refused, and that a closed server takes no second account.
TEST_F(IdentityTest, RefusesWhatCannotBeAnAccount) {
  const struct {
    std::string email;
    std::string username;
    std::string password;
  } cases[] = {
      {"ada", "ada", "long enough"},
      {"@example.com", "ada", "long enough"},
      {"ada@", "ada", "long enough"},
      {"a@b@c", "ada", "long enough"},
      {"a b@c", "ada", "long enough"},
      {"ada@example.com", "ad", "long enough"},
      {"ada@example.com", "a da", "long enough"},
      {"ada@example.com", "ädä", "long enough"},
      {"ada@example.com", std::string(41, 'a'), "long enough"},
      {"ada@example.com", "ada", "short"},
      {"ada@example.com", "ada", std::string(1025, 'x')},
      {std::string(250, 'a') + "@b.cd", "ada", "long enough"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(KindOf(flows::SignUp(product(), identity(),
                                   {test.email, test.username, test.password, {}, "192.0.2.1"})),
              ErrorKind::kValidation)
        << test.email << " " << test.username;
  }
  flows::SignInConfig closed;
  closed.sign_up = flows::SignUpMode::kClosed;
  UseConfig(closed);
  EXPECT_TRUE(TrySignUp("ada@example.com", "ada").ok());
  EXPECT_EQ(KindOf(TrySignUp("bob@example.com", "bob")), ErrorKind::kAccessDenied);
}

// Proves that one logs in by either name in any case, and that a wrong password and an unknown name
// get the same answer.
TEST_F(IdentityTest, LogsIn) {
  const flows::Account account = SignUp("ada");
  for (const std::string name : {"ada", "ADA", "Ada@Example.com"}) {
    const auto logged_in = TryLogIn(name, kPassword);
    ASSERT_TRUE(logged_in.ok()) << name;
    EXPECT_EQ(logged_in->account.id, account.id);
    EXPECT_TRUE(identity_->tokens->Verify(logged_in->access_token).ok());
  }
  const auto wrong = TryLogIn("ada", "incorrect horse");
  const auto unknown = TryLogIn("nobody", kPassword);
  ASSERT_EQ(KindOf(wrong), ErrorKind::kUnauthenticated);
  ASSERT_EQ(KindOf(unknown), ErrorKind::kUnauthenticated);
  EXPECT_EQ(wrong.error().message(), unknown.error().message());
}

// Proves that somebody who guesses waits, that the right password waits too, and that time passes
// for it.
TEST_F(IdentityTest, SlowsDownGuesses) {
  SignUp("ada");
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(KindOf(TryLogIn("ada", "wrong")), ErrorKind::kUnauthenticated);
  }
  const auto slowed = TryLogIn("ADA", kPassword);
  ASSERT_EQ(KindOf(slowed), ErrorKind::kLimitExceeded);
  EXPECT_THAT(slowed.error().message(), HasSubstr("30 s"));
  ASSERT_NE(slowed.error().DetailAs<RetryAfter>(), nullptr);
  EXPECT_EQ(slowed.error().DetailAs<RetryAfter>()->seconds, 30);
  clock_.AdvanceMs(29 * kSecondMs);
  EXPECT_EQ(KindOf(TryLogIn("ada", kPassword)), ErrorKind::kLimitExceeded);
  clock_.AdvanceMs(kSecondMs);
  EXPECT_TRUE(TryLogIn("ada", kPassword).ok());
}

// Proves that nobody is locked out by others: while somebody guesses from many networks without a
// pause, the owner gets in by the token of a device, and from a network where they logged in
// before.
TEST_F(IdentityTest, KeepsNobodyOutWhoWasHereBefore) {
  SignUp("ada");
  const auto before = TryLogIn("ada", kPassword, "198.51.100.1");
  ASSERT_TRUE(before.ok());
  for (int i = 0; i < 300; ++i) {
    TryLogIn("ada", "wrong", StrCat("203.0.", i % 30, ".", i % 7)).PermitUncheckedError();
  }
  for (int i = 0; i < 65; ++i) {
    clock_.AdvanceMs(kSecondMs);
    if (i < 29) {
      EXPECT_EQ(KindOf(TryLogIn("ada", kPassword, "203.0.200.1")), ErrorKind::kLimitExceeded)
          << "a stranger, " << i;
    }
    EXPECT_TRUE(TryLogIn("ada", kPassword, "198.51.100.1").ok()) << "known network, " << i;
    EXPECT_TRUE(TryLogIn("ada", kPassword, "203.0.7.7", before->device_token).ok())
        << "known device, " << i;
  }
}

// Proves that the token of a device is good for its own account alone, that it is slowed down by
// itself, and that a changed one is worth nothing.
TEST_F(IdentityTest, BindsDeviceTokensToTheirAccount) {
  SignUp("ada");
  SignUp("eve");
  const auto eve = TryLogIn("eve", kPassword, "198.51.100.1");
  const auto ada = TryLogIn("ada", kPassword, "198.51.100.2");
  ASSERT_TRUE(eve.ok() && ada.ok());
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(KindOf(TryLogIn("ada", "wrong", "203.0.113.1", eve->device_token)),
              ErrorKind::kUnauthenticated);
  }
  EXPECT_EQ(KindOf(TryLogIn("ada", kPassword, "203.0.113.1", eve->device_token)),
            ErrorKind::kLimitExceeded);
  EXPECT_EQ(KindOf(TryLogIn("ada", kPassword, "203.0.113.1", ada->device_token + "x")),
            ErrorKind::kLimitExceeded);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(KindOf(TryLogIn("ada", "wrong", "203.0.113.1", ada->device_token)),
              ErrorKind::kUnauthenticated);
  }
  EXPECT_EQ(KindOf(TryLogIn("ada", kPassword, "203.0.113.1", ada->device_token)),
            ErrorKind::kLimitExceeded);
  // A login from elsewhere is another device.
  EXPECT_TRUE(TryLogIn("ada", kPassword, "198.51.100.2").ok());
}

// Proves that a refreshed session has a device token too, which stays that of its device.
TEST_F(IdentityTest, GivesADeviceTokenWithEverySession) {
  SignUp("ada");
  const auto logged_in = TryLogIn("ada", kPassword);
  ASSERT_TRUE(logged_in.ok());
  const auto device = identity_->devices.Read(logged_in->device_token);
  ASSERT_TRUE(device);
  EXPECT_EQ(device->account_id, logged_in->account.id);
  clock_.AdvanceMs(kDayMs);
  const auto refreshed = flows::RefreshSession(product(), identity(),
                                               {logged_in->refresh_token, logged_in->device_token});
  ASSERT_TRUE(refreshed.ok());
  EXPECT_NE(refreshed->device_token, logged_in->device_token);
  EXPECT_EQ(identity_->devices.Read(refreshed->device_token)->id, device->id);
}

// Proves that the answers to a stranger are the same, one by one and with the same wait, whether
// there is an account of the name or not, also once others have guessed at it from everywhere.
TEST_F(IdentityTest, TellsNobodyWhetherThereIsAnAccount) {
  SignUp("ada");
  std::map<std::string, std::vector<std::string>> answers;
  for (const std::string name : {"ada", "nobody"}) {
    for (int i = 0; i < 130; ++i) {
      const auto answer = TryLogIn(name, "wrong", StrCat("203.", name.size(), ".", i % 14, ".1"));
      ASSERT_FALSE(answer.ok());
      answers[name].push_back(answer.error().message());
    }
  }
  EXPECT_EQ(answers["ada"], answers["nobody"]);
  EXPECT_THAT(answers["ada"].back(), HasSubstr("30 s"));
}

// Proves that one address makes a few accounts at once and then one a minute, that a name which is
// taken counts too, and that nobody else is kept from signing up.
TEST_F(IdentityTest, SlowsDownSignUpsByNetwork) {
  SignUp("ada");
  const auto sign_up = [&](int i, const std::string& address) {
    return KindOf(flows::SignUp(product(), identity(),
                                {StrCat("user", i, "@example.com"),
                                 StrCat("user", i),
                                 std::string(kPassword),
                                 {},
                                 address}));
  };
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(sign_up(i / 2, "203.0.113.1"), i % 2 == 0 ? ErrorKind::kInternal : ErrorKind::kInUse);
  }
  EXPECT_EQ(sign_up(100, "203.0.113.1"), ErrorKind::kLimitExceeded);
  EXPECT_EQ(sign_up(100, "203.0.113.2"), ErrorKind::kInternal);
  clock_.AdvanceMs(60 * kSecondMs);
  EXPECT_EQ(sign_up(101, "203.0.113.1"), ErrorKind::kInternal);
  EXPECT_EQ(sign_up(102, "203.0.113.1"), ErrorKind::kLimitExceeded);
}

// Proves that a sign-up that cannot succeed costs no hash: it is refused at once although every
// place to hash in is taken for good.
TEST_F(IdentityTest, RefusesSignUpsBeforeHashing) {
  SignUp("ada");
  const contexts::identity::Passwords none({.operations = 1, .memory_bytes = 8192},
                                           {.strangers = {.places = 0, .waiting_max = 0}});
  flows::Identity busy{identity().config,   none,
                       identity().sessions, identity().tokens,
                       identity().throttle, identity().devices,
                       identity().live};
  const auto sign_up = [&](const std::string& email, const std::string& username) {
    return KindOf(flows::SignUp(product(), busy,
                                {email, username, std::string(kPassword), {}, "203.0.113.1"}));
  };
  EXPECT_EQ(sign_up("ada@example.com", "other"), ErrorKind::kInUse);
  EXPECT_EQ(sign_up("other@example.com", "ada"), ErrorKind::kInUse);
  EXPECT_EQ(sign_up("other@example.com", "other"), ErrorKind::kOverloaded);
  busy.config.sign_up = flows::SignUpMode::kClosed;
  EXPECT_EQ(sign_up("other@example.com", "other"), ErrorKind::kAccessDenied);
  // A login that nobody had the time for does not count as a wrong one.
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(KindOf(flows::LogIn(product(), busy, {"ada", "wrong", "203.0.113.1"})),
              ErrorKind::kOverloaded);
  }
  EXPECT_TRUE(TryLogIn("ada", kPassword, "203.0.113.1").ok());
}

// Proves that each refresh replaces the token, that a repeated one gets the same answer for a
// while, and that one which comes later ends the session for everybody.
TEST_F(IdentityTest, RotatesRefreshTokens) {
  SignUp("ada");
  const auto first = TryLogIn("ada", kPassword);
  ASSERT_TRUE(first.ok());
  const auto second = Refresh(first->refresh_token);
  ASSERT_TRUE(second.ok());
  EXPECT_NE(second->refresh_token, first->refresh_token);
  EXPECT_EQ(second->session_id, first->session_id);
  clock_.AdvanceMs(30 * kSecondMs);
  const auto repeated = Refresh(first->refresh_token);
  ASSERT_TRUE(repeated.ok());
  EXPECT_EQ(repeated->refresh_token, second->refresh_token);
  const auto third = Refresh(second->refresh_token);
  ASSERT_TRUE(third.ok());

  clock_.AdvanceMs(30 * kSecondMs + 1);
  EXPECT_EQ(KindOf(Refresh(second->refresh_token)), ErrorKind::kUnauthenticated);
  EXPECT_EQ(KindOf(Refresh(third->refresh_token)), ErrorKind::kUnauthenticated);
  for (const std::string token : {"", ".", "a.b", "nothing", "x.y.z"}) {
    EXPECT_EQ(KindOf(Refresh(token)), ErrorKind::kUnauthenticated) << token;
  }
}

// Proves that refreshing with one token from many threads gives all of them the same next one.
TEST_F(IdentityTest, GivesTheSameNextTokenToAllWhoAsk) {
  SignUp("ada");
  const auto session = TryLogIn("ada", kPassword);
  std::vector<std::string> tokens(4);
  InThreads(4, [&](int i) {
    const auto next = Refresh(session->refresh_token);
    tokens[static_cast<size_t>(i)] = next.ok() ? next->refresh_token : "";
  });
  EXPECT_NE(tokens[0], "");
  EXPECT_EQ(std::ranges::count(tokens, tokens[0]), 4);
}

// Proves that sessions end: by logging out, by time without use, and with nothing else.
TEST_F(IdentityTest, EndsSessions) {
  SignUp("ada");
  const auto out = TryLogIn("ada", kPassword);
  const auto kept = TryLogIn("ada", kPassword);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(identity_->sessions.EndById(out->session_id).ok());
  }
  EXPECT_EQ(KindOf(Refresh(out->refresh_token)), ErrorKind::kUnauthenticated);
  std::string token = kept->refresh_token;
  for (int i = 0; i < 3; ++i) {
    clock_.AdvanceMs(29 * kDayMs);
    const auto next = Refresh(token);
    ASSERT_TRUE(next.ok()) << i;
    token = next->refresh_token;
  }
  clock_.AdvanceMs(30 * kDayMs);
  EXPECT_EQ(KindOf(Refresh(token)), ErrorKind::kUnauthenticated);
}

// Proves that a reset ends every session that began with the old password, that of somebody who is
// just logging in with it included, and none that begins with the new one.
TEST_F(IdentityTest, AResetPasswordEndsSessions) {
  const flows::Account ada = SignUp("ada");
  const flows::Account bob = SignUp("bob");
  const auto before = TryLogIn("ada", kPassword);
  const auto others = TryLogIn("bob", kPassword);
  const auto as_it_was = product().accounts.FindForLogin("ada");
  const auto hash = identity_->passwords.Hash("another long password");
  ASSERT_TRUE(flows::ResetPassword(product(), ada.id, *hash).ok());
  EXPECT_EQ(KindOf(Refresh(before->refresh_token)), ErrorKind::kUnauthenticated);
  EXPECT_TRUE(Refresh(others->refresh_token).ok());
  EXPECT_EQ(KindOf(TryLogIn("ada", kPassword)), ErrorKind::kUnauthenticated);
  const auto after = TryLogIn("ada", "another long password");
  ASSERT_TRUE(after.ok()) << after.error().message();
  EXPECT_TRUE(Refresh(after->refresh_token).ok());
  // Somebody was recognised by the old password, and begins the session only now.
  const auto late = identity_->sessions.Begin((*as_it_was)->account, {});
  EXPECT_EQ(KindOf(Refresh(late->refresh_token)), ErrorKind::kUnauthenticated);
  EXPECT_EQ(KindOf(flows::ResetPassword(product(), "nobody", *hash)), ErrorKind::kNotFound);
}

// Proves that a hash which is only brought up to date does not undo a reset.
TEST_F(IdentityTest, ANewHashOfTheOldPasswordDoesNotUndoAReset) {
  const flows::Account ada = SignUp("ada");
  const auto as_it_was = product().accounts.FindForLogin("ada");
  const auto hash = identity_->passwords.Hash("another long password");
  ASSERT_TRUE(flows::ResetPassword(product(), ada.id, *hash).ok());
  const Status replaced =
      contexts::Transaction("test")
          .Add(contexts::identity::Accounts::ReplaceHash(ada.id, (*as_it_was)->password_hash,
                                                         "the old password, hashed anew"))
          .Commit(product().database, product().retries);
  ASSERT_FALSE(replaced.ok());
  EXPECT_TRUE(replaced.error().Is(contexts::identity::kPasswordChanged));
  EXPECT_TRUE(TryLogIn("ada", "another long password").ok());
}

// Proves that the person who runs the server makes accounts while sign-up is closed, of which the
// first one administrates it, and is told which name is taken.
TEST_F(IdentityTest, MakesAccountsForOthers) {
  flows::SignInConfig closed;
  closed.setup_token = "once";
  closed.sign_up = flows::SignUpMode::kClosed;
  UseConfig(closed);
  const std::string hash = *identity_->passwords.Hash(kPassword);
  const auto first = flows::CreateAccount(product(), {"Ada@Example.com", "Ada", hash});
  ASSERT_TRUE(first.ok()) << first.error().message();
  EXPECT_TRUE(first->administrator);
  EXPECT_EQ(Limit(*first), contexts::people::kUnlimited);
  EXPECT_EQ(KindOf(TrySignUp("eve@example.com", "eve", "once")), ErrorKind::kAccessDenied);
  const auto second = flows::CreateAccount(product(), {"bob@example.com", "bob", hash});
  ASSERT_TRUE(second.ok()) << second.error().message();
  EXPECT_FALSE(second->administrator);
  EXPECT_EQ(Limit(*second), 10);
  EXPECT_TRUE(TryLogIn("bob", kPassword).ok());
  EXPECT_TRUE(TryLogIn("ada@example.com", kPassword).ok());
  const auto taken = flows::CreateAccount(product(), {"bob@example.com", "bobby", hash});
  ASSERT_FALSE(taken.ok());
  EXPECT_TRUE(taken.error().Is(contexts::identity::kEmailTaken));
  EXPECT_EQ(KindOf(flows::CreateAccount(product(), {"nowhere", "eve", hash})),
            ErrorKind::kValidation);
}

// Proves that accounts are listed by email, page by page, with their limits; and that what others
// wrote as a user without an account is not one.
TEST_F(IdentityTest, ListsAccounts) {
  for (const char* name : {"eve", "ada", "bob"}) {
    SignUp(name);
  }
  tables::PutItemRequest stray;
  stray.table = "sparks";
  stray.item = contexts::ItemBuilder()
                   .Text("PK", "carl@example.com")
                   .Text("SK", "carl@example.com")
                   .Text("entityType", "USER")
                   .Build();
  ASSERT_TRUE(tables::BlockingDatabase(*database_).PutItem(std::move(stray)).ok());
  std::vector<std::string> listed;
  std::optional<std::string> after;
  do {
    const auto page = flows::ListAccounts(product(), 2, after);
    ASSERT_TRUE(page.ok()) << page.error().message();
    for (const flows::ListedAccount& each : page->accounts) {
      listed.push_back(StrCat(each.account.username, " ", each.limit));
    }
    after = page->next;
  } while (after);
  EXPECT_THAT(listed, testing::ElementsAre("ada 10", "bob 10", "eve 10",
                                           StrCat("root ", contexts::people::kUnlimited)));
}

// Proves that an access token says what was put into it, until it expires.
TEST_F(IdentityTest, VerifiesAccessTokens) {
  const flows::Account account = Administrator();
  const std::string token = identity_->tokens->Issue(account, "session");
  const auto claims = identity_->tokens->Verify(token);
  ASSERT_TRUE(claims.ok()) << claims.error().message();
  EXPECT_EQ(claims->account.id, account.id);
  EXPECT_EQ(claims->account.email, "root@example.com");
  EXPECT_EQ(claims->account.username, "root");
  EXPECT_TRUE(claims->account.administrator);
  EXPECT_EQ(claims->session_id, "session");
  clock_.AdvanceMs(16 * 60 * kSecondMs);
  EXPECT_TRUE(identity_->tokens->Verify(token).ok());
  clock_.AdvanceMs(kSecondMs);
  EXPECT_EQ(KindOf(identity_->tokens->Verify(token)), ErrorKind::kUnauthenticated);
  clock_.AdvanceMs(-kHourMs);
  EXPECT_EQ(KindOf(identity_->tokens->Verify(token)), ErrorKind::kUnauthenticated);
}

// Proves that no token is taken that this server did not issue as it is: every changed character,
// every other algorithm, other parts, other keys, other issuers.
TEST_F(IdentityTest, RefusesEveryOtherToken) {
  const flows::Account account = SignUp("ada");
  const Tokens& tokens = *identity_->tokens;
  const std::string good = tokens.Issue(account, "session");
  for (size_t i = 0; i < good.size(); ++i) {
    std::string changed = good;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(tokens.Verify(changed).ok()) << i;
  }
  const size_t first = good.find('.');
  const size_t second = good.rfind('.');
  const std::string header = good.substr(0, first);
  const std::string claims = good.substr(first + 1, second - first - 1);
  const std::string signature = good.substr(second + 1);
  const std::string plain_header = *ParseBase64Url(header);
  const auto with_header = [&](const std::string& from, const std::string& to) {
    std::string changed = plain_header;
    const size_t at = changed.find(from);
    CHECK(at != std::string::npos);
    changed.replace(at, from.size(), to);
    return StrCat(Base64Url(changed), ".", claims, ".", signature);
  };
  const std::vector<std::string> bad = {
      "",
      "..",
      header,
      StrCat(header, ".", claims),
      StrCat(header, ".", claims, "."),
      StrCat(header, ".", claims, ".", signature, "."),
      StrCat(header, ".", claims, ".", signature, ".", signature),
      StrCat(header, ".", claims, ".", signature, "="),
      StrCat(" ", good),
      StrCat(good, "A"),
      with_header("ES256", "none"),
      with_header("ES256", "HS256"),
      with_header(R"("alg")", R"("crit":["x"],"alg")"),
      std::string(5000, 'a'),
      StrCat(std::string(3000, 'a'), ".", std::string(500, 'a'), ".", std::string(500, 'a')),
  };
  for (const std::string& token : bad) {
    EXPECT_EQ(KindOf(tokens.Verify(token)), ErrorKind::kUnauthenticated) << token;
  }
  // The same key, another issuer.
  KeyRing ring = TokenRing("secret");
  const auto other = Tokens::Open({.issuer = "https://elsewhere"}, ring, clock_);
  ASSERT_TRUE(other.ok());
  EXPECT_FALSE(tokens.Verify((*other)->Issue(account, "session")).ok());
  // Another key, the same issuer: what is between the dots is right.
  const std::string foreign = Base64Url(SigningKey::Generate().Sign(StrCat(header, ".", claims)));
  EXPECT_FALSE(tokens.Verify(StrCat(header, ".", claims, ".", foreign)).ok());
}

// Proves that the signing key is the same after a restart, so that tokens live on, that it is not
// in the table as it is, and that another secret is refused with a reason of its own.
TEST_F(IdentityTest, KeepsTheSealedSigningKey) {
  const flows::Account account = SignUp("ada");
  const std::string token = identity_->tokens->Issue(account, "session");
  const std::string jwks = identity_->tokens->Jwks();
  Open();
  EXPECT_TRUE(identity_->tokens->Verify(token).ok());
  EXPECT_EQ(identity_->tokens->Jwks(), jwks);
  EXPECT_THAT(jwks, HasSubstr(R"("crv":"P-256")"));
  KeyRing ring = TokenRing("another");
  const auto wrong = Tokens::Open({}, ring, clock_);
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().reason(), contexts::kSealedWithAnotherKey);
}

// Proves that of several servers that start at once all have the same signing key.
TEST_F(IdentityTest, MakesOneSigningKeyOnManyNodes) {
  ASSERT_TRUE(
      tables::BlockingDatabase(*database_)
          .DeleteItem(
              {"tintype",
               contexts::ItemBuilder().Text("PK", "KEY#access-tokens").Text("SK", "KEY").Build(),
               {}})
          .ok());
  std::vector<std::string> jwks(4);
  InThreads(4, [&](int i) {
    KeyRing ring = TokenRing("secret");
    const auto opened = Tokens::Open({}, ring, clock_);
    jwks[static_cast<size_t>(i)] = opened.ok() ? (*opened)->Jwks() : "";
  });
  EXPECT_NE(jwks[0], "");
  EXPECT_EQ(std::ranges::count(jwks, jwks[0]), 4);
}

}  // namespace
}  // namespace tintype::product
