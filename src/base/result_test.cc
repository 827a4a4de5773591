#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace tintype {
namespace {

Result<int> Half(int number) {
  if (number % 2 != 0) {
    return Error::Validation("odd");
  }
  return number / 2;
}

Result<int> Quarter(int number) {
  ASSIGN_OR_RETURN(const int half, Half(number));
  ASSIGN_OR_RETURN(int quarter, Half(half));
  return quarter;
}

// A result says which of the two it is, and gives only that.
TEST(ResultTest, HoldsAValueOrAnError) {
  const Result<std::string> value = std::string("text");
  EXPECT_TRUE(value.ok());
  EXPECT_TRUE(static_cast<bool>(value));
  EXPECT_EQ(*value, "text");
  EXPECT_EQ(value->size(), 4U);

  const Result<std::string> error = Error::NotFound("none");
  EXPECT_FALSE(error.ok());
  EXPECT_FALSE(static_cast<bool>(error));
  EXPECT_EQ(error.error().kind(), ErrorKind::kNotFound);
  EXPECT_EQ(error.error().message(), "none");
}

// Taking the other of the two is a bug of ours, and stops the process instead of going on with
// rubbish.
TEST(ResultDeathTest, StopsWhenTheOtherIsTaken) {
  const Result<int> value = 1;
  const Result<int> error = Error::NotFound("none");
  EXPECT_DEATH(static_cast<void>(value.error()), "CHECK failed");
  EXPECT_DEATH(static_cast<void>(error.value()), "CHECK failed");
}

// A value that cannot be copied comes out of a result by a move, and one that is changed in place
// stays changed.
TEST(ResultTest, MovesItsValue) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  **result += 1;
  Result<std::unique_ptr<int>> moved = std::move(result);
  const std::unique_ptr<int> owned = std::move(moved).value();
  EXPECT_EQ(*owned, 8);

  Result<int> failed = Error::Internal("a note that is for logs alone");
  const Error error = std::move(failed).error();
  EXPECT_EQ(error.kind(), ErrorKind::kInternal);
  EXPECT_EQ(error.note(), "a note that is for logs alone");
  EXPECT_EQ(error.message(), "Internal server error");
}

// ASSIGN_OR_RETURN goes on with the value and leaves with the error; two fit in one function.
TEST(ResultTest, AssignOrReturnTakesTheValueOrLeaves) {
  EXPECT_EQ(Quarter(12).value(), 3);
  EXPECT_EQ(Quarter(3).error().message(), "odd");
  EXPECT_EQ(Quarter(6).error().message(), "odd");
}

// ASSIGN_OR_RETURN moves, and assigns what was declared before.
TEST(ResultTest, AssignOrReturnAssignsByMove) {
  const auto run = []() -> Result<int> {
    std::unique_ptr<int> owned;
    ASSIGN_OR_RETURN(owned, Result<std::unique_ptr<int>>(std::make_unique<int>(5)));
    return *owned;
  };
  EXPECT_EQ(run().value(), 5);
}

// RETURN_IF_ERROR evaluates its argument once, passes errors of any result on, and goes on
// otherwise.
TEST(ResultTest, ReturnIfErrorLeavesWithErrorsOnly) {
  int calls = 0;
  const auto step = [&](int number) {
    ++calls;
    return Half(number);
  };
  const auto run = [&](int number) -> Status {
    RETURN_IF_ERROR(step(number));
    RETURN_IF_ERROR(OkStatus());
    return OkStatus();
  };
  EXPECT_TRUE(run(2).ok());
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(run(1).error().kind(), ErrorKind::kValidation);
  EXPECT_EQ(calls, 2);
}

// An error can be dropped on purpose, which changes nothing about it and warns nobody.
TEST(ResultTest, PermitsAnUncheckedError) {
  Half(1).PermitUncheckedError();
  const Result<int> kept = Half(1);
  kept.PermitUncheckedError();
  EXPECT_EQ(kept.error().message(), "odd");
}

// A reader gets the detail of the type it asks for, or none; copies of an error share it.
TEST(ErrorTest, CarriesADetailByType) {
  struct Mine : ErrorDetail {
    int number = 3;
  };
  struct Other : ErrorDetail {};
  const Error error = Error::InUse("busy").WithDetail(std::make_shared<Mine>());
  const Error copy = error;  // NOLINT(performance-unnecessary-copy-initialization)
  ASSERT_NE(copy.DetailAs<Mine>(), nullptr);
  EXPECT_EQ(copy.DetailAs<Mine>()->number, 3);
  EXPECT_EQ(copy.DetailAs<Mine>(), error.DetailAs<Mine>());
  EXPECT_EQ(copy.DetailAs<Other>(), nullptr);
  EXPECT_EQ(Error::InUse("busy").DetailAs<Mine>(), nullptr);
}

}  // namespace
}  // namespace tintype
