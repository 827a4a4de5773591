#include "base/retry.h"

#include <gtest/gtest.h>

#include "base/result.h"

namespace tintype {
namespace {

using std::chrono::milliseconds;

struct Advising : ErrorDetail {
  explicit Advising(RetryAdvice given) : advice(given) {}
  std::optional<RetryAdvice> retry_advice() const override { return advice; }
  RetryAdvice advice;
};

Error With(ErrorKind kind, RetryAdvice advice) {
  return Error(kind, "").WithDetail(std::make_shared<Advising>(advice));
}

// One classification for everyone: this is all of it.
TEST(RetryTest, JudgesByKind) {
  const struct {
    ErrorKind kind;
    RetryAdvice advice;
    bool outage;
  } rows[] = {
      {ErrorKind::kValidation, RetryAdvice::kNever, false},
      {ErrorKind::kUnauthenticated, RetryAdvice::kNever, false},
      {ErrorKind::kAccessDenied, RetryAdvice::kNever, false},
      {ErrorKind::kNotFound, RetryAdvice::kNever, false},
      {ErrorKind::kInUse, RetryAdvice::kNever, false},
      {ErrorKind::kConditionFailed, RetryAdvice::kNever, false},
      {ErrorKind::kAborted, RetryAdvice::kNever, false},
      {ErrorKind::kLimitExceeded, RetryAdvice::kNever, false},
      {ErrorKind::kRequestTooLarge, RetryAdvice::kNever, false},
      {ErrorKind::kOverloaded, RetryAdvice::kRefused, true},
      {ErrorKind::kUnavailable, RetryAdvice::kOutcomeOpen, true},
      {ErrorKind::kCorruption, RetryAdvice::kNever, false},
      {ErrorKind::kIo, RetryAdvice::kOutcomeOpen, false},
      {ErrorKind::kInternal, RetryAdvice::kOutcomeOpen, false},
  };
  ASSERT_EQ(std::size(rows), static_cast<size_t>(ErrorKind::kInternal) + 1);
  for (const auto& row : rows) {
    const Error error(row.kind, "");
    EXPECT_EQ(RetryAdviceFor(error), row.advice) << static_cast<int>(row.kind);
    EXPECT_EQ(IsOutage(error), row.outage) << static_cast<int>(row.kind);
  }
}

// A detail that knows better decides: a helper that died is no outage, a busy table is.
TEST(RetryTest, ADetailKnowsBetter) {
  EXPECT_EQ(RetryAdviceFor(With(ErrorKind::kUnavailable, RetryAdvice::kNever)),
            RetryAdvice::kNever);
  EXPECT_FALSE(IsOutage(With(ErrorKind::kUnavailable, RetryAdvice::kOutcomeOpen)));
  EXPECT_TRUE(IsOutage(With(ErrorKind::kAborted, RetryAdvice::kRefused)));
}

// Waits double up to the longest, and are never less than half of what they could be.
TEST(RetryTest, WaitsGrow) {
  for (const auto& [failures, most] : {std::pair(1, 10), {2, 20}, {3, 40}, {9, 500}, {60, 500}}) {
    for (int i = 0; i < 100; ++i) {
      const milliseconds wait = BackoffWait(milliseconds(10), milliseconds(500), failures);
      EXPECT_GE(wait, milliseconds(most / 2));
      EXPECT_LE(wait, milliseconds(most));
    }
  }
}

// A failure that passes is tried again, up to the policy's end; any other is not.
TEST(RetryTest, TriesAgainWhatPasses) {
  RetryPolicy policy;
  policy.attempts_max = 4;
  int waits = 0;
  policy.sleep = [&](milliseconds) { ++waits; };
  const auto attempts_of = [&](ErrorKind kind) {
    int attempts = 0;
    const Status status = WithRetries(policy, [&]() -> Status {
      ++attempts;
      return Error(kind, "");
    });
    EXPECT_FALSE(status.ok());
    return attempts;
  };
  EXPECT_EQ(attempts_of(ErrorKind::kOverloaded), 4);
  EXPECT_EQ(waits, 3);
  EXPECT_EQ(attempts_of(ErrorKind::kConditionFailed), 1);
  int left = 2;
  EXPECT_TRUE(WithRetries(policy, [&]() -> Status {
                return --left > 0 ? Status(Error(ErrorKind::kIo, "")) : OkStatus();
              }).ok());
}

}  // namespace
}  // namespace tintype
