#include "base/callback.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace tintype {
namespace {

// Cannot be copied. Without memory of its own, since clang's analyzer loses track of that in here.
struct MoveOnly {
  explicit MoveOnly(int a_number) : number(a_number) {}
  MoveOnly(MoveOnly&&) = default;
  MoveOnly& operator=(MoveOnly&&) = default;
  int number;
};
static_assert(!std::is_copy_constructible_v<MoveOnly>);

// A value that only one can own goes with the callback and comes back as an argument.
TEST(OnceCallbackTest, OwnsAndPassesWhatCannotBeCopied) {
  int sum = 0;
  OnceCallback<MoveOnly> callback = [&sum, mine = MoveOnly(40)](MoveOnly given) {
    sum = mine.number + given.number;
  };
  OnceCallback<MoveOnly> moved = std::move(callback);
  moved(MoveOnly(2));
  EXPECT_EQ(sum, 42);
}

// References reach the caller's own object.
TEST(OnceCallbackTest, PassesReferences) {
  OnceCallback<std::string&> callback = [](std::string& text) { text += "!"; };
  std::string text = "a";
  callback(text);
  EXPECT_EQ(text, "a!");
}

// A callback is spent by its call: it is empty afterwards, and what it owned is gone.
TEST(OnceCallbackTest, IsSpentByItsCall) {
  EXPECT_FALSE(OnceCallback<>());
  const auto owned = std::make_shared<int>(0);
  OnceCallback<> callback = [owned] { ++*owned; };
  EXPECT_TRUE(callback);
  EXPECT_EQ(owned.use_count(), 2);
  callback();
  EXPECT_FALSE(callback);
  EXPECT_EQ(*owned, 1);
  EXPECT_EQ(owned.use_count(), 1);
}

// One that is never called frees what it owns.
TEST(OnceCallbackTest, FreesWhatItOwnsUncalled) {
  const auto owned = std::make_shared<int>(0);
  {
    const OnceCallback<> callback = [owned] { ++*owned; };
  }
  EXPECT_EQ(*owned, 0);
  EXPECT_EQ(owned.use_count(), 1);
}

// A call may put another callback in its own place, as one does that asks for the next page.
TEST(OnceCallbackTest, MayBeReplacedByItsCall) {
  int calls = 0;
  OnceCallback<> callback;
  callback = [&] {
    ++calls;
    callback = [&] { calls += 10; };
  };
  callback();
  EXPECT_EQ(calls, 1);
  ASSERT_TRUE(callback);
  callback();
  EXPECT_EQ(calls, 11);
}

}  // namespace
}  // namespace tintype
