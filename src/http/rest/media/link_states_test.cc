#include "http/rest/media/link_states.h"

#include <gtest/gtest.h>

namespace tintype::http::rest {
namespace {

using Verdict = LinkState::Verdict;
using views::LinkAudience;

constexpr int64_t kNow = 1'700'000'000'000;

// Proves for how long an answer of the tables counts, and when they are asked ahead of time.
TEST(LinkStateTest, CountsForHalfASecond) {
  LinkState state("image", LinkAudience::kViewer);
  EXPECT_EQ(state.Look(kNow), Verdict::kUnknown);
  state.SetGood(true, kNow);
  EXPECT_EQ(state.Look(kNow), Verdict::kGood);
  EXPECT_EQ(state.Look(kNow + 250), Verdict::kGood);
  EXPECT_EQ(state.Look(kNow + 251), Verdict::kGoodAskAgain);
  EXPECT_EQ(state.Look(kNow + 500), Verdict::kGoodAskAgain);
  EXPECT_EQ(state.Look(kNow + 501), Verdict::kUnknown);
  EXPECT_EQ(state.Look(kNow - 1), Verdict::kUnknown) << "the clock was put back";
  state.SetGood(false, kNow + 100);
  EXPECT_EQ(state.Look(kNow + 100), Verdict::kNotGood);
  EXPECT_EQ(state.Look(kNow + 601), Verdict::kUnknown);
}

// Proves that an answer from before a later one changes nothing, in whatever order they come.
TEST(LinkStateTest, BelievesWhoAskedLast) {
  LinkState state("image", LinkAudience::kOwner);
  state.SetGood(false, kNow + 10);
  state.SetGood(true, kNow);
  EXPECT_EQ(state.Look(kNow + 10), Verdict::kNotGood);
  state.SetGood(true, kNow + 11);
  EXPECT_EQ(state.Look(kNow + 11), Verdict::kGood);
}

// Proves that one at a time asks ahead.
TEST(LinkStateTest, HasOneAskAhead) {
  LinkState state("image", LinkAudience::kOwner);
  EXPECT_TRUE(state.BeginAsking());
  EXPECT_FALSE(state.BeginAsking());
  state.EndAsking();
  EXPECT_TRUE(state.BeginAsking());
}

}  // namespace
}  // namespace tintype::http::rest
