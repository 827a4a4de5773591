#include "contexts/identity/throttling/sign_in_throttle.h"

#include <gtest/gtest.h>

#include "base/retry.h"
#include "base/strings.h"

namespace tintype::contexts::identity {
namespace {

/// After how many seconds to try again; 0 when it may be tried now.
int64_t WaitOf(const Status& status) {
  return status.ok() ? 0 : status.error().DetailAs<RetryAfter>()->seconds;
}

class SignInThrottleTest : public testing::Test {
 protected:
  static LogInAttempt Attempt(const std::string& name, const std::string& address) {
    return {name, NetworkOf(address), {}};
  }
  int64_t Take(LogInAttempt attempt) { return WaitOf(throttle_.TakeLogIn(attempt)); }
  /// Takes until it is refused; how often that worked.
  int TakeAll(const LogInAttempt& attempt) {
    int taken = 0;
    while (Take(attempt) == 0) {
      ++taken;
    }
    return taken;
  }

  FakeClock clock_{1'700'000'000'000};
  SignInThrottle throttle_{{}, clock_};
};

// Proves that a network has some attempts at one name and a few more in all, whatever address of
// IPv6 it uses, and that those come back one by one.
TEST_F(SignInThrottleTest, CountsByNetwork) {
  EXPECT_EQ(TakeAll(Attempt("ada", "2001:db8::1")), 10);
  EXPECT_EQ(TakeAll(Attempt("ada", "2001:db8::2")), 0);
  EXPECT_EQ(TakeAll(Attempt("bob", "2001:db8::3")), 10);
  EXPECT_EQ(TakeAll(Attempt("cyd", "2001:db8::4")), 0);
  EXPECT_EQ(TakeAll(Attempt("cyd", "2001:db8:0:1::4")), 10);
  EXPECT_EQ(Take(Attempt("cyd", "2001:db8::1")), 10);
  clock_.AdvanceMs(10'000);
  EXPECT_EQ(TakeAll(Attempt("cyd", "2001:db8::1")), 1);
  EXPECT_EQ(Take(Attempt("ada", "2001:db8::1")), 20);
}

// Proves that the neighbours of a wide network share a budget, but for those who logged in.
TEST_F(SignInThrottleTest, CountsByWideNetwork) {
  const LogInAttempt known = Attempt("ada", "192.0.2.250");
  ASSERT_EQ(Take(known), 0);
  throttle_.Succeeded(known);
  int taken = 0;
  for (int i = 0; i < 200; ++i) {
    taken += TakeAll(Attempt(StrCat("name", i), StrCat("192.0.2.", i)));
  }
  EXPECT_EQ(taken, 200);
  EXPECT_EQ(Take(Attempt("ada", "192.0.2.249")), 1);
  EXPECT_EQ(Take(Attempt("ada", "192.0.3.249")), 0);
  EXPECT_EQ(Take(known), 0);
}

// Proves that attempts at one name from everywhere are slowed down, with the same wait however many
// there were, and that neither a known network nor a known device is.
TEST_F(SignInThrottleTest, SlowsOnlyStrangersAtOneName) {
  const LogInAttempt known = Attempt("ada", "198.51.100.1");
  ASSERT_EQ(Take(known), 0);
  throttle_.Succeeded(known);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(Take(Attempt("ada", StrCat("10.", i, ".0.1"))), 0);
  }
  EXPECT_EQ(Take(Attempt("ada", "10.200.0.1")), 30);
  clock_.AdvanceMs(20'000);
  EXPECT_EQ(Take(Attempt("ada", "10.200.0.1")), 30);
  EXPECT_EQ(TakeAll(known), 10);
  LogInAttempt device = Attempt("ada", "10.0.0.1");
  device.device = "phone";
  EXPECT_EQ(TakeAll(device), 10);
  EXPECT_EQ(Take(device), 30);
  throttle_.GiveBack(device);
  EXPECT_EQ(TakeAll(device), 1);
  clock_.AdvanceMs(10'000);
  EXPECT_EQ(Take(Attempt("ada", "10.200.0.1")), 0);
}

// Proves that a right password gives its attempt back and nothing more: somebody with an account of
// their own gets no more guesses at others.
TEST_F(SignInThrottleTest, GivesBackOneAttemptForARightPassword) {
  for (int i = 0; i < 100; ++i) {
    const LogInAttempt right = Attempt("eve", "192.0.2.1");
    ASSERT_EQ(Take(right), 0);
    throttle_.Succeeded(right);
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(TakeAll(Attempt(StrCat("ada", i), "192.0.2.1")), 10);
  }
  EXPECT_EQ(Take(Attempt("eve", "192.0.2.1")), 10);
}

// Proves that attempts that begin together get no more than one after another.
TEST_F(SignInThrottleTest, TakesBeforeThePasswordIsLookedAt) {
  std::vector<LogInAttempt> running;
  for (int i = 0; i < 10; ++i) {
    running.push_back(Attempt("ada", "192.0.2.1"));
    EXPECT_EQ(Take(running.back()), 0);
  }
  EXPECT_EQ(Take(Attempt("ada", "192.0.2.1")), 30);
  throttle_.GiveBack(running.back());
  EXPECT_EQ(Take(Attempt("ada", "192.0.2.1")), 0);
}

// Proves that sign-ups count by network, near and wide.
TEST_F(SignInThrottleTest, CountsSignUps) {
  const auto sign_up = [&](const std::string& address) {
    return WaitOf(throttle_.TakeSignUp(NetworkOf(address)));
  };
  for (int host = 0; host < 5; ++host) {
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(sign_up(StrCat("192.0.2.", host)), 0);
    }
    EXPECT_EQ(sign_up(StrCat("192.0.2.", host)), 60);
  }
  EXPECT_EQ(sign_up("192.0.2.99"), 10);
  EXPECT_EQ(sign_up("192.0.3.1"), 0);
}

// Proves that returns from another issuer count by network, near and wide, and that one that is
// confirmed does not.
TEST_F(SignInThrottleTest, CountsReturns) {
  const auto come_back = [&](const std::string& address) {
    return WaitOf(throttle_.TakeReturn(NetworkOf(address)));
  };
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(come_back("192.0.2.1"), 0);
    throttle_.GiveReturnBack(NetworkOf("192.0.2.1"));
  }
  for (int host = 0; host < 10; ++host) {
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(come_back(StrCat("192.0.2.", host)), 0);
    }
    EXPECT_EQ(come_back(StrCat("192.0.2.", host)), 10);
  }
  EXPECT_EQ(come_back("192.0.2.99"), 1);
  EXPECT_EQ(come_back("192.0.3.1"), 0);
}

// Proves that any number of names takes a bounded room, and that those count on which time has not
// passed.
TEST(BudgetTest, RemembersSoManyNames) {
  Budget budget({.free = 2, .refill_ms = 1000, .names_max = 2000});
  for (int i = 0; i < 10'000; ++i) {
    budget.Take(StrCat("name", i), i * 100);
    EXPECT_LE(budget.size(), 2000U);
  }
  budget.Take("name9999", 999'900);
  EXPECT_EQ(budget.WaitMs("name9999", 999'900), 1000);
  EXPECT_EQ(budget.WaitMs("name9999", 1'000'900), 0);
  // The clock was put back: nobody waits for longer than all of it takes.
  EXPECT_EQ(budget.WaitMs("name9999", 0), 1000);
}

}  // namespace
}  // namespace tintype::contexts::identity
