#include "base/error.h"

#include <gtest/gtest.h>

namespace tintype {
namespace {

constexpr Reason kTaken{ErrorKind::kInUse, "Taken"};
constexpr Reason kBusy{ErrorKind::kInUse, "Busy"};

// A case is told from other cases of its kind, and asking for the kind finds all of them.
TEST(ErrorTest, TellsCasesOfAKindApart) {
  const Error taken(kTaken, "The name is taken.");
  EXPECT_EQ(taken.kind(), ErrorKind::kInUse);
  EXPECT_TRUE(taken.Is(kTaken));
  EXPECT_FALSE(taken.Is(kBusy));
  EXPECT_TRUE(taken.Is(ErrorKind::kInUse));
  EXPECT_FALSE(taken.Is(ErrorKind::kNotFound));
}

// An error of a kind alone is none of its cases.
TEST(ErrorTest, AKindIsNoCase) {
  const Error in_use = Error::InUse("It is there already.");
  EXPECT_FALSE(in_use.Is(kTaken));
  EXPECT_TRUE(in_use.Is(ErrorKind::kInUse));
  EXPECT_EQ(in_use.reason(), ErrorKind::kInUse);
}

// The same name under another kind is another case.
TEST(ErrorTest, AReasonIsItsKindAndItsName) {
  constexpr Reason kOther{ErrorKind::kValidation, "Taken"};
  EXPECT_FALSE(Error(kOther, "").Is(kTaken));
}

// An error that is given another reason keeps its text and its detail.
TEST(ErrorTest, AnotherReasonKeepsTheRest) {
  const Error error = Error(kTaken, "text").WithNote("note").WithReason(kBusy);
  EXPECT_TRUE(error.Is(kBusy));
  EXPECT_EQ(error.message(), "text");
  EXPECT_EQ(error.note(), "note");
}

}  // namespace
}  // namespace tintype
