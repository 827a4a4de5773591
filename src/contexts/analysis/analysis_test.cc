#include "contexts/analysis/analysis.h"

#include <gtest/gtest.h>

namespace tintype::contexts::analysis {
namespace {

constexpr auto kNotStarted = MediaStatus::kNotStarted;
constexpr auto kInProgress = MediaStatus::kInProgress;
constexpr auto kCompleted = MediaStatus::kCompleted;
constexpr auto kError = MediaStatus::kError;
constexpr auto kSkipped = MediaStatus::kSkipped;

std::vector<KindResult> Kinds(const std::vector<MediaStatus>& statuses) {
  std::vector<KindResult> kinds;
  for (const MediaStatus status : statuses) {
    KindResult kind;
    kind.status = status;
    kinds.push_back(kind);
  }
  return kinds;
}

// Proves the document's formula, that what is skipped counts for nothing, and that nothing is
// completed unless something was.
TEST(AnalysisTest, CountsProgressOfWhatIsToBeDone) {
  const struct {
    std::vector<MediaStatus> kinds;
    int64_t progress;
    MediaStatus overall;
  } cases[] = {
      {{}, 100, kSkipped},
      {{kSkipped, kSkipped}, 100, kSkipped},
      {{kNotStarted, kNotStarted}, 0, kNotStarted},
      {{kNotStarted, kSkipped}, 0, kNotStarted},
      {{kCompleted, kNotStarted, kNotStarted}, 33, kInProgress},
      {{kCompleted, kCompleted, kNotStarted}, 67, kInProgress},
      {{kCompleted, kSkipped}, 100, kCompleted},
      {{kCompleted, kInProgress}, 50, kInProgress},
      {{kError, kInProgress}, 0, kInProgress},
      {{kCompleted, kError, kSkipped}, 50, kError},
      {{kError}, 0, kError},
      {{kError, kSkipped}, 0, kError},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(ProgressOf(Kinds(test.kinds)), test.progress);
    EXPECT_EQ(OverallOf(Kinds(test.kinds)), test.overall);
  }
}

}  // namespace
}  // namespace tintype::contexts::analysis
